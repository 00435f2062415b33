# One command per wish. Everything happens in $(VENV), which is made when it is missing, out of
# date or broken; nothing outside this folder is touched and nothing needs root.

PYTHON ?= python3
VENV ?= .venv
PHOTOGRAPHS ?=
BENCH ?=
NO_BOARDS ?=
PINS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint $(VENV)/constraints.txt

# What looks at pictures, and so at OpenCV and numpy, is run with the oldest pair of them too: what
# imports them or our own modules that do, and the demo. Left out is what takes long: it makes whole
# films, or has them watched as the demo does, or looks at boards as others that are run do.
OLD := .venv-old
LONG := $(addprefix tests/test_, cli.py comparer.py doctor.py found_again.py journal_verbs.py \
  lighter_begins.py next_game.py recollection.py resume.py second_look.py second_maker.py service.py)
PICTURE_TESTS = $(filter-out $(LONG), tests/test_demo.py $(shell \
  grep -lE '^(import|from) (cv2|numpy|calibration|referee\.eye)([. ]|$$)' tests/test_*.py))

# A set-up that was interrupted, or whose Python has been upgraded since, is made anew.
ifneq ($(shell $(BIN)/python -c 'import cv2, numpy, rich; print("sound")' 2>/dev/null),sound)
$(shell rm -f $(VENV)/.ready $(VENV)/.ready-*)
endif

.PHONY: help demo test test-old test-pi test-arm check bench torture clean headless

help:
	@echo "make demo     watch the game video of sample_images/"
	@echo "make test     run the whole test suite"
	@echo "make test-old run those that look at pictures with the oldest OpenCV and numpy, in $(OLD)"
	@echo "make test-pi  run those of the Pi's camera with the real picamera2 (Linux, root; see tests/pi)"
	@echo "make test-arm read a picture as the processor of a Pi does, by qemu (Linux, root; see tests/arm)"
	@echo "make check    look for slips with ruff and mypy"
	@echo "make bench    measure accuracy and time; PHOTOGRAPHS=folder adds your own pictures,"
	@echo "              BENCH=full takes hours for more of everything, NO_BOARDS=number for more"
	@echo "              pictures without a board"
	@echo "make torture  cut the power, fill the disk, pull the cable, thousands of times"
	@echo "make clean    remove $(VENV) and $(OLD)"

demo: $(VENV)/.ready
	@mkdir -p games
	$(BIN)/python -m referee watch sample_images/demo.mp4 --pdn games/demo.pdn --games games

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n auto

test-old:
	@$(MAKE) --no-print-directory VENV=$(OLD) PINS=tests/oldest.txt $(OLD)/.ready-test
	$(OLD)/bin/python -m pytest -n auto $(PICTURE_TESTS)

test-arm: $(VENV)/.ready
	@PYTHON=$(BIN)/python sh tests/arm/run.sh

test-pi:
	@sh tests/pi/run.sh

check: $(VENV)/.ready-dev
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy

bench: $(VENV)/.ready-dev
	$(BIN)/python -m tests.benchmarks $(if $(PHOTOGRAPHS),--photographs "$(PHOTOGRAPHS)") \
	  $(if $(filter full,$(BENCH)),--full) $(if $(NO_BOARDS),--no-boards $(NO_BOARDS))

torture: $(VENV)/.ready-dev
	$(BIN)/python -m tests.torture

clean:
	rm -rf $(VENV) $(OLD)

# picamera2 comes from apt only. Where it is there the environment must see it, and must keep the
# system's numpy, against which the system's camera modules were compiled; OpenCV 4.11 is
# the last for numpy 1: told so, Bookworm's pip need not fetch all newer ones to find that out.
# Pins are for tests, which need no system's packages.
$(VENV)/.ready: pyproject.toml $(PINS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "Python 3.11 or newer is needed; name it: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import sys; sys.exit(sys.maxsize < 2**32 and \
	  "A 64-bit system is needed: for 32 bits there is no OpenCV to be had")'
	@echo "Setting up $(VENV), once; this takes a minute or a few ..."
	@rm -f $@ $@-*
	@if [ "$(PINS)" ]; then $(PYTHON) -m venv --clear $(VENV) && cp $(PINS) $(VENV)/constraints.txt; \
	  elif $(PYTHON) -c 'import importlib.util as i, sys; sys.exit(not i.find_spec("picamera2"))'; \
	  then $(PYTHON) -m venv --clear --system-site-packages $(VENV) && $(PYTHON) -c \
	    'import numpy; print("numpy==" + numpy.__version__); \
	    numpy.__version__ < "2" and print("opencv-python<4.12")' > $(VENV)/constraints.txt; \
	  else $(PYTHON) -m venv --clear $(VENV) && touch $(VENV)/constraints.txt; fi
	@$(INSTALL) --editable .
	@$(BIN)/python -c 'import cv2' 2>/dev/null || $(MAKE) --no-print-directory headless
	@touch $@

$(VENV)/.ready-dev $(VENV)/.ready-test: $(VENV)/.ready-%: $(VENV)/.ready
	@$(INSTALL) --editable '.[$*]'
	@touch $@

# The usual OpenCV wants libGL, which a machine without a display may lack. The same version
# without windows is laid over it: the files change, what pip knows to be installed stays true.
headless:
	@$(INSTALL) --no-deps --force-reinstall opencv-python-headless==$$( \
	  $(PIP) show opencv-python | sed -n 's/^Version: //p')
	@$(BIN)/python -c 'import cv2' || { echo "OpenCV does not load here (see above)." \
	  "Try: sudo apt install libgl1 libglib2.0-0, then the same command again." >&2; exit 1; }
