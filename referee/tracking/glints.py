"""Light cells on which sun, or a lamp, now and then looks like a disc.

People bring discs, and take them away. What comes where no hand has been, or goes so, is light; and
so, for a while, is what looks alike there, though a hand has passed and a piece beside is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.observation import LooseDisc
from referee.tracking.loose import misses_one, was_near
from referee.tracking.memory import Tracker, noted
from referee.tracking.notes import Loose

PLAYS_MS = 300_000
"""For so long a cell is not trusted on which light has looked like a disc [which came or went with
no hand near 24 times in a film below a blind, 34 times in one below leaves, and four times at most
in 24 others]."""
LATEST_MS = 300
"""A hand that takes a disc is beside it by so long before it is last seen, at the latest."""


def mind_glints(tracker: Tracker, before: tuple[Loose, ...]) -> Tracker:
    """Leave out what is light, among the discs that seem to lie loose now and lay `before`."""
    if not (before or tracker.loose):
        return tracker
    known = dict(tracker.glints)
    known |= dict.fromkeys(_glints(tracker, before), tracker.now)
    glints = tuple((disc, ms) for disc, ms in known.items() if tracker.now - ms < PLAYS_MS)
    discs = dict(glints)
    left = tuple(loose for loose in tracker.loose if loose.disc not in discs)
    return noted(tracker, glints=glints, loose=left)


def _glints(tracker: Tracker, before: tuple[Loose, ...]) -> Iterator[LooseDisc]:
    """What has come, or gone, with no hand near, while no piece was missing that it might be."""
    seen, lay = ({loose.disc for loose in some} for some in (tracker.loose, before))
    for loose in (*tracker.loose, *before):
        if loose.square is not None or loose.disc.astride:
            continue
        came = loose.disc not in lay and not loose.brought
        since_ms = loose.seen_ms - LATEST_MS
        went = loose.disc not in seen and not was_near(loose.disc, tracker.sight, since_ms)
        if (came or went) and not misses_one(tracker, loose.disc.side):
            yield loose.disc
