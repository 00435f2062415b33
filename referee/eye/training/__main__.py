"""Train the networks on drawn and path-traced scenes and write them: one command, one seed.

    python -m referee.eye.training                                       # all five, from nothing
    python -m referee.eye.training --only ranker --further --epochs 6    # one, from what it is

The comparer learns from what reader and ranker, as they are shipped, make of discs, and the shadows
from what the recaller leaves untold. No photograph is used: all are new to the networks.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import onnx
import torch
from torch import nn

from referee.eye import comparer, features, portraits, ranker, recaller, shadows
from referee.eye.patches import SIZE
from referee.eye.training import cells, comparing, discs, grounds, recalling, shading, tracings
from referee.eye.training.companies import Companies, companies_of, traced_companies_of
from referee.eye.training.drawings import ExamplesOf, draw, kept
from referee.eye.training.examples import Cells, Discs, Kind, examples_of, joined
from referee.eye.training.repeats import Repeats, repeats_of, traced_repeats_of

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


COURSES: tuple[dict[str, object], ...] = (
    {"only": "reader", "scenes": 504, "traced": 0, "epochs": 13},
    {"only": "ranker", "scenes": 504, "traced": 0, "epochs": 16},
    {"only": "reader", "scenes": 200, "traced": 54, "epochs": 2, "further": True},
    {"only": "ranker", "scenes": 200, "traced": 54, "epochs": 6, "further": True},
    {"only": "comparer", "scenes": 120, "traced": 54},
    {"only": "recaller", "scenes": 260, "traced": 40, "epochs": 14},
    {"only": "recaller", "scenes": 130, "traced": 40, "epochs": 6, "further": True},
    {"only": "recaller", "scenes": 168, "traced": 0, "epochs": 6, "further": True},
    {"only": "recaller", "scenes": 168, "traced": 0, "epochs": 7, "further": True, "seed": 2},
    {"only": "shadows", "scenes": 403, "traced": 0, "epochs": 12},
)
"""All that the shipped networks have gone through, in order; the first two were on discs with sharp
edges, which are drawn no more, and all but the last three on kings whose discs hardly lay askew."""


GO_ON = ("reader", "ranker", "recaller")
"""Those that can be taught further."""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=560, help="boards drawn")
    parser.add_argument("--traced", type=int, default=100, help="boards traced")
    parser.add_argument(
        "--epochs", type=int, default=11, help="of all but the comparer, before some shorter ones"
    )
    parser.add_argument(
        "--further",
        action="store_true",
        help=f"go on from the network that is there: {', '.join(GO_ON)}",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("sample_images/made/cells"))
    parser.add_argument("--out", type=Path, default=EYE, help="folder of the files")
    parser.add_argument("--only", choices=TRAININGS, help="this network, and as the options say")
    asked = parser.parse_args()
    if asked.further and asked.only not in GO_ON:
        parser.error(f"--further takes --only and one of {', '.join(GO_ON)}")
    if asked.further and not Path(asked.out, f"{asked.only}.onnx").exists():
        parser.error(f"there is no {asked.only}.onnx in {asked.out} to go on from")
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.only:
        TRAININGS[asked.only](asked)
        return
    if asked.out != EYE:
        parser.error("all five go where others learn from them: --out takes --only")
    for course in COURSES:
        TRAININGS[str(course["only"])](argparse.Namespace(**vars(asked) | course))


def _reader(asked: argparse.Namespace) -> None:
    learnt, aside = _two_kinds(asked, Cells, examples_of, tracings.examples_of, asked.folder)
    reader = cells.fit(learnt, asked.epochs, asked.seed, _known(asked))
    errors = {kind: cells.judge(reader, examples) for kind, examples in aside.items()}
    sample = torch.zeros(1, features.CHANNELS, SIZE, SIZE)
    _written(asked, reader, sample, _course(asked) | {"aside": errors})


def _ranker(asked: argparse.Namespace) -> None:
    learnt, aside = _two_kinds(asked, Discs, examples_of, tracings.examples_of, asked.folder)
    network = discs.fit(learnt, asked.epochs, asked.seed, _known(asked))
    errors = {kind: discs.judge(network, examples) for kind, examples in aside.items()}
    sample = torch.zeros(1, ranker.CHANNELS, portraits.HEIGHT, portraits.WIDTH)
    _written(asked, discs.Telling(network), sample, _course(asked) | {"aside": errors})
    print(f"{int(learnt.king.sum())} kings among {len(learnt.king)} discs, see stacks.LEARNT")


def _known(asked: argparse.Namespace) -> bytes | None:
    """The network from which it goes on, if it does not begin from nothing."""
    return Path(asked.out, f"{asked.only}.onnx").read_bytes() if asked.further else None


def _course(asked: argparse.Namespace) -> dict[str, object]:
    """How a network was taught that can be taught further."""
    known = _known(asked)
    origin = {"further from": hashlib.sha256(known).hexdigest()} if known else {}
    return {"epochs": asked.epochs} | origin


def _comparer(asked: argparse.Namespace) -> None:
    others = _digests("reader", "ranker")  # whose answers are kept: those of others are not theirs
    folder = asked.folder / "companies" / "-".join(others.values())
    learnt, aside = _two_kinds(asked, Companies, companies_of, traced_companies_of, folder)
    network = comparing.fit(learnt, asked.seed)
    errors = {kind: comparing.judge(network, examples) for kind, examples in aside.items()}
    origin = {"epochs": comparing.EPOCHS, "aside": errors} | others
    _written(asked, network, torch.zeros(1, comparer.INPUTS), origin)


def _digests(*names: str) -> dict[str, str]:
    """Which the shipped networks are from whose answers another one learns."""
    shipped = {name: Path(EYE, f"{name}.onnx").read_bytes() for name in names}
    return {name: hashlib.sha256(onnx_file).hexdigest()[:12] for name, onnx_file in shipped.items()}


def _recaller(asked: argparse.Namespace) -> None:
    folder = asked.folder / "repeats"
    learnt, aside = _two_kinds(asked, Repeats, repeats_of, traced_repeats_of, folder)
    network = recalling.fit(learnt, asked.epochs, asked.seed, _known(asked))
    errors = {kind: recalling.judge(network, examples) for kind, examples in aside.items()}
    sample = torch.zeros(1, recaller.CHANNELS, portraits.HEIGHT, portraits.WIDTH)
    _written(asked, network, sample, _course(asked) | {"aside": errors})


def _shadows(asked: argparse.Namespace) -> None:
    folder = asked.folder / "grounds"
    numbers = grounds.chosen(asked.scenes)
    draw(grounds.grounds_of, numbers, folder)
    learnt, aside = (
        kept(grounds.Grounds, [numbers[i] for i in part], folder) for part in _parted(len(numbers))
    )
    network = shading.fit(learnt, asked.epochs, asked.seed)
    errors = {"drawn": shading.judge(network, aside)}
    sample = torch.zeros(1, shadows.CHANNELS, shadows.RINGS, shadows.WAYS + 2 * shadows.OVERLAP)
    origin = {"epochs": asked.epochs, "traced": 0, "aside": errors} | _digests("recaller")
    _written(asked, network, sample, origin)


TRAININGS = {
    "reader": _reader,
    "ranker": _ranker,
    "comparer": _comparer,
    "recaller": _recaller,
    "shadows": _shadows,
}


def _parted(count: int) -> tuple[list[int], list[int]]:
    """Numbers of the boards that are learnt from, and of those kept aside."""
    seeds = list(range(count))
    aside = seeds[ASIDE - 1 :: ASIDE]
    return [seed for seed in seeds if seed not in aside], aside


def _two_kinds(
    asked: argparse.Namespace,
    kind: type[Kind],
    from_seed: ExamplesOf,
    from_tracings: Callable[[Path, int], tuple[object, ...]],
    folder: Path,
) -> tuple[Kind, dict[str, Kind]]:
    """Examples of drawn and of traced boards to learn from, and those of each kept aside."""
    traced = asked.folder / "traced"
    boards, others = _parted(asked.scenes), _parted(asked.traced)
    tracings.trace([seed for part in others for seed in part], traced)
    draw(from_seed, [seed for part in boards for seed in part], folder)
    of_traced = folder / "of traced"
    draw(partial(from_tracings, traced), [s for part in others for s in part], of_traced)
    kinds = {"drawn": (*boards, folder), "traced": (*others, of_traced)}
    learnt = [kept(kind, seeds, where) for seeds, _, where in kinds.values() if seeds]
    aside = {name: kept(kind, part, where) for name, (_, part, where) in kinds.items() if part}
    return joined(learnt), aside


def _written(
    asked: argparse.Namespace, network: nn.Module, sample: torch.Tensor, origin: dict[str, object]
) -> None:
    print(json.dumps(origin, indent=1))
    boards = {"scenes": asked.scenes, "traced": asked.traced, "seed": asked.seed}
    export(network, sample, asked.out / f"{asked.only}.onnx", boards | origin)


if __name__ == "__main__":
    main()
