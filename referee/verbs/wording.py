"""In which words a game is told: the language, and what the sides are called in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from referee.announcements import LANGUAGES
from referee.announcer import Announcement
from referee.colours import parse_sides
from referee.english import ENGLISH
from referee.events import Event
from referee.journal.chain import Entry
from referee.journal.folding import profile_of
from referee.journal.shelf import load_language, load_sides
from referee.language import Language, called
from referee.profiles import Profile
from referee.settings.knobs import RulesSettings, Value


def language_of(rules: RulesSettings, profile: Profile) -> Language:
    """The language, with the sides as they are set, else as the document of the rules has them."""
    sides = parse_sides(rules.sides) if rules.sides else profile.sides
    return called(LANGUAGES[rules.language], sides)


def language_again(
    rules: RulesSettings, folder: Path, entries: Sequence[Entry], typed: Mapping[str, Value]
) -> Language:
    """The same for a kept game. What its sides were called, in which language, is before what is
    set for all games: a word that is typed must not come to mean the other player."""
    sides = typed.get("rules.sides") or load_sides(folder) or rules.sides
    noted = load_language(folder)
    known = noted if noted in LANGUAGES else rules.language
    language = str(typed.get("rules.language") or known)
    told = replace(rules, sides=str(sides) if sides else None, language=language)
    return language_of(told, profile_of(entries))


def language_kept(folder: Path, entries: Sequence[Entry], language: Language = ENGLISH) -> Language:
    """English for those who read of a kept game, or another language, with the sides as they were
    called: what is set here and now is nothing to it."""
    noted = load_sides(folder)
    return called(language, parse_sides(noted) if noted else profile_of(entries).sides)


def language_told(folder: Path, entries: Sequence[Entry]) -> Language:
    """The same of the language in which the game was told: in that its record goes on."""
    return language_kept(folder, entries, LANGUAGES.get(load_language(folder) or "", ENGLISH))


def as_json(event: Event, said: Announcement | None, aloud: bool) -> dict[str, object]:
    """An event with how it is announced, for programs."""
    return event.record() | {"said": said.text if said else None, "aloud": aloud}
