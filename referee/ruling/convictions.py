"""What is counted against a player, or proposed to be, and what takes that back."""

from __future__ import annotations

from dataclasses import replace

from referee.announcements import in_words
from referee.arbiter import Arbiter, Claim, Conviction, Judged, ruled
from referee.board import Side, only
from referee.events import Conduct, Corrected, Phrase, Proposed, Verdict
from referee.profiles import Offence

TAKES_BACK = (Conduct.TOUCHED_OTHER, Conduct.OTHER_PIECE_PLAYED)
"""The offences whose move is taken back when the ruling stands, if nobody has answered it."""


def convicted(
    arbiter: Arbiter, offence: Offence, conviction: Conviction, evidence: int
) -> tuple[Arbiter, Verdict]:
    """Count an offence; the other player may claim a game that is forfeited. `evidence` is the
    number of the event that shows it: with all that his disorder shows it is one act. Nobody
    forfeits for what he did before he was warned (4.3, 4.6)."""
    if not _is_counted(offence):
        return arbiter, offence.verdict(1)
    side, former = conviction.side, arbiter.counted
    known = arbiter.count(side, offence.group, evidence)
    arbiter = replace(arbiter, convictions=(*arbiter.convictions, conviction), lately=(conviction,))
    if evidence in arbiter.disorder:
        act = (*(each for each in former if each.side is side), conviction)
        arbiter = replace(arbiter, counted=(*former, conviction), lately=act)
    verdict = offence.verdict(known if conviction.again else known + 1)
    if verdict is not Verdict.FORFEIT or conviction.again:
        return arbiter, verdict
    made = len(arbiter.history.plies)
    claim = Claim(side.other, True, arbiter.profile.forfeited, conviction, made)
    return replace(arbiter, claims=(*arbiter.claims, claim)), verdict


def _is_counted(offence: Offence) -> bool:
    """Whether an offence ever has a worse consequence than a word."""
    return not {Verdict.WARNING, Verdict.FORFEIT}.isdisjoint(offence.verdicts)


def charge(
    arbiter: Arbiter, conduct: Conduct, side: Side, said: Phrase, time_ms: int, number: int
) -> Judged:
    """Propose a ruling, or make it where the profile asks nobody."""
    offence = arbiter.profile.conduct.get(conduct)
    if offence is None:
        return arbiter, ()
    verdict = offence.verdict(arbiter.count(side, offence.group, number) + 1)
    if arbiter.profile.proposes and verdict is not Verdict.NOTICE:
        proposed = Proposed(time_ms, conduct, verdict, side, offence.rule, "", said, number)
        return arbiter, (replace(proposed, text=in_words(proposed)),)
    conviction = Conviction(side, offence.group, number, told=number)
    arbiter, verdict = convicted(arbiter, offence, conviction, number)
    return arbiter, (ruled(time_ms, verdict, side, offence.rule, said, number),)


def in_order(arbiter: Arbiter) -> Arbiter:
    """The arbiter once the board is in order again: the next offence is a new one, and nobody
    refuses any more to put it right."""
    proposals = tuple(p for p in arbiter.proposals if p.conduct is not Conduct.NOT_PUT_RIGHT)
    return replace(arbiter, disorder=(), counted=(), warned=None, proposals=proposals)


def forgiven(arbiter: Arbiter) -> Arbiter:
    """The arbiter after a person put right the record, or let the board stand, and so what has been
    counted for that. What was counted before it was last in order has nothing to do with it, nor
    what the other player has done since."""
    return _forgiven(arbiter, arbiter.counted)


def overruled(arbiter: Arbiter) -> Arbiter:
    """The arbiter after a person overruled the last act that was counted, and what followed."""
    return _forgiven(arbiter, arbiter.lately)


def regained(before: Arbiter, since: Arbiter) -> Arbiter:
    """The arbiter as he was before a position was set that is taken back. What has been counted or
    overruled since, whose offers were declined, and what count was asked for, has nothing to do
    with that."""
    kept = forgiven(before).convictions
    gone = [each for each in kept if each not in since.convictions]
    new = tuple(each for each in since.convictions if each not in kept)
    made = len(before.history.plies)
    claims = (replace(c, since=made) for c in since.claims if c.offence in new)
    return replace(
        before,
        convictions=(*(c for c in before.convictions if c not in gone), *new),
        claims=(*(c for c in before.claims if c.offence not in gone), *claims),
        lately=since.lately or before.lately,
        overtime=since.overtime,
        declined=before.declined | since.declined,
        tally=before.tally or (since.tally and replace(since.tally, since=made)),
    )


def _forgiven(arbiter: Arbiter, offences: tuple[Conviction, ...]) -> Arbiter:
    proposals = tuple(p for p in arbiter.proposals if p.cause not in arbiter.disorder)
    return replace(
        in_order(replace(arbiter, proposals=proposals)),
        convictions=tuple(each for each in arbiter.convictions if each not in offences),
        claims=tuple(each for each in arbiter.claims if each.offence not in offences),
        lately=tuple(each for each in arbiter.lately if each not in offences),
        retracted=None,
    )


def quashed(before: Arbiter, now: Arbiter, event: Corrected) -> Corrected:
    """A correction that tells which rulings do not stand any more, and against whom they were."""
    gone = [each for each in before.convictions if each not in now.convictions]
    against = only({each.side for each in gone})
    return replace(event, overruled=tuple(each.number for each in gone), against=against)


def proposed(arbiter: Arbiter, event: Proposed) -> Arbiter:
    """The arbiter that waits for what a person says to a proposal."""
    return replace(arbiter, proposals=(*arbiter.proposals, event))


def proposal(arbiter: Arbiter, text: str) -> Proposed | None:
    """The proposal with a number, or the latest."""
    fitting = (p for p in reversed(arbiter.proposals) if text in ("", str(p.number)))
    return next(fitting, None)


def dismissed(arbiter: Arbiter, event: Proposed) -> Arbiter:
    """The arbiter after a proposal was dropped, or became a ruling. With one about a touch that
    cannot be played the play begins anew (4.3)."""
    proposals = tuple(p for p in arbiter.proposals if p != event)
    arbiter = replace(arbiter, proposals=proposals)
    if arbiter.misplayed != event.cause:
        return arbiter
    first = arbiter.contact
    anew = first is None or first.number == event.cause
    return replace(arbiter, misplayed=None, contact=None if anew else first)


def takes_back(arbiter: Arbiter, event: Proposed) -> bool:
    """Whether the last move is taken back when the ruling stands. One that was answered is not."""
    return 0 < event.ply == len(arbiter.history.plies)


def outlasting(arbiter: Arbiter) -> tuple[Proposed, ...]:
    """The proposals of which something follows still when the last move is answered."""
    return tuple(p for p in arbiter.proposals if p.verdict is not Verdict.RESTORE)


def renewed(arbiter: Arbiter, event: Proposed) -> Proposed:
    """A proposal with the verdict that would follow by now."""
    offence = arbiter.profile.conduct[event.conduct]
    verdict = offence.verdict(arbiter.count(event.side, offence.group, event.cause) + 1)
    if verdict is event.verdict:
        return event
    now = replace(event, verdict=verdict, phrase=_said_now(arbiter, event))
    return replace(now, text=in_words(now))


def _said_now(arbiter: Arbiter, event: Proposed) -> Phrase:
    """What a proposal says by now: a move that was answered has not to be taken back."""
    if event.conduct not in TAKES_BACK or takes_back(arbiter, event):
        return event.phrase
    return (f"{event.conduct.value}_only", *event.phrase[1:])


def without_order(said: Phrase) -> Phrase:
    """What a player has done, without what he is to do: that is past, or has been told."""
    key, *rest = said
    return (f"{key}_only", *rest) if key in _ORDERING else said


_ORDERING = {
    conduct.value
    for conduct in (Conduct.TOUCHED_UNPLAYABLE, Conduct.TOUCHED_OFF_TURN, Conduct.HAND_LINGERING)
}
"""The conduct of which a player is told what to do at once."""


def confirmed(arbiter: Arbiter, event: Proposed, time_ms: int, number: int) -> Judged:
    """The ruling that was proposed, with what follows by now."""
    offence = arbiter.profile.conduct[event.conduct]
    conviction = Conviction(event.side, offence.group, event.number, told=number)
    said = _said_now(arbiter, event)
    arbiter = dismissed(arbiter, event)
    arbiter, verdict = convicted(arbiter, offence, conviction, event.cause)
    return arbiter, (ruled(time_ms, verdict, event.side, event.rule, said, event.number),)
