"""The demonstration game from its pixels to its record: every offence, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample_images
from hardware.camera import borrowed_frames
from hardware.sources import open_camera
from referee.events import Event, Irregular, Played
from referee.game import begin
from referee.notation import parse_pdn
from referee.watching import follow
from sample_images.truth import read

FOLDER = Path(sample_images.__file__).parent


@pytest.fixture(scope="module")
def events() -> list[Event]:
    with borrowed_frames(open_camera(str(FOLDER / "demo.mp4"))) as frames:
        return [event for step in follow(frames, begin()) for event in step.events]


def test_the_record_is_the_game(events: list[Event]) -> None:
    (record,) = parse_pdn((FOLDER / "demo.pdn").read_text())
    (truth,) = read(FOLDER / "demo.truth.json")
    played = [(event.side.value, event.move) for event in events if isinstance(event, Played)]
    positions = [event.fen for event in events if isinstance(event, Played)]
    assert len(played) == len(record.game.moves) == 40
    assert positions == [event.fen for event in truth.events if event.name == "played"]


def test_every_offence_is_announced_and_nothing_else(events: list[Event]) -> None:
    (truth,) = read(FOLDER / "demo.truth.json")
    accused = [(event.kind.value, event.side) for event in events if isinstance(event, Irregular)]
    assert accused == [
        (event.kind, event.side) for event in truth.events if event.name == "irregular"
    ]
    assert len(accused) == 5
    assert not [event for event in events if event.record()["event"] == "unsure"]
