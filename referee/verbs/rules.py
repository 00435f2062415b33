"""`referee rules`: a rules profile as tables."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from rich.table import Table

from referee.english import ENGLISH
from referee.events import Conduct, Irregularity, Verdict
from referee.profiles import PROFILES, WCDF, Aloud, Case, Offence, Profile
from referee.verbs import terminal

Row = tuple[str, str, str]
"""A matter, its rule, and what the profile says of it."""
FOLLOWS = {
    Verdict.NOTICE: "said",
    Verdict.RESTORE: "put right",
    Verdict.FORFEIT: "may be claimed",
}
"""What people read of a verdict whose name does not say what it demands."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "profile",
        metavar="PROFILE",
        nargs="?",
        choices=PROFILES,
        default=WCDF.name,
        help=f"one of {', '.join(PROFILES)} (default {WCDF.name})",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per row")


def run(options: argparse.Namespace) -> int:
    profile = PROFILES[options.profile]
    if options.json:
        for line in records(profile):
            terminal.emit(line)
    else:
        _show(profile)
    return 0


def offences(profile: Profile) -> Iterator[tuple[str, Offence, bool]]:
    """Every offence, and whether a person has to confirm the ruling on it."""
    yield from ((kind.value, offence, False) for kind, offence in profile.offences.items())
    yield from (
        (kind.value, offence, profile.proposes and offence.verdicts != (Verdict.NOTICE,))
        for kind, offence in profile.conduct.items()
    )


def records(profile: Profile) -> list[dict[str, object]]:
    """An offence each: what it is, where that is written and what follows each time. Then every
    other matter, with what the profile says of it."""
    by_offence = [
        {
            "profile": profile.name,
            "offence": name,
            "rule": offence.rule,
            **{case.value: rule for case, rule in offence.elsewhere.items()},
            "verdicts": [verdict.value for verdict in offence.verdicts],
            "counted_with": offence.group,
            "proposed": proposed,
        }
        for name, offence, proposed in offences(profile)
    ]
    return by_offence + [
        {"profile": profile.name, "matter": matter, "rule": rule, "setting": setting}
        for matter, rule, setting in settings(profile)
    ]


def settings(profile: Profile) -> Iterator[Row]:
    """Draws, ends, time and what is said, a row each; a matter without a rule is left out."""
    yield from _ends(profile)
    yield from _draws(profile)
    yield from _clocks(profile)
    lingering = profile.conduct.get(Conduct.HAND_LINGERING)
    if lingering:
        seconds = f"{profile.lingering_ms / 1_000:g} seconds at most"
        yield "hand on the moved piece", lingering.rule, seconds
    missing = profile.offences[Irregularity.PIECE_REMOVED]
    seconds = f"missing after {profile.thinking_ms / 1_000:g} seconds beside the board"
    yield "piece in its player's hand", missing.rule, seconds
    refusal = profile.conduct.get(Conduct.NOT_PUT_RIGHT)
    if refusal:
        seconds = f"within {profile.patience_ms / 1_000:g} seconds"
        yield "putting the board right", refusal.rule, seconds
    crowning = "before the reply" if profile.crown_first else "at any time; called for at the reply"
    yield "crowning", profile.offences[Irregularity.CROWN_MISSING].rule, crowning
    first, second = (ENGLISH.colours[colour] for colour in profile.sides)
    yield "sides", "", f"{first} begins, {second} replies"
    if profile.colours:
        yield "colours", profile.colours, "change after each game"
    if profile.lesson:
        yield "lesson", profile.lesson.capture, "captures are told before the move"
        yield "lesson", profile.lesson.step, "where a touched piece may go is told"
        yield "lesson", profile.lesson.kings_step, "the same of a king"
        yield "lesson", "", "a capture of several pieces is praised, if there was another move"
        yield "lesson", profile.lesson.crown, "crowning is called for"
        seconds = f"{profile.patience_ms / 1_000:g} seconds"
        yield "lesson", "", f"what is to be put right is told again after {seconds}"
    said = [kind.value for kind in Aloud if kind in profile.aloud]
    yield "said at the board", "", ", ".join(said)


def _ends(profile: Profile) -> Iterator[Row]:
    yield "no move left", profile.lost, "lost at once"
    yield "resignation", profile.resigned, "lost"
    if profile.forfeited:
        yield "forfeit", profile.forfeited, "claimed by the other player"


def _draws(profile: Profile) -> Iterator[Row]:
    yield "agreement", profile.agreed, "drawn"
    if profile.repetition:
        for times, verdict in profile.repetition.verdicts.items():
            yield f"the same position {times} times", profile.repetition.rule, _demand(verdict)
    if profile.no_progress:
        progress = profile.no_progress
        matter = f"{progress.moves} moves each without capture, crowning"
        yield matter, progress.rule, "draw claimable"
    if profile.count:
        count = profile.count
        setting = "draw claimable; again from the start after a capture, a man's move, progress"
        yield f"count of {count.moves} moves on request", count.rule, setting
        yield "count after a stronger position", count.over_rule, "over; may be asked for again"


def _clocks(profile: Profile) -> Iterator[Row]:
    time = profile.time
    if time is None:
        return
    after = {Verdict.WIN: "lost at once", Verdict.FORFEIT: "may be claimed"}
    ends = after.get(time.verdict, "announced only")
    yield "time for a move", time.per_move, f"{time.usual or 'when set'}: {ends}"
    if time.exceeded:
        yield "more than that for a move", time.exceeded, ends
    grace = "as set" if time.grace else "if set; the document knows none"
    yield "grace", time.grace, grace
    yield "a capture with one way only", time.single, "a minute" if time.single else "as any move"
    yield "moves in a time", time.period, f"when set: {ends}"


def _word(value: Verdict | Case) -> str:
    return str(value.value).replace("_", " ")


def _demand(verdict: Verdict) -> str:
    return FOLLOWS.get(verdict, _word(verdict))


def _show(profile: Profile) -> None:
    counts = any(len(offence.verdicts) > 1 for _, offence, _ in offences(profile))
    times = ["First time", "Then", "Counted as"] if counts else ["Each time"]
    table = Table("Offence", "Rule", *times, title=profile.title)
    for name, offence, proposed in offences(profile):
        first, *then = map(_demand, offence.verdicts)
        mark = " *" if proposed else ""
        places = (f"{_word(case)} {rule or '–'}" for case, rule in offence.elsewhere.items())
        rule = ", ".join((offence.rule or "–", *places))
        later = [", ".join(then), offence.group] if then else ["the same", ""]
        table.add_row(name.replace("_", " ") + mark, rule, first, *(later if counts else []))
    other = Table("Matter", "Rule", "What holds")
    for row in settings(profile):
        other.add_row(*row)
    console = terminal.report()
    console.print(table, other, sep="\n")
    if counts:
        console.print(
            "Offences that are counted as one kind are counted together, for each player."
        )
        console.print("may be claimed: the other player may claim the game")
    if any(proposed for *_, proposed in offences(profile)):
        console.print("* proposed: a person confirms or dismisses it")
