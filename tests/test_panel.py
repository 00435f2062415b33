"""Lamps, buzzer and buttons: on gpiozero's mock pins, on a keypad that is a pipe, and in a game."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.controls import keypad as keypads
from hardware.controls import returning
from hardware.controls.fake_panel import FakePanel
from hardware.controls.gpio import GpioPanel, Pins
from hardware.controls.keypad import EVENT, KEY, Keypad
from hardware.controls.returning import BACKOFF_S, Returning
from hardware.panel import HELD, MOST_PRESSES, Button, Lamps, Panel, PanelError
from hardware.panels import open_panel
from referee import cli, events
from referee import game as games
from referee.announcer import announce
from referee.board import START, Side
from referee.commands import Command
from referee.game import Game, Input, Step
from referee.journal.keeper import Keeper
from referee.journal.shelf import Shelf
from referee.observation import Observation, certain
from referee.rules import Position
from referee.signals import HEARD, LINES, OFFENCE, REFUSED, Signals, lamps_of
from referee.standing import Standing
from referee.verbs.typed import Typed

PATIENCE_S = 20.0
AT_ONCE_S = 0.05
"""How long a button must be held in most of these tests."""
PINS = Pins()


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done() and time.monotonic() < end:
        time.sleep(0.005)
    assert done()


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    """The pins of a Raspberry Pi that is not there."""
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


@pytest.fixture
def panel(pins: MockFactory) -> Iterator[GpioPanel]:
    panel = GpioPanel(hold_s=AT_ONCE_S)
    yield panel
    panel.close()


def lit(pins: MockFactory) -> set[int]:
    """The GPIO numbers of the lamps that are lit."""
    lamps = (PINS.lamp_red, PINS.lamp_white, PINS.lamp_offence)
    return {number for number in lamps if pins.pin(number).state}


class TestGpio:
    @pytest.mark.parametrize("button", [button for button in Button if button not in HELD])
    def test_a_button_counts_when_it_is_pressed(
        self, button: Button, panel: GpioPanel, pins: MockFactory
    ) -> None:
        pins.pin(PINS.of(button)).drive_low()
        assert panel.presses() == [button]
        pins.pin(PINS.of(button)).drive_high()
        assert panel.presses() == []

    @pytest.mark.parametrize("button", HELD)
    def test_one_with_consequences_counts_when_it_was_held(
        self, button: Button, panel: GpioPanel, pins: MockFactory
    ) -> None:
        pressed: list[Button] = []
        pins.pin(PINS.of(button)).drive_low()
        until(lambda: bool(pressed.extend(panel.presses()) or pressed))
        assert pressed == [button]

    @pytest.mark.parametrize("button", HELD)
    def test_and_not_when_it_was_only_touched(self, button: Button, pins: MockFactory) -> None:
        panel = GpioPanel(hold_s=600)
        pins.pin(PINS.of(button)).drive_low()
        pins.pin(PINS.of(button)).drive_high()
        assert panel.presses() == []
        panel.close()

    def test_presses_come_in_order(self, panel: GpioPanel, pins: MockFactory) -> None:
        order = [Button.CLOCK_RED, Button.CLOCK_WHITE, Button.CLOCK_RED, Button.ADJUSTING]
        for button in order:
            pins.pin(PINS.of(button)).drive_low()
            pins.pin(PINS.of(button)).drive_high()
        assert panel.presses() == order

    def test_of_too_many_the_last_are_kept(self, panel: GpioPanel, pins: MockFactory) -> None:
        for _ in range(2 * MOST_PRESSES):
            pins.pin(PINS.clock_red).drive_low()
            pins.pin(PINS.clock_red).drive_high()
        assert len(panel.presses()) == MOST_PRESSES

    @pytest.mark.parametrize(
        ("lamps", "numbers"),
        [
            (Lamps(red=True), {PINS.lamp_red}),
            (Lamps(white=True, offence=True), {PINS.lamp_white, PINS.lamp_offence}),
            (Lamps(), set()),
        ],
    )
    def test_lamps_are_lit(
        self, lamps: Lamps, numbers: set[int], panel: GpioPanel, pins: MockFactory
    ) -> None:
        panel.show(Lamps(True, True, True))
        panel.show(lamps)
        assert lit(pins) == numbers

    def test_the_buzzer_sounds_so_often_and_nobody_waits(
        self, panel: GpioPanel, pins: MockFactory
    ) -> None:
        pin = pins.pin(PINS.buzzer)
        pin.clear_states()
        panel.beep(2)
        until(lambda: [state.state for state in pin.states].count(True) == 2)
        until(lambda: not pin.state)

    def test_all_is_off_and_free_in_the_end(self, panel: GpioPanel, pins: MockFactory) -> None:
        panel.show(Lamps(True, True, True))
        panel.close()
        assert lit(pins) == set()
        again = GpioPanel()
        again.close()

    def test_what_is_not_fitted_does_nothing(self, pins: MockFactory) -> None:
        bare = GpioPanel(Pins(0, 0, 0, 0, 0, clock_red=6, clock_white=0, claim=0, confirm=0))
        bare.show(Lamps(True, True, True))
        bare.beep(3)
        assert lit(pins) == set()
        pins.pin(6).drive_low()
        assert bare.presses() == [Button.CLOCK_RED]
        bare.close()

    def test_two_things_on_one_pin_are_told_of_and_let_go(self, pins: MockFactory) -> None:
        with pytest.raises(PanelError, match="GPIO17"):
            GpioPanel(Pins(claim=17))
        GpioPanel().close()

    def test_without_pins_it_is_one_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Device, "pin_factory", None)
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-anywhere")
        with pytest.raises(PanelError, match=r"^there is no panel \(.*\); it needs a Raspberry"):
            GpioPanel()


class Keys:
    """The kernel's end of a keypad."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "usb-keypad-event-kbd"
        os.mkfifo(self.path)
        self.reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self._end = os.open(self.path, os.O_WRONLY)

    def write(self, data: bytes) -> None:
        os.write(self._end, data)

    def down(self, code: int) -> None:
        """The key goes down, and repeats; each with what the kernel sends beside it."""
        scan, report = EVENT.pack(0, 0, 4, 4, 458_841), EVENT.pack(0, 0, 0, 0, 0)
        for value in (1, 2, 2):
            self.write(scan + EVENT.pack(0, 0, KEY, code, value) + report)

    def up(self, code: int) -> None:
        self.write(EVENT.pack(0, 0, KEY, code, 0))

    def pull_out(self) -> None:
        os.close(self._end)


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[Keys]:
    keys = Keys(tmp_path)
    yield keys
    os.close(keys.reader)


class TestKeypad:
    def test_a_key_counts_once_when_it_goes_down(self, keys: Keys) -> None:
        keypad = Keypad(keys.path)
        assert keypad.presses() == []
        for code in (79, 81, 2, 30):  # 30 is A, which means nothing
            keys.down(code)
            keys.up(code)
        assert keypad.presses() == [Button.ADJUSTING, Button.CLOCK_WHITE, Button.ADJUSTING]
        assert keypad.presses() == []
        keypad.close()

    def test_claim_and_confirm_must_be_held(
        self, keys: Keys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = [100.0]
        monkeypatch.setattr(keypads.time, "monotonic", lambda: now[0])
        keypad = Keypad(keys.path)
        keys.down(75)
        assert keypad.presses() == []
        keys.up(75)
        now[0] += 3
        assert keypad.presses() == []
        keys.down(76)
        assert keypad.presses() == []
        now[0] += 1.9
        assert keypad.presses() == []
        now[0] += 0.1
        assert keypad.presses() == [Button.CONFIRM]
        now[0] += 5
        assert keypad.presses() == []
        keypad.close()

    def test_a_release_that_was_lost_holds_no_key(
        self, keys: Keys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = [100.0]
        monkeypatch.setattr(keypads.time, "monotonic", lambda: now[0])
        keypad = Keypad(keys.path)
        keys.down(76)
        keys.write(EVENT.pack(0, 0, 0, 3, 0))
        assert keypad.presses() == []
        now[0] += 5
        assert keypad.presses() == []
        keypad.close()

    def test_an_event_may_come_in_pieces(self, keys: Keys) -> None:
        keypad = Keypad(keys.path)
        event = EVENT.pack(0, 0, KEY, 80, 1)
        keys.write(event[:7])
        assert keypad.presses() == []
        keys.write(event[7:])
        assert keypad.presses() == [Button.CLOCK_RED]
        keypad.close()

    def test_one_that_is_not_there_is_told_of(self, tmp_path: Path) -> None:
        with pytest.raises(PanelError, match=r"no keypad .*nowhere: no such file"):
            Keypad(tmp_path / "nowhere")

    def test_one_that_is_pulled_out_is_told_of(
        self, keys: Keys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keypad = Keypad(keys.path)

        def gone(*_: object) -> bytes:
            raise OSError(19, "No such device")

        with monkeypatch.context() as patch:
            patch.setattr(keypads.os, "read", gone)
            with pytest.raises(PanelError, match="has gone: no such device"):
                keypad.presses()
        keypad.close()
        keypad.close()

    def test_what_it_lacks_does_nothing(self, keys: Keys) -> None:
        keypad = Keypad(keys.path)
        keypad.show(Lamps(True, True, True))
        keypad.beep(3)
        assert keypad.presses() == []
        keypad.close()


class Plug:
    """A keypad that is put in and pulled out; a clock that stands."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, told: list[str]) -> None:
        self.plugged, self.openings, self.now_s = True, 0, 100.0
        self.panel = FakePanel()
        self.returning = Returning(self.opened, told.append)
        monkeypatch.setattr(returning.time, "monotonic", lambda: self.now_s)

    def opened(self) -> Panel:
        self.openings += 1
        if not self.plugged:
            raise PanelError("there is no keypad")
        self.panel = FakePanel()
        return self.panel

    def pull_out(self) -> None:
        self.plugged = False
        self.panel.pull_out()


class TestReturning:
    def test_one_that_was_pulled_out_is_used_again_when_it_is_back(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        plug = Plug(monkeypatch, told)
        assert plug.returning.presses() == []
        plug.pull_out()
        for _ in range(100):
            assert plug.returning.presses() == []
            plug.now_s += 0.125
        plug.plugged = True
        plug.now_s += BACKOFF_S[-1]
        assert plug.returning.presses() == []
        plug.panel.press(Button.CLOCK_RED)
        assert plug.returning.presses() == [Button.CLOCK_RED]
        assert told == [
            "the panel fails: it was pulled out; the game goes on without, until it is plugged in",
            "the keypad is back",
        ]

    def test_it_is_asked_for_less_and_less_often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plug = Plug(monkeypatch, [])
        plug.plugged = False
        asked = []
        for _ in range(300):
            before = plug.openings
            plug.returning.presses()
            if plug.openings > before:
                asked.append(plug.now_s)
            plug.now_s += 0.125
        waits = [later - sooner for sooner, later in pairwise(asked)]
        assert waits[:4] == list(BACKOFF_S)
        assert set(waits[4:]) == {BACKOFF_S[-1]}

    def test_a_real_one_may_come_late_and_go(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        panel = open_panel(str(tmp_path / "usb-keypad-event-kbd"), told.append)
        assert panel is not None
        assert panel.presses() == []
        assert told == [
            f"there is no keypad {tmp_path}/usb-keypad-event-kbd: no such file or directory;"
            " the game goes on without, until it is plugged in"
        ]
        keys = Keys(tmp_path)
        until(lambda: bool(panel.presses() or told[1:]))
        keys.down(80)
        assert panel.presses() == [Button.CLOCK_RED]
        assert told[1:] == ["the keypad is back"]
        panel.close()


class TestDoor:
    def test_each_kind_has_its_panel(self, pins: MockFactory, keys: Keys) -> None:
        assert open_panel("off", pytest.fail) is None
        kinds = {"gpio": GpioPanel, str(keys.path): Returning}
        for name, kind in kinds.items():
            panel = open_panel(name, pytest.fail)
            assert type(panel) is kind
            assert panel is not None
            panel.close()


def irregular(time_ms: int = 0) -> events.Event:
    return events.Irregular(time_ms, events.Irregularity.WRONG_TURN, Side.RED, (11, 15), ())


def standing(*happened: events.Event) -> Standing:
    now = Standing(Position.start())
    for event in happened:
        now = now.after(event)
    return now


READY = events.Ready(0)
PLAYED = events.Played(0, Side.RED, "11-15", "W:W21,22:B15,16")
RULED = events.Ruling(
    0, events.Verdict.WARNING, Side.RED, "WCDF 4.7", "", 0,
    ("wrong_turn", "turn=white", "piece=man", "start=15"),
)  # fmt: skip


class TestLamps:
    @pytest.mark.parametrize(
        ("happened", "lamps"),
        [
            pytest.param((), Lamps(), id="no-game-yet"),
            pytest.param((READY,), Lamps(red=True), id="red-begins"),
            pytest.param((READY, PLAYED), Lamps(white=True), id="white-replies"),
            pytest.param((READY, irregular()), Lamps(red=True, offence=True), id="offence"),
            pytest.param((READY, irregular(), events.Restored(0)), Lamps(red=True), id="restored"),
            pytest.param(
                (READY, events.NotWatching(0, "dark")), Lamps(red=True, offence=True), id="blind"
            ),
            pytest.param((READY, irregular(), events.Result(0, "1-0", "")), Lamps(), id="over"),
        ],
    )
    def test_they_show_the_turn_and_the_trouble(
        self, happened: tuple[events.Event, ...], lamps: Lamps
    ) -> None:
        assert lamps_of(standing(*happened)) == lamps


class TestSignals:
    def signals(self, mute: bool = False) -> tuple[FakePanel, Signals, list[str]]:
        fake, told = FakePanel(), list[str]()
        return fake, Signals(fake, told.append, mute), told

    def test_an_offence_lights_its_lamp_and_sounds(self) -> None:
        fake, signals, _ = self.signals()
        signals.show(standing(READY, PLAYED), announce(PLAYED))
        assert (fake.lamps, fake.beeps) == (Lamps(white=True), [])
        signals.show(standing(READY, irregular()), announce(RULED))
        assert (fake.lamps.offence, fake.beeps) == (True, [OFFENCE])
        signals.close()
        assert fake.lamps == Lamps()

    def test_mute_is_mute(self) -> None:
        fake, signals, _ = self.signals(mute=True)
        signals.show(standing(READY, irregular()), announce(RULED))
        signals.answer(())
        assert (fake.lamps.offence, fake.beeps) == (True, [])

    def test_a_panel_that_goes_is_told_of_once_and_the_game_goes_on(self) -> None:
        fake, signals, told = self.signals()
        fake.pull_out()
        for _ in range(3):
            assert signals.lines() == []
            signals.show(standing(READY), announce(RULED))
        assert told == ["the panel fails: it was pulled out; the game goes on without"]

    def test_every_button_says_something(self) -> None:
        assert set(LINES) == set(Button)


class TestInTheGame:
    def test_a_game_with_a_panel_is_replayed_without_a_difference(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        keeper, fake = Keeper(Shelf(tmp_path), "a test", days=0), FakePanel()
        words, signals = ["clock 30/60 button"], Signals(fake, pytest.fail)
        typed, game = Typed(keeper.feed, pytest.fail, words, None, signals), games.begin()
        for number in range(1, 40):
            if number % 10 == 0:
                fake.press(Button.CLOCK_RED, Button.CLOCK_WHITE)
            game, _ = typed.feed(game, Observation(100 * number, certain(START)))
        keeper.close()
        assert cli.main(["replay", "last", "--games", str(tmp_path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["differences"] == 0
        (journal,) = tmp_path.glob("*/journal.txt")
        assert '"origin":"panel"' in journal.read_text()
        assert fake.beeps == [HEARD] * 6

    def test_a_press_reaches_the_game_with_its_origin_and_is_answered(self) -> None:
        fed: list[Input] = []

        def feed(game: Game, given: Input) -> Step:
            fed.append(given)
            return games.feed(game, given)

        fake = FakePanel()
        typed = Typed(feed, pytest.fail, source=None, signals=Signals(fake, pytest.fail))
        game = games.begin()
        fake.press(Button.ADJUSTING, Button.CLAIM)
        typed.feed(game, Observation(100, certain(START)))
        commands = [
            (given.word.value, given.time_ms, given.origin)
            for given in fed
            if isinstance(given, Command)
        ]
        assert commands == [("adjusting", 100, "panel"), ("claim", 100, "panel")]
        assert isinstance(fed[-1], Observation)
        assert fake.beeps == [HEARD, REFUSED]
