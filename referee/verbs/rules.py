"""`referee rules`: a rules profile as a table."""

from __future__ import annotations

import argparse

from rich.table import Table

from referee.profiles import PROFILES, WCDF, Profile
from referee.verbs import terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "profile",
        metavar="PROFILE",
        nargs="?",
        choices=PROFILES,
        default=WCDF.name,
        help=f"one of {', '.join(PROFILES)} (default {WCDF.name})",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per offence")


def run(options: argparse.Namespace) -> int:
    profile = PROFILES[options.profile]
    if options.json:
        for line in records(profile):
            terminal.emit(line)
    else:
        _show(profile)
    return 0


def records(profile: Profile) -> list[dict[str, object]]:
    """An offence each: what it is, where that is written and what follows each time."""
    return [
        {
            "profile": profile.name,
            "offence": kind.value,
            "rule": offence.rule,
            "verdicts": [verdict.value for verdict in offence.verdicts],
        }
        for kind, offence in profile.offences.items()
    ]


def _show(profile: Profile) -> None:
    table = Table("Offence", "Rule", "First time", "Then", title=profile.title)
    for kind, offence in profile.offences.items():
        words = [verdict.value.replace("_", " ") for verdict in offence.verdicts]
        name = kind.value.replace("_", " ")
        table.add_row(name, offence.rule, words[0], ", ".join(words[1:]) or "the same")
    terminal.console().print(table)
