"""The benchmark draws what nothing else has drawn, not even another group of its own."""

from __future__ import annotations

from itertools import pairwise

from tests.benchmarks.cases import FRESH
from tests.benchmarks.groups import GROUPS

ROOM = 100_000
"""More seeds than any group takes, those of hands and of changed boards among them."""


def test_no_two_groups_draw_from_the_same_seeds() -> None:
    firsts = [vars(group)["FIRST"] for group in GROUPS.values() if "FIRST" in vars(group)]
    seeds = sorted([FRESH, *firsts])
    assert [pair for pair in pairwise(seeds) if pair[1] - pair[0] < ROOM] == []
