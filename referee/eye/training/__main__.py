"""Train the networks on drawn scenes and write them: one command, one seed.

    python -m referee.eye.training --scenes 560 --seed 1
    python -m referee.eye.training --scenes 560 --seed 1 --only comparer

The comparer learns from what the two others, as they are shipped, make of discs. No photograph is
used: all photographs are new to the networks.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import onnx
import torch
from torch import nn

from referee.eye import comparer, features, portraits, ranker
from referee.eye.patches import SIZE
from referee.eye.training import cells, comparing, discs
from referee.eye.training.companies import Companies, companies_of
from referee.eye.training.drawings import draw, kept
from referee.eye.training.examples import Cells, Discs, examples_of

ASIDE = 10
"""Every tenth scene is never trained on; the printed errors are those of these scenes."""
EYE = Path(__file__).parents[1]
NETWORKS = ["reader", "ranker", "comparer"]


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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=560, help="boards drawn, eight pictures each")
    parser.add_argument("--epochs", type=int, default=10, help="of the reader")
    parser.add_argument(
        "--disc-epochs", type=int, default=11, help="of the ranker, and half as many shorter ones"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("sample_images/made/cells"))
    parser.add_argument("--out", type=Path, default=EYE, help="folder of the files")
    parser.add_argument(
        "--only", choices=NETWORKS, help="the comparer learns from the two others that are shipped"
    )
    asked = parser.parse_args()
    seeds = list(range(asked.scenes))
    aside = seeds[ASIDE - 1 :: ASIDE]
    learnt = [seed for seed in seeds if seed not in aside]
    networks = [asked.only] if asked.only else NETWORKS[:2]
    origin = {"scenes": asked.scenes, "seed": asked.seed}
    if networks != ["comparer"]:
        draw(examples_of, seeds, asked.folder)
    if "reader" in networks:
        reader = cells.fit(kept(Cells, learnt, asked.folder), asked.epochs, asked.seed)
        errors = cells.judge(reader, kept(Cells, aside, asked.folder))
        print(json.dumps(errors, indent=1))
        sample = torch.zeros(1, features.CHANNELS, SIZE, SIZE)
        origin |= {"epochs": asked.epochs, "aside": errors}
        export(reader, sample, asked.out / "reader.onnx", origin)
    if "ranker" in networks:
        judge = discs.fit(kept(Discs, learnt, asked.folder), asked.disc_epochs, asked.seed)
        errors = discs.judge(judge, kept(Discs, aside, asked.folder))
        print(json.dumps(errors, indent=1))
        sample = torch.zeros(1, ranker.CHANNELS, portraits.HEIGHT, portraits.WIDTH)
        origin |= {"epochs": asked.disc_epochs, "aside": errors}
        export(discs.Telling(judge), sample, asked.out / "ranker.onnx", origin)
    if "comparer" in networks:
        folder = asked.folder / "companies"
        draw(companies_of, seeds, folder)
        network = comparing.fit(kept(Companies, learnt, folder), asked.seed)
        errors = comparing.judge(network, kept(Companies, aside, folder))
        print(json.dumps(errors, indent=1))
        origin |= {"epochs": comparing.EPOCHS, "aside": errors}
        export(network, torch.zeros(1, comparer.INPUTS), asked.out / "comparer.onnx", origin)


if __name__ == "__main__":
    main()
