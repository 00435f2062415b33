"""What players may claim."""

from __future__ import annotations

from dataclasses import replace

from referee.arbiter import Arbiter, Claim
from referee.board import Side
from referee.events import Verdict
from referee.profiles import Repetition
from referee.ruling.draws import tallied


def open_claims(arbiter: Arbiter) -> tuple[Claim, ...]:
    """All that may be claimed now: forfeits, and draws while the position stands."""
    standing = (claim for claim in arbiter.claims if claim.waived is None)
    return (*standing, *_draw_claims(arbiter))


def _draw_claims(arbiter: Arbiter) -> list[Claim]:
    profile, claims = arbiter.profile, []
    repetition, progress, count = profile.repetition, profile.no_progress, profile.count
    history = arbiter.history
    if repetition and _claimable(repetition, history.times()):
        claims.append(Claim(None, False, repetition.rule))
    if progress and history.idle() >= 2 * progress.moves:
        claims.append(Claim(None, False, progress.rule))
    if count and arbiter.tally and tallied(arbiter) >= count.moves:
        claims.append(Claim(arbiter.tally.claimant, False, count.rule))
    return claims


def _claimable(rule: Repetition, times: int) -> bool:
    """Whether a draw may be claimed; the verdict of the most times stands for all further."""
    verdict = rule.verdicts.get(min(times, max(rule.verdicts)))
    return verdict is Verdict.DRAW_CLAIMABLE


def claim(arbiter: Arbiter, side: Side | None, over: bool = False) -> Claim | str:
    """What a player may claim, a win before a draw; or why nothing. Nobody need say who he is where
    one of them alone has something to claim, or both the same. When the game is `over` it can be
    drawn no more."""
    wanted = [c for c in open_claims(arbiter) if c.wins or not over]
    best = [
        next((c for c in wanted if c.side in (None, player)), None)
        for player in ((side,) if side else Side)
    ]
    found = {c for c in best if c is not None}
    if not found:
        return "nothing_to_claim"
    return "claim_of_whom" if len(found) > 1 else found.pop()


def claimed_for(arbiter: Arbiter, claim: Claim) -> Arbiter:
    """The arbiter after a game was claimed for an offence: that is what can be overruled now."""
    if claim.offence is None or claim.offence in arbiter.lately:
        return arbiter
    return replace(arbiter, lately=(claim.offence,))
