"""Every disc that was found is looked at once more, from closer by: one or two, and where?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.arrays import Image
from referee.eye.light import Light
from referee.eye.outlines import outlines
from referee.eye.patches import Patches, in_patch, in_plane
from referee.eye.portraits import Portraitist
from referee.eye.ranker import Ranker
from referee.eye.reader import KING, LIKELY, MAN, Cells


def look_again(
    image: Image,
    portraitist: Portraitist,
    patches: Patches,
    cells: Cells,
    light: Light,
    radius: float | None = None,
    thickness: float | None = None,
) -> Cells:
    """The cells of these patches with the ranks and places of their discs as seen from closer by.

    `radius` is that of the set's discs, in squares; if it is not known, these discs tell it. Where
    their `thickness` is not known their outlines say nothing.
    """
    presence = np.logaddexp(cells.kinds[:, MAN], cells.kinds[:, KING])
    discs = np.flatnonzero(np.exp(presence) > LIKELY)
    if len(discs) == 0:
        return cells
    which = patches.which[discs]
    feet = in_plane(patches.points[discs], cells.centres[discs])
    common = radius or float(np.median(cells.radii[discs]))
    radii = np.full(len(discs), common, np.float32)
    ranks, kinds, centres = cells.ranks.copy(), cells.kinds.copy(), cells.centres.copy()
    impressions = cells.impressions.copy()
    portraits = portraitist.draw(image, which, feet, radii)
    seen = Ranker.shipped().look(portraits, light.light[which])
    ranks[discs], impressions[discs] = seen.ranks, seen.impressions
    outlined = np.full(len(cells.outlines), np.nan, np.float32)
    if thickness is not None:
        outlined[discs] = outlines(portraits, thickness)
    found = portraitist.moved(which, feet, radii, seen.misses)
    centres[discs] = in_patch(patches.points[discs], found)
    kinds[:, [MAN, KING]] = presence[:, None] + np.logaddexp.reduce(ranks, axis=2)
    return replace(
        cells,
        kinds=kinds,
        ranks=ranks,
        centres=centres,
        impressions=impressions,
        outlines=outlined,
    )
