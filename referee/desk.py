"""The desk: a live board, the announcements and the progress in a terminal.

Without a terminal, or in one that has no room for the board, the announcements alone are printed, a
line each, so that a log stays readable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.announcements import name, reason_of
from referee.announcer import Announcement, Tone
from referee.board import Side
from referee.clock import Clock
from referee.colours import colour_of
from referee.english import ENGLISH
from referee.language import Language
from referee.standing import Standing
from referee.terminal_board import INKS, cells_of, draw_board, has_colours

REDRAW_S = 0.2
"""The shortest time between two drawings; a terminal over the network takes no more."""
LEAST_COLUMNS, LEAST_LINES = 60, 20
"""Of a terminal in which the board is drawn; on a telephone it would be torn, and what stands under
it cut off."""
LAST_MOVES = 9
"""Full moves shown beside the board."""
BAR = "#7f9a4b"
PROMPT, HINT = "> ", "help lists what can be typed"
MARKS = {
    Tone.MOVE: ("", ""),
    Tone.NOTE: ("·", "dim"),
    Tone.TROUBLE: ("▲", "bold yellow"),
    Tone.END: ("■", "bold green"),
}


class Desk:
    """Shows one game while it is watched; to be used in a `with`."""

    def __init__(
        self,
        console: Console,
        title: str,
        standing: Standing,
        length_ms: int | None = None,
        language: Language = ENGLISH,
        typing: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`language` is English, which is all the desk speaks, its sides as they are called.
        `typing` tells the line that is being typed, if the desk is to show it."""
        self._console, self._language = console, language
        self._title, self._typing = title, typing
        self._length_ms = length_ms
        self._standing = standing
        self._time_ms = 0
        self._times: Clock | None = None
        self._drawn_s = 0.0
        has_room = console.width >= LEAST_COLUMNS and console.height >= LEAST_LINES
        is_drawn = console.is_terminal and has_room and not console.quiet
        # What programs read goes where it always does.
        live = Live(console=console, auto_refresh=False, redirect_stdout=False)
        self._live = live if is_drawn else None

    @property
    def is_redrawn(self) -> bool:
        """Whether the board is drawn again and again, over whatever else is written there."""
        return self._live is not None and self._console.is_interactive

    def __enter__(self) -> Desk:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._draw()
            self._live.stop()

    def show(self, standing: Standing, announcement: Announcement | None) -> None:
        """Show what an event made of the game, and what is announced of it."""
        self._standing = standing
        if announcement:
            self._say(announcement)
        self._draw()

    def tick(self, time_ms: int, times: Clock | None = None) -> None:
        """A frame of this time has been read; `times` is the players' clock."""
        self._time_ms, self._times = time_ms, times
        if self._live and time.monotonic() - self._drawn_s >= REDRAW_S:
            self._draw()

    def _say(self, announcement: Announcement) -> None:
        sign, style = MARKS[announcement.tone]
        time_text = Text(f"{clock(announcement.time_ms):>6}  ", "dim")
        text = Text(announcement.text, style)
        if self._live is None:
            line = Text.assemble(time_text, (f"{sign:<2}", style), text)
            self._console.print(line, soft_wrap=True)
            return
        row = Table.grid()
        row.add_row(time_text, Text(f"{sign:<2}", style), text)
        self._console.print(row)

    def _draw(self) -> None:
        if self._live:
            self._drawn_s = time.monotonic()
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        standing = self._standing
        cells, coloured = cells_of(standing.position.setup), has_colours(self._console)
        sides = self._language.sides
        board = draw_board(cells, standing.marked, standing.wrong, coloured, sides)
        whole = Table.grid(padding=(0, 3))
        whole.add_row(board, self._side_panel())
        rows = [whole, Text(), self._progress()]
        if (typing := self._typing()) is not None:
            rows.append(self._prompt(typing))
        return Padding(Group(*rows), (1, 0, 0, 1))

    def _prompt(self, typing: str) -> RenderableType:
        """What is being typed, of a long line the end; and while that is nothing, what can be."""
        if not typing:
            return Text(PROMPT + HINT, "dim")
        shown = "".join(sign if sign.isprintable() else " " for sign in typing)
        while cell_len(shown) > self._console.width - 5:
            shown = shown[1:]
        return Text.assemble((PROMPT, "dim"), shown, (" ", "reverse"), no_wrap=True)

    def _side_panel(self) -> RenderableType:
        title = Text(self._title, style="bold", no_wrap=True, overflow="ellipsis")
        times = left(self._times, self._time_ms, self._language)
        return Group(title, self._status(), Text(times, "dim"), score(self._standing))

    def _status(self) -> Text:
        standing = self._standing
        if standing.result:
            result = standing.result.result
            return Text(f"■ {result}, {self._language.words[result]}", "bold green")
        if not standing.ready:
            return Text("… looking for the board", "yellow")
        if standing.trouble:
            return Text(f"▲ {standing.trouble}", "bold yellow")
        turn = standing.position.turn
        ink = INKS[colour_of(turn, self._language.sides)]
        return Text.assemble(("● ", ink), f"{name(turn, self._language)} to move")

    def _progress(self) -> RenderableType:
        row = Table.grid(padding=(0, 2))
        if self._length_ms:
            bar = ProgressBar(
                total=self._length_ms, completed=self._time_ms, width=44, complete_style=BAR
            )
            row.add_row(bar, f"{clock(self._time_ms)} of {clock(self._length_ms)}")
        else:
            row.add_row(f"watching for {clock(self._time_ms)}")
        return row


def left(times: Clock | None, now_ms: int, language: Language = ENGLISH) -> str:
    """`Red 29:41  White 30:00`, the time that each player has left; empty without a clock."""
    if times is None:
        return ""
    return "  ".join(
        f"{name(side, language)} {clock(max(0, times.left_ms(side, now_ms)))}" for side in Side
    )


def score(standing: Standing, last: int = LAST_MOVES) -> RenderableType:
    """The last moves, a line for a move of each side."""
    table = Table.grid(padding=(0, 2))
    for number, red, white in score_lines(standing)[-last:]:
        table.add_row(Text(f"{number}.", "dim"), red, white)
    return table


def score_lines(standing: Standing) -> list[tuple[int, str, str]]:
    """Number, Red's move, White's; an empty text where one has not been made."""
    lines: list[tuple[int, str, str]] = []
    for side, move in standing.moves:
        if side is Side.RED or not lines or lines[-1][2]:
            lines.append((len(lines) + 1, move if side is Side.RED else "…", ""))
        if side is Side.WHITE:
            number, red, _ = lines[-1]
            lines[-1] = (number, red, move)
    return lines


def summary(
    standing: Standing, time_ms: int, files: Sequence[str], language: Language = ENGLISH
) -> RenderableType:
    """What came of it, for the end; `files` are the records, the last being this game's."""
    table = Table.grid(padding=(0, 2))
    result = standing.result
    ended = f"{result.result}, {reason_of(result, language)}" if result else "not finished"
    table.add_row("Result", ended)
    table.add_row("Moves", str(len(standing.moves)))
    table.add_row("Offences", _offences(standing, language))
    if standing.trouble:
        table.add_row("Open", Text(standing.trouble, "bold yellow"))
    table.add_row("Watched", clock(time_ms))
    table.add_row("Record", Text("\n".join(files), "bold") if files else "none, no game was seen")
    return Panel(table, title="The game", expand=False, border_style="green")


def _offences(standing: Standing, language: Language) -> str:
    told = (
        f"{clock(offence.time_ms)} {offence.kind.value.replace('_', ' ')}"
        + (f" ({name(offence.side, language)})" if offence.side else "")
        for offence in standing.offences
    )
    return "\n".join(told) or "none"


def clock(time_ms: int) -> str:
    """`1:05` for 65 seconds, with hours when there are any."""
    minutes, seconds = divmod(time_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
