# One command per wish. Everything happens in $(VENV), which is made when it is missing, out of
# date or broken; nothing outside this folder is touched and nothing needs root.

PYTHON ?= python3
VENV ?= .venv
PHOTOGRAPHS ?=
BENCH ?=
NO_BOARDS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint $(VENV)/constraints.txt

# A set-up that was interrupted, or whose Python has been upgraded since, is made anew.
ifneq ($(shell $(BIN)/python -c 'import cv2, numpy, rich; print("sound")' 2>/dev/null),sound)
$(shell rm -f $(VENV)/.ready $(VENV)/.ready-dev)
endif

.PHONY: help demo test test-pi check bench torture clean headless

help:
	@echo "make demo     watch the game video of sample_images/"
	@echo "make test     run the whole test suite"
	@echo "make test-pi  run those of the Pi's camera with the real picamera2 (Linux, root; see tests/pi)"
	@echo "make check    look for slips with ruff and mypy"
	@echo "make bench    measure accuracy and time; PHOTOGRAPHS=folder adds your own pictures,"
	@echo "              BENCH=full takes hours for more of everything, NO_BOARDS=number for more"
	@echo "              pictures without a board"
	@echo "make torture  cut the power, fill the disk, pull the cable, thousands of times"
	@echo "make clean    remove $(VENV)"

demo: $(VENV)/.ready
	@mkdir -p games
	$(BIN)/python -m referee watch sample_images/demo.mp4 --pdn games/demo.pdn --games games

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n auto

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
	rm -rf $(VENV)

# picamera2 comes from apt only. Where it is there the environment must see it, and must keep the
# system's numpy, against which the system's camera modules were compiled.
$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "Python 3.11 or newer is needed; name it: make PYTHON=python3.11")'
	@echo "Setting up $(VENV), once; this takes a minute or a few ..."
	@rm -f $@ $@-dev
	@if $(PYTHON) -c 'import importlib.util as i, sys; sys.exit(not i.find_spec("picamera2"))'; \
	  then $(PYTHON) -m venv --clear --system-site-packages $(VENV) && $(PYTHON) -c \
	    'import numpy; print("numpy==" + numpy.__version__)' > $(VENV)/constraints.txt; \
	  else $(PYTHON) -m venv --clear $(VENV) && touch $(VENV)/constraints.txt; fi
	@$(INSTALL) --editable .
	@$(BIN)/python -c 'import cv2' 2>/dev/null || $(MAKE) --no-print-directory headless
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	@$(INSTALL) --editable '.[dev]'
	@touch $@

# The usual OpenCV wants libGL, which a machine without a display may lack. The same version
# without windows is laid over it: the files change, what pip knows to be installed stays true.
headless:
	@$(INSTALL) --no-deps --force-reinstall opencv-python-headless==$$( \
	  $(PIP) show opencv-python | sed -n 's/^Version: //p')
	@$(BIN)/python -c 'import cv2' || { echo "OpenCV does not load here (see above)." \
	  "Try: sudo apt install libgl1 libglib2.0-0, then the same command again." >&2; exit 1; }
