"""Train both networks on drawn scenes and write them: one command, one seed.

    python -m referee.eye.training --scenes 560 --seed 1

Both can go on from the networks as they are, on scenes that they have not learnt from yet:

    python -m referee.eye.training --onward --first 560 --scenes 500 --epochs 4 --disc-epochs 8

No photograph is used: all photographs are new to the networks.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx
import torch
from torch import nn

from referee.eye import features, portraits, ranker
from referee.eye.patches import SIZE
from referee.eye.training import cells, discs
from referee.eye.training.drawings import draw, kept
from referee.eye.training.examples import Cells, Discs

ASIDE = 10
"""Every tenth scene is never trained on; the printed errors are those of these scenes."""
EYE = Path(__file__).parents[1]


def export(network: nn.Module, sample: torch.Tensor, path: Path, origin: dict[str, object]) -> None:
    """Write a network as ONNX that OpenCV 4.6 reads, with where it comes from inside.

    `sample` is an input of the shape that one example has.
    """
    network = network.to(memory_format=torch.contiguous_format)
    names = {"input_names": ["seen"], "output_names": ["scores"]}
    axes = {"seen": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        network, (sample,), path, opset_version=11, dynamic_axes=axes, dynamo=False, **names
    )
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {"provenance": json.dumps(origin)})
    onnx.save(model, path)


def history(before: Path | None) -> dict[str, object]:
    """Where the network comes from that another went on from; empty if there was none."""
    if before is None:
        return {}
    properties = {part.key: part.value for part in onnx.load(before).metadata_props}
    return {"before": json.loads(properties["provenance"])}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=560, help="boards drawn, eight pictures each")
    parser.add_argument("--epochs", type=int, default=10, help="of the reader")
    parser.add_argument(
        "--disc-epochs", type=int, default=11, help="of the ranker, and half as many shorter ones"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="seed of the first board")
    parser.add_argument("--onward", action="store_true", help="go on from the present networks")
    parser.add_argument("--folder", type=Path, default=Path("sample_images/made/cells"))
    parser.add_argument("--out", type=Path, default=EYE, help="folder of both files")
    parser.add_argument("--only", choices=["reader", "ranker"])
    asked = parser.parse_args()
    seeds = list(range(asked.first, asked.first + asked.scenes))
    aside = [seed for seed in seeds if seed % ASIDE == ASIDE - 1]
    learnt = [seed for seed in seeds if seed not in aside]
    draw(seeds, asked.folder)
    origin = {"scenes": asked.scenes, "first": asked.first, "seed": asked.seed}
    if asked.only != "ranker":
        before = EYE / "reader.onnx" if asked.onward else None
        reader = cells.fit(kept(Cells, learnt, asked.folder), asked.epochs, asked.seed, before)
        errors = cells.judge(reader, kept(Cells, aside, asked.folder))
        print(json.dumps(errors, indent=1))
        sample = torch.zeros(1, features.CHANNELS, SIZE, SIZE)
        course = origin | {"epochs": asked.epochs, "aside": errors} | history(before)
        export(reader, sample, asked.out / "reader.onnx", course)
    if asked.only != "reader":
        before = EYE / "ranker.onnx" if asked.onward else None
        judge = discs.fit(kept(Discs, learnt, asked.folder), asked.disc_epochs, asked.seed, before)
        errors = discs.judge(judge, kept(Discs, aside, asked.folder))
        print(json.dumps(errors, indent=1))
        sample = torch.zeros(1, ranker.CHANNELS, portraits.HEIGHT, portraits.WIDTH)
        course = origin | {"epochs": asked.disc_epochs, "aside": errors} | history(before)
        export(judge, sample, asked.out / "ranker.onnx", course)


if __name__ == "__main__":
    main()
