"""Learns what marks look like from the tables that `tools.marks.tables` drew, and writes the networks.

    python -m tools.marks.train look FOLDER --out vision/marks.onnx --epochs 14
    python -m tools.marks.train glance FOLDER --out vision/marks_glance.onnx --epochs 8
    python -m tools.marks.train together FOLDER --out vision/marks_together.onnx --epochs 10

Needs torch and onnx, which nothing else here does. Every eighth table is kept aside: its regions set the
temperature that makes the probabilities honest, and the figures printed at the end are theirs.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tools.marks.tables import CLASSES, UNKNOWN
from vision.change import CHANNELS
from vision.marks import looked_over
from vision.regions import PATCH_PX
from vision.together import ANSWERS, FEATURES, features

NEAR, WIDE, PAPER = slice(0, 3), slice(4, 7), slice(8, 11)
DARK, GAMMA = 0.012, 2.2  # as in vision.samples
HIDDEN = CLASSES.index("hidden")
MOST_RATE = 4e-3
KNOWN = 0.99
MOST_LOSS = 7.0  # beyond this nothing is taught: ink that nobody can see would only teach doubt about clean paper


def glance() -> nn.Sequential:
    """Sees only what is near, at half the size: enough for most regions, at an eighth of the cost."""
    return nn.Sequential(
        nn.Conv2d(7, 24, 3, 2, 1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.Conv2d(24, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Flatten(), nn.Linear(32 * 4 * 4, 48), nn.ReLU(),
        nn.Linear(48, len(CLASSES)),
    )  # fmt: skip


def look() -> nn.Sequential:
    """Sees all there is of a region, for those that a glance leaves open."""
    return nn.Sequential(
        nn.Conv2d(CHANNELS, 24, 3, 2, 1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.Conv2d(24, 48, 3, 2, 1), nn.BatchNorm2d(48), nn.ReLU(),
        nn.Conv2d(48, 48, 3, 1, 1), nn.BatchNorm2d(48), nn.ReLU(),
        nn.Conv2d(48, 48, 3, 1, 1), nn.BatchNorm2d(48), nn.ReLU(),
        nn.Conv2d(48, 80, 3, 2, 1), nn.BatchNorm2d(80), nn.ReLU(),
        nn.Flatten(), nn.Linear(80 * 4 * 4, 64), nn.ReLU(),
        nn.Linear(64, len(CLASSES)),
    )  # fmt: skip


def together() -> nn.Sequential:
    """Weighs what each region of a board looked like alone against the company it keeps."""
    return nn.Sequential(
        nn.BatchNorm1d(FEATURES, affine=False),
        nn.Linear(FEATURES, 96), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(96, 64), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(64, len(CLASSES)),
    )  # fmt: skip


def varied(x: Tensor, y: Tensor, random: torch.Generator) -> Tensor:
    """The same regions turned, in other ink, other light and with other small errors of the pipeline."""
    x = x if torch.rand(1, generator=random) < 0.5 else x.flip(2)
    x = x.rot90(int(torch.randint(4, (1,), generator=random)), (2, 3))
    dx, dy = (int(n) for n in torch.randint(-1, 2, (2,), generator=random))
    x = x.roll((dx, dy), (2, 3))
    order = [int(n) for n in torch.randperm(3, generator=random)]
    x = x[:, [*order, 3, *(4 + n for n in order), 7, *(8 + n for n in order)]]
    count = len(x)
    strength = torch.exp(
        torch.randn((count, 1, 1, 1), generator=random) * 0.2 + torch.randn((count, 3, 1, 1), generator=random) * 0.08
    )
    # Also frames with hardly any noise are met, and the clean picture itself.
    calm = (torch.rand(count, generator=random) < 0.25) & (y == CLASSES.index("empty"))
    how_calm = torch.rand((int(calm.sum()), 1, 1, 1), generator=random) - 0.25
    strength[calm] *= how_calm.clamp(min=0)
    light = 0.03 * torch.rand((count, 1, 1, 1), generator=random) * torch.randn((count, 3, 1, 1), generator=random)
    x[:, NEAR] = x[:, NEAR] * strength + light + _blots(y, random)
    x[:, WIDE] = x[:, WIDE] * strength + light
    x = _outlined(x, random)
    x[:, NEAR] *= x[:, 3:4]
    x[:, WIDE] *= x[:, 7:8]
    return x.clamp_(-3, 3)


def _outlined(x: Tensor, random: torch.Generator) -> Tensor:
    """Rings and frames printed where our kit has none, with the crumbs that resampling leaves along their edges."""
    count = len(x)
    across = torch.arange(32) - 15.5
    ring = torch.sqrt(across[None, :] ** 2 + across[:, None] ** 2)
    frame = torch.maximum(across.abs()[None, :], across.abs()[:, None])
    distance = torch.where(torch.rand((count, 1, 1), generator=random) < 0.6, ring, frame)
    radius = 7 + 7 * torch.rand((count, 1, 1), generator=random)
    line = (1.4 - (distance - radius).abs()).clamp(0, 1)[:, None]
    line = line * (torch.rand((count, 1, 1, 1), generator=random) < 0.3)
    x[:, PAPER] *= 1 - line * (0.1 + 0.7 * torch.rand((count, 1, 1, 1), generator=random))
    crumbs = torch.randn((count, 3, 32, 32), generator=random) * 0.7 + torch.randn((count, 1, 32, 32), generator=random)
    x[:, NEAR] += 0.12 * torch.rand((count, 1, 1, 1), generator=random) ** 2 * crumbs * line
    return x


def _blots(y: Tensor, random: torch.Generator) -> Tensor:
    """Colour noise as coarse as cameras leave it in dim light, and the tint that a cloth leaves of wiped ink."""
    count = len(y)
    blots = torch.randn((count, 4, 8, 8), generator=random)
    blots = functional.interpolate(blots, 32, mode="bilinear")
    noise = 0.25 * torch.rand((count, 1, 1, 1), generator=random) ** 3 * blots[:, :3]
    chosen = (torch.rand(count, generator=random) < 0.08) & (y == CLASSES.index("empty"))
    tint = -0.07 * torch.rand((count, 3, 1, 1), generator=random) * torch.rand((count, 1, 1, 1), generator=random)
    return noise + tint * torch.sigmoid(3 * blots[:, 3:]) * chosen[:, None, None, None]


def at_a_glance(x: Tensor) -> Tensor:
    """What the glance sees of a look's input: the mean of a camera's pixels, two by two, is taken before logarithms."""
    says, paper = x[:, 3:4], x[:, PAPER].clamp(min=0) ** 2
    now = ((paper + DARK) * torch.exp(x[:, NEAR]) - DARK).clamp(min=0)
    small, paper_small = (functional.avg_pool2d(light ** (1 / GAMMA), 2) ** GAMMA for light in (now, paper))
    says = (functional.avg_pool2d(says, 2) > 0.5).float()
    change = torch.log((small + DARK) / (paper_small + DARK)) * says
    return torch.cat([change, says, paper_small.sqrt()], dim=1)


def unpacked(x: np.ndarray) -> Tensor:
    return (torch.from_numpy(x).float() - 180) / 60


def regions(table: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """What the networks that see one region at a time learn from one table."""
    return table["x"].reshape(-1, CHANNELS, PATCH_PX, PATCH_PX), table["y"].ravel()


def boards(table: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """What the network that weighs a whole board learns from one table; the other two are asked for it."""
    parts = zip(table["x"], table["square"], table["near"], strict=True)
    x = np.concatenate([features(_alone(x, square), square, near) for x, square, near in parts])
    return x, table["y"].ravel()


def _alone(x: np.ndarray, square: np.ndarray) -> np.ndarray:
    inputs = unpacked(x)
    glances, closer = at_a_glance(inputs).numpy(), inputs.numpy()
    return looked_over(glances, square, lambda doubtful: closer[doubtful])


@dataclass(frozen=True)
class Recipe:
    """A network, what it learns from, what it is shown while it learns, and what it sees afterwards."""

    net: Callable[[], nn.Sequential]
    from_table: Callable[[Mapping[str, np.ndarray]], tuple[np.ndarray, np.ndarray]]
    taught: Callable[[np.ndarray, Tensor, torch.Generator], Tensor]
    seen: Callable[[np.ndarray], Tensor]
    square: Callable[[np.ndarray], np.ndarray | bool] = lambda x: False
    """Which of the inputs are known to be squares of the city: how those are marked makes no difference."""
    batch: int = 384
    seen_again: float = 0.2
    """How much of what is known already is seen in an epoch."""

    def load(self, files: list[Path]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The inputs, the classes, and which of them are kept aside."""
        xs, ys, asides = [], [], []
        for file in files:
            x, y = self.from_table(np.load(file))
            known = y != UNKNOWN
            xs.append(x[known])
            ys.append(y[known].astype(np.uint8))
            asides.append(np.full(known.sum(), int(file.stem) % 8 == 0))
        return np.concatenate(xs), np.concatenate(ys), np.concatenate(asides)


RECIPES = {
    "look": Recipe(look, regions, lambda x, y, random: varied(unpacked(x), y, random), unpacked),
    "glance": Recipe(
        glance,
        regions,
        lambda x, y, random: at_a_glance(varied(unpacked(x), y, random)),
        lambda x: at_a_glance(unpacked(x)),
    ),
    "together": Recipe(
        together,
        boards,
        lambda x, y, random: torch.from_numpy(x),
        torch.from_numpy,
        lambda x: x[:, ANSWERS] > 0,
        batch=1024,
        seen_again=1.0,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=RECIPES)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--start", type=Path, help="a .pt file to go on from")
    parser.add_argument("--rate", type=float, default=MOST_RATE, help="the highest learning rate")
    options = parser.parse_args()
    torch.manual_seed(1)
    recipe = RECIPES[options.network]
    x, y, aside = recipe.load([file for folder in options.folder for file in sorted(folder.glob("*.npz"))])
    test = np.flatnonzero(aside)
    square = recipe.square(x[test])
    net = recipe.net()
    if options.start:
        net.load_state_dict(torch.load(options.start))
    for epoch in learn(net, recipe, x, y, np.flatnonzero(~aside), options):
        print(f"{epoch}, aside {_loss(judged(net, recipe, x[test]), y[test], square):.4f}", flush=True)
    torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    logits = judged(net, recipe, x[test])
    temperature = min(np.arange(0.6, 2.5, 0.02), key=lambda t: _loss(logits / t, y[test], square))
    _report(logits / temperature, y[test], square, temperature)
    counts = np.bincount(y[~aside], minlength=len(CLASSES))
    write(net, recipe.seen(x[:1]), float(temperature), counts, options.out)


def learn(
    net: nn.Sequential, recipe: Recipe, x: np.ndarray, y: np.ndarray, train: np.ndarray, options: argparse.Namespace
) -> Iterator[str]:
    """Teaches the network, and tells after every epoch how it goes."""
    random = torch.Generator().manual_seed(1)
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=0.02)
    known = np.zeros(len(y), np.float32)  # how well each region was told when it was last seen
    for epoch in range(options.epochs):
        net.train()
        losses = []
        chance = np.random.default_rng(epoch)
        # What is known already is seen less often, and counts for those that were left out.
        picked = train[(known[train] < KNOWN) | (chance.random(len(train)) < recipe.seen_again)]
        batches = np.array_split(chance.permutation(picked), max(1, len(picked) // recipe.batch))
        for number, chosen in enumerate(batches):
            for group in optimiser.param_groups:
                group["lr"] = options.rate * _pace((epoch + number / len(batches)) / options.epochs)
            labels = torch.from_numpy(y[chosen]).long()
            weights = torch.from_numpy(np.where(known[chosen] < KNOWN, 1, 1 / recipe.seen_again)).float()
            loss = _losses(net(recipe.taught(x[chosen], labels, random)), labels, recipe.square(x[chosen]))
            optimiser.zero_grad()
            ((loss.clamp(max=MOST_LOSS) * weights).sum() / weights.sum()).backward()
            optimiser.step()
            known[chosen] = np.exp(-loss.detach().numpy())
            losses.append(float((loss.detach() * weights).sum() / weights.sum()))
        yield f"epoch {epoch + 1}: {len(picked)} seen, {np.mean(losses):.4f}"


def _pace(done: float) -> float:
    """The share of the learning rate: a short warming up, then down along a cosine."""
    return float(min(done / 0.08, 0.5 * (1 + np.cos(np.pi * done)) + 0.005))


def judged(net: nn.Module, recipe: Recipe, x: np.ndarray) -> Tensor:
    net.eval()
    with torch.no_grad():
        return torch.cat([net(recipe.seen(x[i : i + 2048])) for i in range(0, len(x), 2048)])


def _loss(logits: Tensor, y: np.ndarray, square: np.ndarray | bool) -> float:
    return float(_losses(logits, torch.from_numpy(y).long(), square).mean())


def _losses(logits: Tensor, labels: Tensor, square: np.ndarray | bool) -> Tensor:
    chances = logits.log_softmax(1)
    ink = chances[:, 1:HIDDEN].logsumexp(1, keepdim=True).expand(-1, HIDDEN - 1)
    merged = torch.cat([chances[:, :1], ink, chances[:, HIDDEN:]], dim=1)
    alike = torch.as_tensor(square).expand(len(logits))
    return -torch.where(alike[:, None], merged, chances).gather(1, labels[:, None])[:, 0]


def _report(logits: Tensor, y: np.ndarray, square: np.ndarray | bool, temperature: float) -> None:
    chance, alike = logits.softmax(1).numpy(), np.broadcast_to(square, len(y))
    drawn = alike & (y > 0) & (y < HIDDEN)
    chance[alike, 1], chance[alike, 2:HIDDEN], y = chance[alike, 1:HIDDEN].sum(axis=1), 0, np.where(drawn, 1, y)
    guess, sure = chance.argmax(1), chance.max(1)
    print(f"temperature {temperature:.2f}; right {np.mean(guess == y):.4f}")
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 0.999), (0.999, 1.01)):
        at = (sure >= low) & (sure < high)
        if at.any():
            print(
                f"  said {low:.3f}-{min(high, 1):.3f}: {at.sum():6d} regions, right {np.mean(guess[at] == y[at]):.4f}"
            )


def write(net: nn.Sequential, example: Tensor, temperature: float, counts: np.ndarray, path: Path) -> None:
    """The network as ONNX that OpenCV 4.6 reads, its normalisations folded in.

    It answers with log-likelihoods: how often each class was met while learning is taken out again.
    """
    plain: list[nn.Module] = []
    for layer in net:
        if isinstance(layer, nn.Dropout):
            continue
        if isinstance(layer, nn.Linear) and plain and isinstance(plain[-1], nn.BatchNorm1d):
            plain[-1] = _normalising(plain[-1], layer)
        elif isinstance(layer, nn.BatchNorm2d):
            plain[-1] = nn.utils.fusion.fuse_conv_bn_eval(plain[-1].eval(), layer.eval())  # type: ignore[type-var]
        else:
            plain.append(layer)
    last = plain[-1]
    assert isinstance(last, nn.Linear)
    with torch.no_grad():
        last.weight /= temperature
        last.bias /= temperature
        last.bias -= torch.log(torch.from_numpy(counts / counts.sum()).float())
    torch.onnx.export(
        nn.Sequential(*plain).eval(), (example,), str(path), opset_version=11, dynamo=False,
        input_names=["regions"], output_names=["likelihoods"],
        dynamic_axes={"regions": {0: "n"}, "likelihoods": {0: "n"}},
    )  # fmt: skip


def _normalising(norm: nn.BatchNorm1d, layer: nn.Linear) -> nn.Linear:
    """The layer with the normalisation of its inputs folded in."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    with torch.no_grad():
        layer.weight /= torch.sqrt(norm.running_var + norm.eps)
        layer.bias -= layer.weight @ norm.running_mean
    return layer


if __name__ == "__main__":
    main()
