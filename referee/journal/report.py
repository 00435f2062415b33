"""A kept game on one page: HTML that needs no other file, to be read or printed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from referee.board import EMPTY, SQUARES, at, cell_of, is_king, side_of
from referee.colours import Sides, colour_of
from referee.journal.evidence import FOLDER
from referee.journal.export import Move, Story, clock_text
from referee.journal.incidents import Incident, Picture
from referee.journal.remarks import Remark
from referee.profiles import PROFILES
from referee.terminal_board import CROWN, CROWNS, INKS

CODE_DIGITS = 16
"""Of the last hash: enough to compare by eye."""
CELL = 10
STYLE = """
@page { size: A4; margin: 14mm }
* { box-sizing: border-box }
body { font: 10pt/1.4 Georgia, serif; color: #1d1d1b; max-width: 182mm; margin: 8mm auto }
h1 { font-size: 17pt; margin: 0 } h2 { font-size: 11pt; margin: 5mm 0 2mm }
p { margin: 0 0 1.5mm } .quiet { color: #6b6b66; font-size: 8.5pt }
header { display: flex; justify-content: space-between; border-bottom: 1.5pt solid #3e6b48;
  padding-bottom: 3mm; margin-bottom: 3mm } .result { font-size: 17pt }
main { display: flex; gap: 6mm } .score { columns: 3; flex: 1; column-gap: 4mm; font-size: 9pt }
.score div { break-inside: avoid; white-space: nowrap; font-variant-numeric: tabular-nums }
.score .set { white-space: normal; break-after: avoid }
.score i { color: #6b6b66; font-size: 7pt } svg { width: 52mm; height: 52mm; flex: none }
.incident { break-inside: avoid; border-top: .5pt solid #bbb; padding: 2mm 0 }
.incident div { display: flex; gap: 3mm } figure { margin: 1mm 0; flex: 1; max-width: 60mm }
img { width: 100%; display: block } figcaption { color: #6b6b66; font-size: 8pt }
.damage { background: #fbe9d0; padding: 2mm 3mm }
.signed { display: flex; gap: 8mm; margin-top: 16mm; break-inside: avoid }
.signed div { flex: 1; border-top: .5pt solid #1d1d1b; padding-top: 1mm }
"""


def report(told: Story) -> str:
    """The page. Pictures that were erased or changed are named, not shown."""
    title = " – ".join(told.seats if any(told.seats) else told.colours)
    body = (
        _header(told, title),
        *(f'<p class="damage">{escape(problem)}</p>' for problem in told.problems),
        f'<main><div class="score">{"".join(_score(told))}</div>{_board(told)}</main>',
        "<h2>What went wrong</h2>",
        *(map(_incident, told.incidents) if told.incidents else ("<p>Nothing.</p>",)),
        "<h2>What people said, and when nobody watched</h2>",
        *(map(_remark, told.remarks) if told.remarks else ("<p>Nothing.</p>",)),
        _signatures(told),
        _footer(told),
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy"'
        " content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>"
        + "\n".join(body)
        + "</body></html>\n"
    )


def _header(told: Story, title: str) -> str:
    return (
        f"<header><div><h1>{escape(title)}</h1>{_heading(told)}"
        f'<span class="quiet">{escape(_players(told))}, begun {escape(_begun(told))}; rules: '
        f"{escape(_rules(told))}</span></div>"
        f'<div><span class="result">{escape(told.result)}</span><br>'
        f'<span class="quiet">{escape(told.reason)}</span></div></header>'
    )


def _heading(told: Story) -> str:
    """A line of the event, the site and the round; none where nobody has said them."""
    said = told.game.heading
    number = f"round {said['Round']}" if "Round" in said else ""
    line = ", ".join(filter(None, (said.get("Event"), said.get("Site"), number)))
    return f"<p>{escape(line)}</p>" if line else ""


def _players(told: Story) -> str:
    """`Black: Anna – Red: Ben`, or the colours alone."""
    pairs = zip(told.colours, told.seats, strict=True)
    return " – ".join(f"{colour}: {name}" if name else colour for colour, name in pairs)


def _begun(told: Story) -> str:
    """`2026-11-21 19:22 UTC`, by the clock of the machine."""
    return told.begun_at[:16].replace("T", " ") + " UTC"


def _rules(told: Story) -> str:
    """The title of the profile, and its name."""
    name = str(told.begun["profile"])
    return f"{PROFILES[name].title} ({name})" if name in PROFILES else name


def _score(told: Story) -> Iterable[str]:
    """The moves; where a person set another position they are numbered anew."""
    for number, part in enumerate(told.parts):
        if number:
            yield '<div class="set">From a position set by hand:</div>'
        yield from _lines(part)


def _lines(moves: Sequence[Move]) -> Iterable[str]:
    """A line for a move of each side, with the time of the later one."""
    shift = 0 if not moves or moves[0].side == "red" else 1
    cells = ["…"] * shift + [move.text for move in moves]
    times = [0] * shift + [move.time_ms for move in moves]
    for start in range(0, len(cells), 2):
        pair = "&ensp;".join(map(escape, cells[start : start + 2]))
        time = clock_text(times[start : start + 2][-1]).removeprefix("0:")
        yield f"<div>{start // 2 + 1}. {pair} <i>{time}</i></div>"


def _board(told: Story) -> str:
    """The last position."""
    setup, sides = told.game.position.setup, told.language.sides
    size = 8 * CELL
    drawn = [f'<rect width="{size}" height="{size}" fill="#e8e0bd"/>']
    for square in SQUARES:
        row, column = cell_of(square)
        x, y = column * CELL, row * CELL
        drawn.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#5f8a68"/>')
        drawn.append(_piece(at(setup, square), x + CELL // 2, y + CELL // 2, square, sides))
    return f'<svg viewBox="0 0 {size} {size}" role="img">{"".join(drawn)}</svg>'


def _piece(appearance: str, x: int, y: int, square: int, sides: Sides) -> str:
    side = side_of(appearance)
    if appearance == EMPTY or side is None:
        return f'<text x="{x - 4}" y="{y + 4}" font-size="2.6" fill="#dfe8df">{square}</text>'
    colour = colour_of(side, sides)
    ink, crown = INKS[colour], CROWNS.get(colour, CROWN)
    disc = f'<circle cx="{x}" cy="{y}" r="3.9" fill="{ink}" stroke="#222" stroke-width=".3"/>'
    king = f'<circle cx="{x}" cy="{y}" r="1.6" fill="{crown}"/>' if is_king(appearance) else ""
    return disc + king


def _incident(incident: Incident) -> str:
    side = f", {incident.side}" if incident.side else ""
    after = f" after {incident.after}" if incident.after else ""
    end = incident.end
    if incident.end_ms is not None:
        end += f" at {clock_text(incident.end_ms)}"
    pictures = "".join(_figure(picture) for picture in incident.pictures)
    return (
        f'<section class="incident"><p><b>{incident.number}. '
        f"{escape(incident.title.capitalize())}</b>"
        f"{escape(side)} – {clock_text(incident.event['time_ms'])}{escape(after)}, {escape(end)}"
        f"</p><p>{escape(incident.said)}</p><div>{pictures}</div></section>"
    )


def _figure(picture: Picture) -> str:
    if picture.state != "kept":
        return f"<figure><figcaption>{escape(picture.what)}: {picture.state}</figcaption></figure>"
    if picture.path.suffix != ".jpg":
        return (
            f"<figure><figcaption>film: {FOLDER}/{escape(picture.path.name)}</figcaption></figure>"
        )
    data = b64encode(picture.path.read_bytes()).decode()
    return (
        f'<figure><img alt="{escape(picture.what)}" src="data:image/jpeg;base64,{data}">'
        f"<figcaption>{escape(picture.what)}</figcaption></figure>"
    )


def _remark(remark: Remark) -> str:
    return f"<p>{clock_text(remark.time_ms)} {escape(remark.said)}</p>"


def _signatures(told: Story) -> str:
    """Room for those who agree with the page."""
    signed = "".join(f"<div>{who}</div>" for who in (*told.colours, "Arbiter"))
    return f'<div class="signed">{signed}</div>'


def _footer(told: Story) -> str:
    """The code joins the paper to the journal: another journal has another one."""
    return (
        f'<p class="quiet">Game {escape(told.name)}, draughts referee'
        f" {escape(str(told.begun['software']))}. Times count from the first picture. This page was"
        f" made from the journal whose last entry has the code {told.head[:CODE_DIGITS]}; a journal"
        " that was changed afterwards has another.</p>"
    )
