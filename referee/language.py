"""Phrases put into the words of a language. A language is data; this module fills its gaps.

What a gap is filled with depends on its name: `{side}` is a player, `{first}` the side that
begins, `{second}` the other, `{pieces}` the pieces on some squares, `{lawful}` what may be played,
`{captures}` what must be; a name that means nothing is filled as it is.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.board import Side
from referee.colours import RED_AND_WHITE, Sides
from referee.events import Phrase, Verdict
from referee.notation import WINS

MOST_MOVES = 3
"""More lawful moves than this are not read out."""


@dataclass(frozen=True)
class Language:
    """A catalogue of sentences and the words for what fills their gaps."""

    code: str
    """As people ask for it: `en`, `de`."""
    sentences: Mapping[str, tuple[str, str]]
    """By the key of a phrase: what happened, and what to do now, which may be empty."""
    consequences: Mapping[Verdict, str]
    """What follows for a player from a ruling; no entry, nothing to say."""
    words: Mapping[str, str]
    """What may fill gaps, by what it is; those of the sides and of their wins are made by
    `called`. Also how a section of rules is cited that has a name in place of a number."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """By each of `colours.COLOURS`: what a side of that colour is called."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Of what is told in an English sentence and has no phrase: that sentence, and the same in this
    language. What fills the gaps is put into words too; `{choice}` is moves with `or` between."""
    sides: Sides = RED_AND_WHITE
    """The colours of the set."""

    @property
    def names(self) -> Sides:
        """What the sides are called."""
        return self.words[Side.RED.value], self.words[Side.WHITE.value]


def called(language: Language, sides: Sides) -> Language:
    """The same language, its sides called by other colours."""
    names = {side: language.colours[colour] for side, colour in zip(Side, sides, strict=True)}
    wins = {result: language.words["wins"].format(names[side]) for side, result in WINS.items()}
    words = {side.value: name for side, name in names.items()} | wins
    return replace(language, words={**language.words, **words}, sides=sides)


def say(phrase: Phrase, language: Language) -> str:
    """A phrase in words, without a full stop where it only says what happened."""
    what, now = language.sentences[phrase[0]]
    gaps = _Gaps(phrase, language)
    return (f"{what}. {now}" if now else what).format_map(gaps)


def ruled(
    phrase: Phrase, rule: str, verdict: Verdict, side: Side | None, language: Language
) -> str:
    """A ruling in short sentences: what happened and by which rule, what follows, what to do."""
    return " ".join(_ruled(phrase, rule, verdict, side, language))


def proposed(phrase: Phrase, rule: str, verdict: Verdict, side: Side, language: Language) -> str:
    """The same of a ruling that nobody has confirmed: it must not sound as if it stood."""
    what, *then = _ruled(phrase, rule, verdict, side, language)
    sentences = language.words["proposed"].format(what), language.words["if confirmed"]
    return " ".join((*sentences, *then) if then else sentences[:1])


def _ruled(
    phrase: Phrase, rule: str, verdict: Verdict, side: Side | None, language: Language
) -> list[str]:
    what, now = language.sentences[phrase[0]]
    cited = language.words.get(rule, rule)
    gaps = _Gaps(phrase, language)
    who = _Gaps(("", f"side={side.value}"), language) if side else None
    follows = language.consequences.get(verdict, "")
    sentences = (
        (f"{what} ({cited})." if rule else f"{what}.").format_map(gaps),
        follows.format_map(who) if who else "",
        now.format_map(gaps),
    )
    return [sentence for sentence in sentences if sentence]


MOVE = re.compile(r"(?<![0-9])[0-9]{1,2}(?:-|x(?:[0-9]{1,2}x)*)[0-9]{1,2}(?![0-9])")
TELLING = re.compile(rf"(?:^|^\w+ |: )(?:{MOVE.pattern}(?:, | \w+ ))*$")
"""What is before a move that is a sentence of its own: nothing, a player, or a colon and others."""
RESULT = re.compile(r"^(1-0|0-1|1/2-1/2|\*): (.*)$")


def aloud(text: str, language: Language) -> str:
    """A text as it is to be spoken: `11 to 15` for `11-15`, `22 jumps to 15 and on to 8` for
    `22x15x8`, and who has won for `1-0`, where no sentence behind that says so itself. In the midst
    of a sentence a jump is a name as well, `without 11 to 18`."""
    words = language.words
    if (found := RESULT.match(text)) is not None:
        result, reason = found.groups()
        text = reason if reason.endswith(".") else f"{words[result]}: {reason}"
    play = words["play"].format("")  # what follows is a sentence of its own where it is a jump
    alone = f"{play.strip()}: "
    text = re.sub(rf"(: )?\b{play}(?=[0-9]+x)", lambda found: found[1] or alone, text)
    return MOVE.sub(lambda found: _spoken(found, words), text)


def _spoken(move: re.Match[str], words: Words) -> str:
    start, first, *more = re.split("[-x]", move[0])
    tells = "x" in move[0] and TELLING.search(move.string[: move.start()])
    way = words["x" if tells else "-"]
    return f" {words['x on']} ".join((f"{start} {way} {first}", *more))


def reason_in(text: str, language: Language) -> str:
    """An English sentence in a language; as it is where the language has no such sentence. Several
    in a row have semicolons between; so has one of which no part is a sentence."""
    parts = text.split("; ")
    said = [_reason(part, language) or part for part in parts]
    whole = _reason(text, language) if said == parts else None
    return whole or "; ".join(said)


def _reason(text: str, language: Language) -> str | None:
    if text in language.words:
        return language.words[text]
    for english, said in language.reasons.items():
        if found := re.fullmatch(_pattern(english), text, re.DOTALL):
            values = found.groupdict()
            if "choice" in values:
                values["choice"] = values["choice"].replace(" or ", f" {language.words['or']} ")
            gaps = {gap: _reason(value, language) or value for gap, value in values.items()}
            return said.format_map(gaps)
    return None


def _pattern(sentence: str) -> str:
    """What finds a sentence whatever fills its gaps."""
    return "".join(_parts(sentence))


def _parts(sentence: str) -> Iterator[str]:
    for literal, gap, _, _ in string.Formatter().parse(sentence):
        yield re.escape(literal) + (f"(?P<{gap}>.+?)" if gap else "")


class _Gaps(dict[str, str]):
    """The values of a phrase by the names of the gaps, in words."""

    def __init__(self, phrase: Phrase, language: Language) -> None:
        super().__init__(part.split("=", 1) for part in phrase[1:])
        self._language = language

    def __getitem__(self, gap: str) -> str:
        value = self.get(gap, "")
        if gap == "other" and "side" in self:
            value = Side(self.get("side")).other.value
        form = _FORMS.get(gap)
        return form(value, self._language.words) if form else value


Words = Mapping[str, str]


def joined(values: list[str], last: str) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    if len(values) < 2:
        return "".join(values)
    return f"{', '.join(values[:-1])} {last} {values[-1]}"


def _list(value: str) -> list[str]:
    return value.split(",") if value else []


def _player(value: str, words: Words) -> str:
    return words[value or "somebody"]


def _first(_: str, words: Words) -> str:
    return words[Side.RED.value]


def _second(_: str, words: Words) -> str:
    return words[Side.WHITE.value]


def _word(value: str, words: Words) -> str:
    return words.get(value, value)


def _listed(value: str, words: Words) -> str:
    return joined(_list(value), words["and"])


def _choice(value: str, words: Words) -> str:
    return joined(_list(value), words["or"])


def _captures(value: str, words: Words) -> str:
    """All of them, or the first few and that there are others."""
    moves = _list(value)
    few = moves if len(moves) <= MOST_MOVES else [*moves[:MOST_MOVES], words["another"]]
    return joined(few, words["or"])


def _pieces(value: str, words: Words) -> str:
    key = "pieces on" if "," in value else "piece on"
    return f"{words[key]} {_listed(value, words)}"


def _squares(value: str, words: Words) -> str:
    key = "squares" if "," in value else "square"
    return f"{words[key]} {_listed(value, words)}"


def _lawful(value: str, words: Words) -> str:
    moves = _list(value)
    few = 0 < len(moves) <= MOST_MOVES
    return words["play"].format(joined(moves, words["or"])) if few else words["make a move"]


def _nth(value: str, words: Words) -> str:
    return words[f"time {value}"]


def _minutes(value: str, words: Words) -> str:
    return words["one minute"] if value == "1" else words["minutes"].format(value)


_FORMS: dict[str, Callable[[str, Words], str]] = {
    "side": _player,
    "other": _player,
    "turn": _player,
    "first": _first,
    "second": _second,
    "piece": _word,
    "why": _word,
    "cause": _word,
    "view": _word,
    "outcome": _word,
    "listed": _listed,
    "choice": _choice,
    "captures": _captures,
    "pieces": _pieces,
    "squares": _squares,
    "lawful": _lawful,
    "nth": _nth,
    "minutes": _minutes,
}
