"""Positions, moves and games as text: FEN and PDN for English draughts (GameType 21).

Only here is Red called B: "Black" in PDN is the side that moves first, whatever the discs look
like, and the result 1-0 is its win. Writers are strict, readers forgive what is found in real
files. Sources: Portable Draughts Notation 2.0 (2003) and 3.0.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from referee.board import EMPTY, SQUARES, Side, is_king, replace
from referee.errors import AmbiguousMove, IllegalMove, NotationError, RefereeError
from referee.rules import Line, Move, Position, after, lawful_moves, play, refusal

LETTERS = {Side.WHITE: "W", Side.RED: "B"}
PLAYER_TAGS = {Side.RED: "Black", Side.WHITE: "White"}
"""The tags that name the players."""

WINS = {Side.RED: "1-0", Side.WHITE: "0-1"}
DRAW = "1/2-1/2"
BOTH_LOST = "0-0"
UNFINISHED = "*"
RESULTS = (*WINS.values(), DRAW, BOTH_LOST, UNFINISHED)

GAME_TYPE = "21"
TAG_ORDER = ("Event", "Date", "Black", "White", "Site", "Result", "Round", "GameType")
"""The order usual in English files; it has no meaning."""
UNKNOWN = "?"
"""The value of a tag that nobody has told."""
LINE_LENGTH = 80


# --- FEN ------------------------------------------------------------------------------------


def fen(position: Position) -> str:
    """A position as FEN, such as `B:W21,22,K23:B1,K2`: White's list first, squares ascending."""
    lists = (f"{letter}{_piece_list(position, side)}" for side, letter in LETTERS.items())
    return ":".join((LETTERS[position.turn], *lists))


def _piece_list(position: Position, side: Side) -> str:
    return ",".join(
        f"K{square}" if is_king(appearance) else str(square)
        for square, appearance in enumerate(position.setup, start=1)
        if side.owns(appearance)
    )


def parse_fen(text: str) -> Position:
    """Read a FEN; NotationError with every problem.

    Takes ranges, either order, any case, blanks, quotes, a whole FEN tag, a final full stop
    and a side without pieces.
    """
    head, *lists = text.upper().strip(" \t\r\n\"'[].").split(":")
    problems: list[str] = []
    turn = _turn(head, problems)
    setup = _setup(lists, problems)
    position = Position(setup, turn)
    problems += position.problems()
    if problems:
        raise NotationError(*problems)
    return position


def is_fen(text: str) -> bool:
    """Whether a text can only be meant for a FEN: behind the letter of a side stands a colon, which
    in a move stands behind a square."""
    return re.search(r"[^\W\d_]\s*:", text) is not None


def _turn(head: str, problems: list[str]) -> Side:
    """The side named by the last word before the first colon."""
    words = re.findall(r"[^\W\d_]+", head)
    side = _side(words[-1] if words else "")
    if side is None:
        problems.append(f"the side to move is W or B, not {head!r}")
    return side or Side.RED


def _side(letter: str) -> Side | None:
    return next((side for side, known in LETTERS.items() if known == letter), None)


def _setup(lists: list[str], problems: list[str]) -> str:
    pieces: dict[int, str] = {}
    named: list[Side] = []
    for text in map(str.strip, lists):
        side = _side(text[:1])
        if side is None:
            problems.append(f"a list of pieces begins with W or B, not {text!r}")
            continue
        named.append(side)
        for square, appearance in _pieces(text[1:], side, problems):
            if square in pieces:
                problems.append(f"square {square} is named twice")
            pieces[square] = appearance
    problems += _list_problems(named)
    return replace(EMPTY * len(SQUARES), pieces)


def _list_problems(named: list[Side]) -> Iterator[str]:
    for side, letter in LETTERS.items():
        if named.count(side) != 1:
            yield f"{named.count(side)} lists of pieces for {letter}, one is needed"


_FEN_ITEM = re.compile(r"(K?)\s*([0-9]{1,4})(?:\s*-\s*K?([0-9]{1,4}))?")


def _pieces(text: str, side: Side, problems: list[str]) -> Iterator[tuple[int, str]]:
    """The squares and pieces of one list, ranges spelt out."""
    for item in filter(None, map(str.strip, text.split(","))):
        match = _FEN_ITEM.fullmatch(item)
        if match is None:
            problems.append(f"{item!r} is not a square")
            continue
        crown, first, last = match.groups()
        squares = range(int(first), int(last or first) + 1)
        if not squares or squares[0] not in SQUARES or squares[-1] not in SQUARES:
            problems.append(f"{item} is not within 1 to 32")
            continue
        yield from ((square, side.king if crown else side.man) for square in squares)


# --- Moves ----------------------------------------------------------------------------------


def move_text(position: Position, move: Move) -> str:
    """A move as briefly as PDN allows: two squares, or the full path where two are not enough."""
    ends = (move.start, move.end)
    alike = [other for other in lawful_moves(position) if (other.start, other.end) == ends]
    if len(alike) > 1:
        return str(move)
    return f"{move.start}{'x' if move.is_capture else '-'}{move.end}"


def move_texts(position: Position, moves: Iterable[Move]) -> tuple[str, ...]:
    """Moves in a row from a position, each as briefly as PDN allows."""
    texts = []
    for move in moves:
        texts.append(move_text(position, move))
        position = after(position, move)
    return tuple(texts)


_SQUARE = r"[0-9]{1,4}"
_SEPARATOR = r"\s*[-–xX×:]\s*"
_AGAIN = r"(?:\s+(?P=last)(?=\s*[xX×:]))?"
_MOVE = rf"{_SQUARE}(?:{_SEPARATOR}(?P<last>{_SQUARE}){_AGAIN})+[!?*]*"
"""Two squares or more. A capture may be written jump by jump, `11x18 18x25`: no piece of the
other side can start where the mover has just landed, so that is one move. A sign of strength is
glued to it; `*` after a blank ends the game."""


def parse_move(position: Position, text: str) -> Move:
    """The lawful move that a text names by its first and last square or by more of its path.

    NotationError if it is not a move at all, IllegalMove if it names none that is lawful,
    AmbiguousMove if it names several.
    """
    squares = _path(text)
    fitting = [move for move in lawful_moves(position) if _fits(squares, move.path)]
    choice = [move for move in fitting if move.path == squares] or fitting
    if not choice:
        raise refusal(position, " ".join(text.split()), squares[0], squares[-1])
    if len(choice) > 1:
        raise AmbiguousMove(f"{text} may be {' or '.join(map(str, choice))}")
    return choice[0]


def _path(text: str) -> tuple[int, ...]:
    if not re.fullmatch(_MOVE, text.strip()):
        raise NotationError(f"{text!r} is not a move such as 11-15 or 18x25")
    once = re.sub(rf"({_SQUARE})\s+\1", r"\1", text)
    squares = tuple(map(int, re.findall(_SQUARE, once)))
    wrong = dict.fromkeys(square for square in squares if square not in SQUARES)
    if wrong:
        raise NotationError(*(f"square {square} is not within 1 to 32" for square in wrong))
    return squares


def _fits(squares: tuple[int, ...], path: tuple[int, ...]) -> bool:
    """Whether the squares are the ends of a path and perhaps some between, in order."""
    between = iter(path[1:-1])
    return (squares[0], squares[-1]) == (path[0], path[-1]) and all(
        square in between for square in squares[1:-1]
    )


# --- PDN: tokens ----------------------------------------------------------------------------


class Kind(Enum):
    """What a piece of PDN is; the values are its grammar, tried in this order."""

    TAG = r'\[\s*[A-Za-z]\w*\s*(?:"(?:\\.|[^"\\\n]|"(?![ \t]*\]))*"[ \t]*|[^\]\n]*)\]'
    COMMENT = r"\{[^}]*\}|;[^\n]*"
    ESCAPE = r"^%[^\n]*"
    STRENGTH = r"\([!?*]+\)|[!?]+|\$[0-9]+"
    SETUP = r'/\s*FEN\s*"[^"\n]*"\s*/'
    OPEN = r"\("
    CLOSE = r"\)"
    RESULT = r"(?:1/2\s*-\s*1/2|1-0|0-1|0-0|2-0|0-2|1-1)(?![0-9])|\*"
    MOVE = _MOVE
    NUMBER = r"[0-9]{1,4}\s*\.|\.+"
    UNREADABLE = r"[^\s{}()\[\];]+|\S"


_CLOSED = {Kind.TAG: ("]", r"(?!)"), Kind.COMMENT: ("}", r";[^\n]*")}
"""What must come for these, and their grammar where none of it is left: to look for it from every
bracket on to the end would take for ever."""
_IGNORED = {Kind.ESCAPE, Kind.STRENGTH}
_BODY = {kind for kind in Kind if kind not in _IGNORED | {Kind.TAG, Kind.COMMENT}}


@dataclass(frozen=True)
class Token:
    """A piece of PDN."""

    kind: Kind
    text: str
    line: int
    """Counted from 1."""


@cache
def _grammar(endless: frozenset[Kind]) -> re.Pattern[str]:
    """Of all pieces, none of these kinds being closed any more."""
    values = {kind: _CLOSED[kind][1] if kind in endless else kind.value for kind in Kind}
    pieces = "|".join(f"(?P<{kind.name}>{value})" for kind, value in values.items())
    return re.compile(pieces, re.MULTILINE)


def tokens(text: str) -> Iterator[Token]:
    """The pieces of a PDN text in order, without escaped lines and signs of strength."""
    line, counted = 1, 0
    for match in _matches(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        kind = Kind[match.lastgroup or ""]
        if kind not in _IGNORED:
            yield Token(kind, match.group(), line)


def _matches(text: str) -> Iterator[re.Match[str]]:
    """All pieces; none is looked for behind the last sign that could end it."""
    ends = {kind: text.rfind(closing) for kind, (closing, _) in _CLOSED.items()}
    place = 0
    for end in sorted({*ends.values(), len(text)}):
        grammar = _grammar(frozenset(kind for kind, last in ends.items() if last < place))
        while place <= end and (match := grammar.search(text, place)):
            yield match
            place = match.end()


def typed_moves(text: str) -> list[str]:
    """The moves of a line that a person has typed, each as PDN may spell it. Numbers are left out;
    what else is no move stands among them, for `parse_move` to refuse."""
    texts = [token.text for token in tokens(text) if token.kind is not Kind.NUMBER]
    return texts or text.split()


def _without_variations(pieces: Iterable[Token]) -> Iterator[Token]:
    """Leave out what brackets enclose; a bracket without its partner stays."""
    opened: list[Token] = []
    for token in pieces:
        if token.kind is Kind.TAG:
            yield from opened[:1]
            opened.clear()
        if token.kind is Kind.OPEN:
            opened.append(token)
        elif token.kind is Kind.CLOSE and opened:
            opened.pop()
        elif not opened:
            yield token
    yield from opened[:1]


def _games(pieces: Iterable[Token]) -> Iterator[list[Token]]:
    """Part the tokens into games: one ends with its result, or where the next one's tags begin."""
    game: list[Token] = []
    kinds: set[Kind] = set()
    for token in pieces:
        after_body = token.kind is Kind.TAG and kinds & _BODY
        after_result = token.kind in _BODY - {Kind.RESULT} and Kind.RESULT in kinds
        if after_body or after_result:
            yield game
            game, kinds = [], set()
        game.append(token)
        kinds.add(token.kind)
    if kinds - {Kind.COMMENT}:
        yield game


# --- PDN: games -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """A game and what is known of it."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Names and values, without Result, GameType, SetUp and FEN: these have their own place."""
    start: Position = field(default_factory=Position.start)
    moves: Line = ()
    result: str = UNFINISHED
    """One of `RESULTS`."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """By the number of moves before it; 0 is before the first move."""

    def positions(self) -> tuple[Position, ...]:
        """The start and the position after each move; IllegalMove if one is not lawful."""
        positions = [self.start]
        for move in self.moves:
            positions.append(play(positions[-1], move))
        return tuple(positions)


@dataclass(frozen=True)
class Failure:
    """Where and why the reading of a game stopped."""

    game: int
    """Its number in the text, from 1."""
    ply: int
    """The move that could not be read, from 1; 0 where the tags are at fault."""
    line: int
    """In the text, from 1."""
    token: str
    error: RefereeError
    """NotationError, IllegalMove or AmbiguousMove; its message is the reason."""

    def __str__(self) -> str:
        return f"game {self.game}, ply {self.ply}, line {self.line}, {self.token!r}: {self.error}"


@dataclass(frozen=True)
class Record:
    """A game as far as it could be read."""

    game: Game
    """Its sound beginning; from the start, without moves, where the tags are at fault."""
    failure: Failure | None
    tagged: bool = False
    """Whether it has a tag that only PDN has, sound or at fault."""

    @property
    def is_game(self) -> bool:
        """Whether there is anything of a game in it, though it be an unlawful move; any text at all
        can be taken for a record."""
        unlawful = self.failure is not None and isinstance(self.failure.error, IllegalMove)
        return self.tagged or bool(self.game.moves) or unlawful


def decode(data: bytes) -> str:
    """The text of a PDN file, or of what is typed: UTF-8 if it can be that, else ISO 8859-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_games(data: bytes) -> tuple[Record, ...]:
    """What `parse_pdn` makes of a file; nothing at all where the file holds no game."""
    records = () if b"\0" in data else parse_pdn(decode(data))
    return records if any(record.is_game for record in records) else ()


def parse_pdn(text: str) -> tuple[Record, ...]:
    """Read all games of a PDN text. Never raises: what cannot be read is a record's failure.

    Move numbers, variations and signs of strength are left out. The result after the moves
    counts more than that in the tags.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    games = enumerate(_games(_without_variations(tokens(lines))), start=1)
    return tuple(_record(number, game) for number, game in games)


def _record(number: int, game: list[Token]) -> Record:
    reading = _Reading()
    failure = None
    for token in game:
        try:
            reading.take(token)
        except RefereeError as error:
            failure = Failure(number, reading.ply, token.line, token.text, error)
            break
    return Record(reading.game(_result(game)), failure, any(map(_is_of_pdn, _tags_of(game))))


class _Reading:
    """A game while its tokens are taken one by one."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.comments: dict[int, str] = {}
        self.start = self.position = Position.start()
        self.moves: list[Move] = []
        self.ply = 0

    def take(self, token: Token) -> None:
        if token.kind is Kind.TAG:
            self._take_tag(*_tag(token))
        elif token.kind is Kind.COMMENT:
            self._take_comment(token.text[1:].removesuffix("}" if token.text[0] == "{" else ""))
        elif token.kind in _BODY - {Kind.RESULT, Kind.NUMBER}:
            self.ply = len(self.moves) + 1
            self._take_move(token)

    def _take_tag(self, name: str, value: str) -> None:
        if name == "GameType" and value.split(",")[0].strip() != GAME_TYPE:
            raise NotationError(f"GameType {value} is not English draughts, {GAME_TYPE}")
        if name == "FEN":
            self.start = self.position = parse_fen(value)
        elif name not in _OWN_PLACE:
            self.tags[name] = _dotted(value) if name == "Date" else value

    def _take_comment(self, text: str) -> None:
        moves = len(self.moves)
        words = (self.comments.get(moves, "") + " " + text).split()
        if words:
            self.comments[moves] = " ".join(words)

    def _take_move(self, token: Token) -> None:
        if token.kind is not Kind.MOVE:
            raise NotationError(_WHY_UNREADABLE.get(token.text[0], "this is not a move"))
        move = parse_move(self.position, token.text)
        self.moves.append(move)
        self.position = after(self.position, move)

    def game(self, result: str) -> Game:
        return Game(self.tags, self.start, tuple(self.moves), result, self.comments)


_OWN_PLACE = {"Result", "GameType", "SetUp", "FEN"}
_WELL_KNOWN = {*TAG_ORDER, *_OWN_PLACE}
_WHY_UNREADABLE = {
    "{": "the comment is never closed",
    "(": "the variation is never closed",
    ")": "no variation is open",
    "/": "a position set up anew during a game is not followed",
}


def _tag(token: Token) -> tuple[str, str]:
    match = re.fullmatch(r'\[\s*(\w+)\s*"?(.*?)"?\s*\]', token.text, re.DOTALL)
    assert match is not None
    name, value = match.groups()
    return name, re.sub(r'\\(["\\])', r"\1", value)


def _dotted(date: str) -> str:
    """A date as PDN 3.0 writes it, `1841.??.??`; PDN 2.0 has hyphens."""
    return re.sub(r"([0-9?]{4})-([0-9?]{2})-([0-9?]{2})", r"\1.\2.\3", date)


_OTHER_SPELLINGS = {"2-0": WINS[Side.RED], "0-2": WINS[Side.WHITE], "1-1": DRAW}


def _result(game: list[Token]) -> str:
    said = ["".join(token.text.split()) for token in game if token.kind is Kind.RESULT]
    said += [value for name, value in map(_tag, _tags_of(game)) if name == "Result"]
    known = (_OTHER_SPELLINGS.get(result, result) for result in said)
    return next((result for result in known if result in RESULTS and result != UNFINISHED), "*")


def _is_of_pdn(tag: Token) -> bool:
    """Whether a word in brackets is a tag: settings and lists of things to do have such words too,
    but neither quotes in them nor a value behind a name that PDN knows."""
    name, value = _tag(tag)
    return '"' in tag.text or (name in _WELL_KNOWN and bool(value))


def _tags_of(game: list[Token]) -> Iterator[Token]:
    return (token for token in game if token.kind is Kind.TAG)


def write_pdn(game: Game) -> str:
    """A game as PDN, lines of at most 80 characters except for long tags and longer words.

    Raises NotationError for a result or tag name that PDN does not know, IllegalMove for moves
    that are not lawful. Braces in comments become round brackets.
    """
    _check(game)
    moves = " ".join(_words(game))
    body = textwrap.fill(moves, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join((*_tag_lines(game), "", body, ""))


def _check(game: Game) -> None:
    problems = [f"{name!r} cannot be a tag" for name in game.tags if not _is_tag_name(name)]
    if game.result not in RESULTS:
        problems.append(f"a result is one of {', '.join(RESULTS)}, not {game.result!r}")
    if problems:
        raise NotationError(*problems)


def _is_tag_name(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z]\w*", name) is not None and name not in _OWN_PLACE


def _tag_lines(game: Game) -> Iterator[str]:
    tags = dict(game.tags) | {"Result": game.result, "GameType": GAME_TYPE}
    if game.start != Position.start():
        tags |= {"SetUp": "1", "FEN": fen(game.start)}
    ordered = [name for name in TAG_ORDER if name in tags]
    for name in dict.fromkeys((*ordered, *tags)):
        value = _dotted(tags[name]) if name == "Date" else tags[name]
        yield f'[{name} "{_escaped(value)}"]'


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", r"\\").replace('"', r"\"")


def _words(game: Game) -> Iterator[str]:
    """Numbers, moves and comments, and the result at the end."""
    yield from _comment(game, 0)
    before_red = 0 if game.start.turn is Side.RED else 1
    for ply, (position, move) in enumerate(zip(game.positions(), game.moves, strict=False)):
        number = (ply + before_red) // 2 + 1
        if position.turn is Side.RED:
            yield f"{number}."
        elif ply == 0:
            yield f"{number}..."
        yield move_text(position, move)
        yield from _comment(game, ply + 1)
    yield game.result


def _comment(game: Game, moves: int) -> Iterator[str]:
    text = " ".join(game.comments.get(moves, "").split())
    if text:
        yield "{" + text.replace("{", "(").replace("}", ")") + "}"
