"""The sets of pictures and films as data: names, seeds, how many, and what is kept aside.

Every third file of each kind is kept aside: never tune on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sample_images.invent import INCIDENTS, Manner, invented_game, invented_incident, varied
from sample_images.play import SCRIPTS

HERE = Path(__file__).parent
MADE = HERE / "made"
ASIDE = 3
ASIDE_TOO = {"game_kitchen", "turns_and_crowns"}
"""Scripts that are kept aside although it is not their turn."""
STILLS, INCIDENT_FILMS, GAME_FILMS = "stills", "incidents", "games"


@dataclass(frozen=True)
class Still:
    """One drawn picture."""

    folder: str
    """In the set's own folder; empty for that itself."""
    seed: int
    longest: int
    """The longer side in pixels, at most."""
    kept_aside: bool

    kind = STILLS

    @property
    def file(self) -> str:
        return str(Path(self.folder) / f"{self.seed}.jpg")


@dataclass(frozen=True)
class Film:
    """One drawn film."""

    file: str
    """In the set's own folder, as are its truth, its record and, if it is told, its script."""
    kind: str
    """`INCIDENT_FILMS` or `GAME_FILMS`."""
    source: str
    """`script NAME`, `varied NAME`, `incident VERB` or `game`."""
    seed: int
    """0 for the one in the script."""
    manner: Manner
    kept_aside: bool

    @property
    def is_shipped(self) -> bool:
        """Whether its script is one of those that come with the package, as it is."""
        return self.source.startswith("script ")

    def text(self) -> str:
        """The script."""
        kind, _, name = self.source.partition(" ")
        if kind == "game":
            return invented_game(self.seed, self.manner)
        if kind == "incident":
            return invented_incident(self.seed, name, self.manner)
        text = (SCRIPTS / f"{name}.script").read_text(encoding="utf-8")
        return varied(text, self.seed, self.manner) if kind == "varied" else text


@dataclass(frozen=True)
class Traced:
    """Path-traced stills, made one after the other by `sample_images.render`."""

    folder: str
    truth: str
    first: int
    """Seed of the first one."""
    count: int


@dataclass(frozen=True)
class Set:
    """All files of a set."""

    root: Path
    items: tuple[Still | Film, ...]
    traced: Traced | None = None


def _stills(folder: str, first: int, count: int, longest: int) -> Iterable[Still]:
    for seed in range(first, first + count):
        yield Still(folder, seed, longest, seed % ASIDE == 0)


def _shipped(folder: str, kind: str, scripts: Sequence[str]) -> Iterable[Film]:
    for number, name in enumerate(scripts):
        file = str(Path(folder) / f"{name}.mp4")
        kept_aside = number % ASIDE == ASIDE - 1 or name in ASIDE_TOO
        yield Film(file, kind, f"script {name}", 0, Manner(), kept_aside)


def _invented(kind: str, sources: Sequence[str], first: int, manner: Manner) -> Iterable[Film]:
    for number, source in enumerate(sources):
        seed = first + number
        name = source.replace(" ", "-").removeprefix("incident-").removeprefix("varied-")
        file = f"{kind}/{seed}-{name}.mp4"
        yield Film(file, kind, source, seed, manner, number % ASIDE == ASIDE - 1)


# --- What there is -------------------------------------------------------------------------

STANDARD_INCIDENTS = (
    "capture_missed", "bump", "crown_missing", "leaning", "capture_unfinished", "wrong_turn",
    "own_piece_removed", "two_plies_in_a_second", "off_square", "touched", "upset", "covered",
)  # fmt: skip
STANDARD_GAMES = ("game_hall", "game_kitchen")
MEDLEYS = (
    "captures_gone_wrong", "knocked_camera", "off_the_square", "pieces_come_and_go",
    "quick_hands", "turns_and_crowns", "both_at_the_board",
)  # fmt: skip
"""Scripts with several incidents."""
WHOLE = ("demo", "short_game", *STANDARD_GAMES)
SINGLE = tuple(
    sorted(path.stem for path in SCRIPTS.glob("*.script") if path.stem not in (*WHOLE, *MEDLEYS))
)
"""Scripts with one incident, named after it."""
SHOWN, BRISK = Manner(), Manner((640, 480), 5, (1.8, 2.4))
"""As cameras and players are; and small, at few frames and with quick hands, to be made soon."""


def _standard() -> Set:
    return Set(
        HERE / "standard",
        (
            *_stills("", 9000, 24, 1280),
            *_shipped("incidents", INCIDENT_FILMS, STANDARD_INCIDENTS),
            *_shipped("games", GAME_FILMS, STANDARD_GAMES),
        ),
        Traced("", "rendered.truth.json", 100_000, 36),
    )


def _drawn() -> Set:
    kinds = tuple(INCIDENTS)
    incidents = [f"incident {kinds[i % len(kinds)]}" for i in range(200)]
    return Set(
        MADE / "drawn",
        (
            *_stills("stills", 20_000, 400, 1024),
            *_invented(INCIDENT_FILMS, incidents, 30_000, BRISK),
            *_invented(GAME_FILMS, ["game"] * 100, 50_000, BRISK),
        ),
    )


def _large() -> Set:
    incidents = [f"varied {name}" for name in (*SINGLE, *MEDLEYS)]
    return Set(
        MADE / "large",
        (
            *_stills("stills", 60_000, 300, 1920),
            *_invented(INCIDENT_FILMS, incidents, 70_000, SHOWN),
            *_invented(GAME_FILMS, ["game"] * 8, 80_000, SHOWN),
        ),
        Traced("traced", "truth.json", 200_000, 80),
    )


def sets() -> dict[str, Set]:
    """Every set by its name."""
    scripts = _shipped("", INCIDENT_FILMS, (*SINGLE, *MEDLEYS))
    return {
        "demo": Set(HERE, tuple(_shipped("", GAME_FILMS, ("demo",)))),
        "standard": _standard(),
        "drawn": _drawn(),
        "large": _large(),
        "scripts": Set(MADE / "scripts", tuple(scripts)),
    }
