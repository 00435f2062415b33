"""The pictures of a film: hands and discs in motion, what the lens and the sensor make of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from referee.board import Side
from tests.benchmarks.second import hands
from tests.benchmarks.second.camera import Image, aimed
from tests.benchmarks.second.hands import Limb
from tests.benchmarks.second.stage import Stage
from tests.benchmarks.second.table import Disc, Table, darkened

RATES = (8.0, 10.0, 12.0)
BLURRED = 0.03
"""Squares that a hand goes in one exposure, from which on the picture shows it."""
TILE_PX = 64
"""How far the one picture of noise is pushed about at most, from frame to frame."""


@dataclass(frozen=True)
class Sensor:
    """What a camera makes of the light."""

    rate: float
    exposure_s: float
    gain: float
    """How much of a change in brightness it evens out."""
    flicker: float
    noise: float
    soft_px: float
    vignette: float
    barrel: float
    quality: int


def chosen(rng: np.random.Generator) -> Sensor:
    return Sensor(
        rate=float(rng.choice(RATES)),
        exposure_s=rng.uniform(0.012, 0.035),
        gain=rng.uniform(0, 0.2),
        flicker=rng.uniform(0, 0.012),
        noise=rng.uniform(1.2, 3.2),
        soft_px=rng.uniform(0.5, 0.9),
        vignette=rng.uniform(0.05, 0.18),
        barrel=float(rng.choice([0, 0, 0.06, 0.12])),
        quality=int(rng.integers(62, 90)),
    )


class Film:
    """Draws what happens on a stage."""

    def __init__(self, stage: Stage, rng: np.random.Generator) -> None:
        self._stage, self._rng = stage, rng
        self._sensor, self._table = chosen(rng), Table(aimed(rng), stage.scenery, rng)
        camera = self._table.camera
        width, height = camera.width, camera.height
        down, across = np.mgrid[0:height, 0:width].astype(np.float32)
        across, down = (across - width / 2) / (width / 2), (down - height / 2) / (width / 2)
        out = across**2 + down**2
        self._vignette = (1 - self._sensor.vignette * out).astype(np.float32)
        bend = (1 + self._sensor.barrel * out) / (1 + self._sensor.barrel * out.max())
        self._columns = (across * bend * width / 2 + width / 2).astype(np.float32)
        self._rows = (down * bend * width / 2 + height / 2).astype(np.float32)
        grain = rng.standard_normal((height + TILE_PX, width + TILE_PX, 3))
        coarse = cv2.GaussianBlur(grain, (0, 0), 0.8)
        self._noise = (self._sensor.noise * (0.55 * grain + 0.8 * coarse)).astype(np.float32)

    def pictures(self, end: float) -> Iterator[tuple[int, Image]]:
        """Each with its time in milliseconds."""
        gain, first = 1.0, 0.0
        for number in range(int(end * self._sensor.rate)):
            time = number / self._sensor.rate
            light = self.light(time)
            mean = float(light[::8, ::8].mean())
            first = first or mean
            # It sees slowly and weakly how bright the picture is.
            gain += 0.15 * (1 + self._sensor.gain * (first / mean - 1) - gain)
            yield round(1000 * time), self._photographed(light, gain)

    def light(self, time: float) -> Image:
        """What falls on the sensor while it is exposed."""
        later = time + self._sensor.exposure_s
        ways = [self._stage.hand_at(hand, later) - self._stage.hand_at(hand, time) for hand in Side]
        far = max(float(np.linalg.norm(way)) for way in ways)
        if far < BLURRED:
            return self._sharp(time)
        count = 2 if far < 5 * BLURRED else 3
        shots = [self._sharp(time + self._sensor.exposure_s * n / count) for n in range(count)]
        return np.asarray(np.mean(shots, axis=0), np.uint8)

    def _sharp(self, time: float) -> Image:
        lying, carried = self._stage.discs_at(time)
        seen = [self._limbs(hand, time) for hand in Side if not self._stage.is_away(hand, time)]
        image = self._table.with_discs(lying)
        if not seen:
            return image
        left = hands.shadow(self._table, [limb for limbs in seen for limb in limbs])
        if carried:
            high = max(0.0, *(disc.place[2] for disc in carried))
            left = np.minimum(
                left, self._table.shadow(carried, self._stage.scenery.soft_px + 3 * high)
            )
        image = darkened(image, left)
        self._draw_carried(image, lying, carried)
        for limbs in seen:
            hands.paint(image, self._table, limbs)
        return image

    def _draw_carried(
        self, image: Image, lying: tuple[Disc, ...], carried: tuple[Disc, ...]
    ) -> None:
        """Those that are carried, and before a low one those that lie nearer."""
        table = self._table
        for disc in table.by_distance(carried):
            table.draw(image, disc)
            for other in table.by_distance(lying):
                close = float(np.hypot(*np.subtract(disc.place, other.place)[:2])) < 1.7
                nearer = table.nearness(other) > table.nearness(disc)
                if close and nearer and disc.place[2] < 0.4:
                    table.draw(image, other)

    def _limbs(self, hand: Side, time: float) -> list[Limb]:
        stage, person = self._stage, self._stage.people[hand]
        tip = stage.hand_at(hand, time)
        out = (tip[1] - 4) * person.out - 4 - stage.scenery.border
        low = min(1.0, max(0.0, out - 0.1)) if tip[2] < 0.6 else 0.0
        flat = 1.0 if out > 3 else low
        tip = tip + 0.012 * np.array([np.sin(7 * time), np.cos(6 * time), 0])
        return hands.hand(person, tip, flat, 1.02 * stage.scenery.radius)

    def _photographed(self, light: Image, gain: float) -> Image:
        sensor, (height, width) = self._sensor, light.shape[:2]
        if sensor.barrel:
            bent = cv2.remap(light, self._columns, self._rows, cv2.INTER_LINEAR)
            light = np.asarray(bent, np.uint8)
        soft = cv2.GaussianBlur(light, (0, 0), sensor.soft_px)
        gain *= 1 + sensor.flicker * self._rng.standard_normal()
        down, across = self._rng.integers(0, TILE_PX, 2)
        noise = self._noise[down : down + height, across : across + width]
        grainy = soft * (np.float32(gain) * self._vignette)[..., None] + noise
        whole = np.clip(grainy, 0, 255).astype(np.uint8)
        packed = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
