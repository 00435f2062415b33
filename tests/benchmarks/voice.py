"""How soon an announcement is heard: from the event to the first sample that the player hands on.

The sound card is ALSA's `file` device. The same programs started by hand are the yardstick: what
the referee adds to them is its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import numpy as np

from hardware.speech.espeak import WORDS_PER_MINUTE
from hardware.voice import Voice
from hardware.voices import open_voice
from referee.announcer import announce
from referee.board import Side
from referee.english import ENGLISH
from referee.events import Event, Played, Ruling, Verdict
from referee.speaking import Speaking, utterance
from tests.benchmarks.report import Goal, Row, Section, at_most, count
from tests.benchmarks.wanted import Wanted

TITLE = "voice"
PROGRAMS = ("espeak-ng", "aplay")
GONE_S = 5.0
"""By then nothing will be heard any more."""
POLL_S = 0.0005
HEADER = 44
"""Bytes of a WAV file before its samples."""
NEW, KEPT = at_most(1.5), at_most(0.5)
"""Of what the programs take by hand; of what a new sentence takes, or keeping it is no use."""


@dataclass
class Delays:
    """Milliseconds to the first sample, one for each sentence."""

    new_by_hand: list[float] = field(default_factory=list)
    kept_by_hand: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)
    made_again: int = 0
    """Sentences that were made again though they were kept."""


def jobs(wanted: Wanted) -> Sequence[int]:
    """How many moves and rulings are said."""
    return [wanted.repeats // 3]


def missing() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name) is None]


def measure(number: int) -> Delays | None:
    """Each sentence by hand, said for the first time and said again; None without programs."""
    if missing():
        return None
    with tempfile.TemporaryDirectory() as name:
        folder, card = Path(name), Path(name, "card.wav")
        settings = folder / "asound.conf"
        settings.write_text(
            f'pcm.!default {{ type file file "{card}" format "wav" slave.pcm {{ type null }} }}\n'
        )
        # Without a session there is no PipeWire, whose player cannot be measured like this.
        elsewhere = {"ALSA_CONFIG_PATH": str(settings), "XDG_RUNTIME_DIR": str(folder)}
        with patch.dict(os.environ, elsewhere):
            return _measured(number, folder, card)


def _measured(number: int, folder: Path, card: Path) -> Delays:
    delays, cache = Delays(), folder / "cache"
    voice = open_voice(_fail, cache=cache)
    for event in _events(number):
        made_ms, played_ms = _by_hand(event, folder / "words.wav", card)
        delays.new_by_hand.append(made_ms + played_ms)
        delays.kept_by_hand.append(played_ms)
        delays.new.append(_said(voice, event, card))
        known = set(cache.iterdir())
        delays.kept.append(_said(voice, event, card))
        delays.made_again += set(cache.iterdir()) != known
    voice.close()
    return delays


def _events(number: int) -> Iterator[Event]:
    """Moves and rulings in turn."""
    for square in range(1, number + 1):
        yield Played(0, Side.RED, f"{square}-{square + 4}", "")
        said = ("wrong_turn", "turn=white", "piece=man", f"start={square}")
        yield Ruling(0, Verdict.WARNING, Side.RED, "WCDF 4.7", "", 0, said)


def _by_hand(event: Event, path: Path, card: Path) -> tuple[float, float]:
    """Milliseconds to make the words, and from a file of words to the first sample."""
    said = announce(event)
    assert said is not None
    begin_s = time.perf_counter()
    words = utterance(said, ENGLISH).words
    pace = ["-v", "en", "-s", str(WORDS_PER_MINUTE)]
    subprocess.run(["espeak-ng", *pace, "-w", str(path), words], check=True)
    made_ms = (time.perf_counter() - begin_s) * 1000
    players: list[subprocess.Popen[bytes]] = []
    played_ms = _heard_ms(
        card, lambda: players.append(subprocess.Popen(["aplay", "-q", str(path)]))
    )
    players[0].wait()
    return made_ms, played_ms


def _said(voice: Voice, event: Event, card: Path) -> float:
    speaking = Speaking(voice, ENGLISH)

    def happens() -> None:
        speaking.hear(event, announce(event))
        speaking.go_on(event.time_ms)

    delay_ms = _heard_ms(card, happens)
    voice.wait()
    return delay_ms


def _heard_ms(card: Path, work: Callable[[], object]) -> float:
    """Until the first samples are in the file that is the sound card."""
    card.unlink(missing_ok=True)
    begin_s = time.perf_counter()
    work()
    while time.perf_counter() - begin_s < GONE_S:
        if card.exists() and card.stat().st_size > HEADER:
            return (time.perf_counter() - begin_s) * 1000
        time.sleep(POLL_S)
    raise RuntimeError("nothing was heard")


def _fail(sentence: str) -> None:
    raise RuntimeError(sentence)


def sections(results: Iterable[Delays | None]) -> list[Section]:
    """Ratios with their milliseconds."""
    (delays,) = results
    title = "From an event to the first sample that the player hands on"
    if delays is None:
        on = f"{' and '.join(missing())} not installed"
        rows = [
            Row("a new sentence", on, None, "times", NEW),
            Row("a kept sentence", on, None, "times", KEPT),
        ]
        return [Section(title, rows)]
    new = _row("a new sentence", delays.new, "espeak-ng, then aplay", delays.new_by_hand, NEW)
    kept = _row("a kept sentence", delays.kept, "a new one", delays.new, KEPT)
    number, on = len(delays.kept), "moves and rulings"
    again = count("kept sentences made again", on, delays.made_again, number, at_most(0))
    note = f"aplay by hand takes {np.median(delays.kept_by_hand):.0f} ms of each."
    return [Section(title, [new, kept, again], [note])]


def _row(what: str, values: list[float], peer: str, others: list[float], goal: Goal) -> Row:
    ms, base = float(np.median(values)), float(np.median(others))
    on = f"{len(values)} moves and rulings"
    return Row(what, on, ms / base, "times", goal, f"{ms:.0f} ms", f"{peer}: {base:.0f} ms = 1")
