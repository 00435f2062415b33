"""What keeps each fault from doing harm, taken out: the torture must find that out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

from calibration.saved import Calibration
from hardware.camera import Frame
from referee import watching
from referee.events import Event
from referee.eye.eye import Eye
from referee.journal import copies, salvage
from referee.journal.chain import Entry
from referee.journal.journal import Journal
from referee.journal.recorder import Recorder
from referee.observation import Observation


@contextmanager
def without(*patches: Any) -> Iterator[None]:
    """With some things replaced."""
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        yield


def _announce_first() -> Any:
    """Announce what happened, and write it down some time."""

    def released(self: Recorder, now_ms: int) -> tuple[Event, ...]:
        events, self._held = tuple(self._held), []
        if len(self._waiting) > 50:
            self._try()
        return events

    return without(
        mock.patch.object(Recorder, "_released", released),
        mock.patch("referee.journal.recorder.LAST_TRIES", 0),
    )


def _flush_nothing() -> Any:
    """Leave it to the system when what was written reaches the disk."""
    return without(
        mock.patch.object(copies, "SYNCHRONOUS", "NORMAL"),
        mock.patch("referee.journal.copies.os.fdatasync"),
    )


def _one_copy() -> Any:
    """Believe the database alone."""
    joined = salvage._joined

    def alone(first: salvage.Copy, second: salvage.Copy) -> tuple[list[Entry], list[str]]:
        return joined(first, first)

    return without(mock.patch.object(salvage, "_joined", alone))


def _give_up() -> Any:
    """Try to write once only."""

    def once(self: Recorder) -> str:
        entry = self._waiting.popleft()
        try:
            self._journal.append(*entry)
        except Exception:
            self._journal._unsettled = None
        return ""

    return without(mock.patch.object(Recorder, "_try", once))


def _believe_the_clock() -> Any:
    return without(mock.patch.object(Journal, "_jump", return_value={}))


def _look_at_the_last_picture() -> Any:
    """Take the last picture for a new one when there is none."""
    usual = watching._seen

    def seen(eye: Eye, frame: Frame, calibration: Calibration) -> Observation:
        return usual(eye, replace(frame, blind=""), calibration)

    return without(mock.patch.object(watching, "_seen", seen))


def _forget_to_close() -> Any:
    return without(mock.patch.object(Journal, "close"))


def _no_copy() -> Any:
    """Believe what is left of a file, and keep no other."""
    return without(
        mock.patch("referee.settings.last_good._copy", return_value=None),
        mock.patch("calibration.saved._sum", return_value="none"),
    )


UNCURED: dict[str, Callable[[], Any]] = {
    "kills": _announce_first,
    "powercuts": _flush_nothing,
    "damages": _one_copy,
    "full_disks": _give_up,
    "clocks": _believe_the_clock,
    "cameras": _look_at_the_last_picture,
    "soak": _forget_to_close,
    "starts": _no_copy,
}
