"""A kept game on one page: HTML that needs no other file, to be read or printed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from referee.board import EMPTY, SQUARES, at, cell_of, is_king, side_of
from referee.journal.export import Story, clock_text
from referee.journal.incidents import Incident, Picture

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
main { display: flex; gap: 8mm } .score { columns: 3; flex: 1; column-gap: 6mm }
.score div { break-inside: avoid; white-space: nowrap; font-variant-numeric: tabular-nums }
.score i { color: #6b6b66; font-size: 8pt } svg { width: 52mm; height: 52mm; flex: none }
.incident { break-inside: avoid; border-top: .5pt solid #bbb; padding: 2mm 0 }
.incident div { display: flex; gap: 3mm } figure { margin: 1mm 0; flex: 1; max-width: 60mm }
img { width: 100%; display: block } figcaption { color: #6b6b66; font-size: 8pt }
.damage { background: #fbe9d0; padding: 2mm 3mm }
"""


def report(told: Story) -> str:
    """The page. Pictures that were erased or changed are named, not shown."""
    red, white = (name or "?" for name in told.seats)
    title = f"{red} – {white}"
    body = (
        _header(told, title),
        *(f'<p class="damage">{escape(problem)}</p>' for problem in told.problems),
        f'<main><div class="score">{"".join(_score(told))}</div>{_board(told)}</main>',
        "<h2>What went wrong</h2>",
        *(map(_incident, told.incidents) if told.incidents else ("<p>Nothing.</p>",)),
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
    reason = told.game.result.reason if told.game.result else "not finished"
    return (
        f"<header><div><h1>{escape(title)}</h1>"
        f'<span class="quiet">Red – White, {escape(told.date)}, rules: '
        f"{escape(str(told.begun['profile']))}</span></div>"
        f'<div><span class="result">{escape(told.result)}</span><br>'
        f'<span class="quiet">{escape(reason)}</span></div></header>'
    )


def _score(told: Story) -> Iterable[str]:
    """A line for a move of each side, with the time of the later one."""
    shift = 0 if not told.moves or told.moves[0].side == "red" else 1
    cells = ["…"] * shift + [move.text for move in told.moves]
    times = [0] * shift + [move.time_ms for move in told.moves]
    for start in range(0, len(cells), 2):
        pair = "&ensp;".join(map(escape, cells[start : start + 2]))
        time = clock_text(times[start : start + 2][-1])
        yield f"<div>{start // 2 + 1}. {pair} <i>{time}</i></div>"


def _board(told: Story) -> str:
    """The last position."""
    setup = told.game.position.setup
    size = 8 * CELL
    drawn = [f'<rect width="{size}" height="{size}" fill="#e8e0bd"/>']
    for square in SQUARES:
        row, column = cell_of(square)
        x, y = column * CELL, row * CELL
        drawn.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#5f8a68"/>')
        drawn.append(_piece(at(setup, square), x + CELL // 2, y + CELL // 2, square))
    return f'<svg viewBox="0 0 {size} {size}" role="img">{"".join(drawn)}</svg>'


def _piece(appearance: str, x: int, y: int, square: int) -> str:
    side = side_of(appearance)
    if appearance == EMPTY or side is None:
        return f'<text x="{x - 4}" y="{y + 4}" font-size="2.6" fill="#dfe8df">{square}</text>'
    colour = {"red": "#b3261c", "white": "#f8f5ea"}[side.value]
    disc = f'<circle cx="{x}" cy="{y}" r="3.9" fill="{colour}" stroke="#222" stroke-width=".3"/>'
    crown = f'<circle cx="{x}" cy="{y}" r="1.6" fill="#e0a91b"/>' if is_king(appearance) else ""
    return disc + crown


def _incident(incident: Incident) -> str:
    side = f", {incident.side}" if incident.side else ""
    after = f" after {incident.after}" if incident.after else ""
    end = incident.end
    if incident.end_ms is not None:
        end += f" at {clock_text(incident.end_ms)}"
    rules = ", ".join(ruling["rule"] for ruling in incident.rulings)
    pictures = "".join(_figure(picture) for picture in incident.pictures)
    return (
        f'<section class="incident"><p><b>{incident.number}. {escape(incident.title)}</b>'
        f"{escape(side)} – {clock_text(incident.event['time_ms'])}{escape(after)}, {escape(end)}"
        f"</p><p>{escape(incident.text)}"
        f' <span class="quiet">{escape(rules)}</span></p><div>{pictures}</div></section>'
    )


def _figure(picture: Picture) -> str:
    if picture.state != "kept":
        return f"<figure><figcaption>{picture.what}: {picture.state}</figcaption></figure>"
    if picture.path.suffix != ".jpg":
        return f"<figure><figcaption>film: {escape(picture.path.name)}</figcaption></figure>"
    data = b64encode(picture.path.read_bytes()).decode()
    return (
        f'<figure><img alt="{escape(picture.what)}" src="data:image/jpeg;base64,{data}">'
        f"<figcaption>{escape(picture.what)}</figcaption></figure>"
    )


def _footer(told: Story) -> str:
    return (
        f'<p class="quiet">Game {escape(told.name)}, draughts referee'
        f" {escape(str(told.begun['software']))}. The journal ends with"
        f" {told.head[:CODE_DIGITS]}.</p>"
    )
