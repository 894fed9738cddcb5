"""Trains the two networks of the dice reader and writes them as ONNX files; needs torch and onnx.

    python tools/dice/train.py finder OUT.onnx --rendered DIR [--photos DIR --aligned FILE] --minutes 20
    python tools/dice/train.py reader OUT.onnx --rendered DIR [--photos DIR --aligned FILE] --minutes 20

The finder looks at a whole picture in which dice are about 24 pixels wide: for every 4 x 4 pixels, is the
middle of a top face here, and how large is the die; and for every 8 x 8, are smaller dice near. The reader
looks at one square around that middle: no die or which value, and where the middle and the rim really are.
`--start` goes on from an ONNX file; `--without SOURCE` leaves the photographs of one source out, to measure on it.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
import data
import sketch
from networks import conv, save, with_weights_of

FINDER_SIDE = 160
TRAPPED = 0.4
"""A crop without a die whose probability to be none is below this is worth showing again."""


def finder() -> nn.Sequential:
    """Nine outputs per 8 x 8 pixels: heat and log edge of its four quarters, and smaller dice near."""
    last = nn.Conv2d(48, 9, 1)
    # Dice are rare: starting from "everywhere" would waste the first thousand steps.
    nn.init.constant_(last.bias[:4], -4.0)
    nn.init.zeros_(last.bias[4:8])
    nn.init.constant_(last.bias[8:], -3.0)
    return nn.Sequential(
        conv(3, 16, stride=2),
        conv(16, 24, stride=2),
        conv(24, 24),
        conv(24, 48, stride=2),
        conv(48, 48),
        conv(48, 48, spread=2),
        last,
    )


def reader() -> nn.Sequential:
    """Ten outputs: scores of no die and the values 1 to 6, shift and log scale to the true die."""
    return nn.Sequential(
        conv(3, 24, 5, stride=2),
        conv(24, 32),
        nn.MaxPool2d(2),
        conv(32, 48),
        conv(48, 48),
        nn.MaxPool2d(2),
        conv(48, 64),
        conv(64, 64),
        nn.MaxPool2d(2),
        conv(64, 32, 1),
        nn.Dropout(0.1),
        nn.Conv2d(32, 64, 4),
        nn.ReLU(),
        nn.Conv2d(64, 10, 1),
    )


def finder_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    pixels, heat, size, sized, counts, near, near_counts = batch
    outputs = net(pixels).float()
    logit, edge = nn.functional.pixel_shuffle(outputs[:, :8], 2).unbind(1)
    likely = torch.sigmoid(logit)
    hit = (heat == 1).float()
    found = -nn.functional.logsigmoid(logit) * (1 - likely) ** 2 * hit
    quiet = -nn.functional.logsigmoid(-logit) * likely**2 * (1 - heat) ** 4 * (1 - hit)
    wrong_size = (edge - size).abs() * sized
    heat_loss = ((found + quiet) * counts).sum() / hit.sum().clamp(min=1)
    closer = nn.functional.binary_cross_entropy_with_logits(outputs[:, 8], near, reduction="none") * near_counts
    closer_loss = 4 * closer.sum() / near_counts.sum().clamp(min=1)
    return heat_loss + wrong_size.sum() / sized.sum().clamp(min=1) + closer_loss, logit


def reader_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    pixels, value, place = batch
    outputs = net(pixels)[:, :, 0, 0].float()
    read = nn.functional.cross_entropy(outputs[:, :7], value, label_smoothing=0.02)
    is_die = (value > 0).float()[:, None]
    placed = (nn.functional.smooth_l1_loss(outputs[:, 7:], place, reduction="none", beta=0.05) * is_die).sum()
    return read + placed / is_die.sum().clamp(min=1), outputs


def load(args: argparse.Namespace, rng: np.random.Generator) -> data.Pool:
    """Sketches, rendered pictures and photographs, each kind as often as its share says."""
    sketches = [sketch.sketch(rng) for _ in range(args.sketches)]
    rendered = [data.load_rendered(folder) for folder in args.rendered]
    photos = data.load_photos(args.photos, args.aligned, args.without) if args.aligned else []
    print(f"{[len(folder) for folder in rendered]} rendered pictures, {len(photos)} photographs", flush=True)
    each = (1 - args.sketch_share - args.photo_share) / len(rendered)
    kinds = [(args.sketch_share, sketches), *((each, folder) for folder in rendered), (args.photo_share, photos)]
    return data.Pool(rng, kinds, sketch.sketch)


def train(args: argparse.Namespace) -> None:
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = np.random.default_rng(args.seed)
    net, loss_of = (finder(), finder_loss) if args.net == "finder" else (reader(), reader_loss)
    if args.start:
        net = with_weights_of(net, args.start)
    net.to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.997), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=0.01)
    pool, traps = load(args, rng), data.Traps(rng)
    if args.net == "finder":
        batches = data.finder_batches(pool, rng, 16, FINDER_SIDE)
    else:
        batches = data.reader_batches(pool, traps, rng, 64)
    started, step, mean = time.process_time(), 0, 0.0
    while (done := (time.process_time() - started) / (60 * args.minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * done))
        batch = tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in next(batches))
        # Half the bits take less than half the time on processors that know them.
        with torch.autocast("cpu", torch.bfloat16):
            loss, outputs = loss_of(net, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(net)
        if args.net == "reader":
            fooled = (batch[1] == data.NO_DIE) & (outputs[:, :7].softmax(1)[:, 0] < TRAPPED)
            traps.remember(batch[0][fooled].numpy())
        step += 1
        mean += (loss.item() - mean) / min(step, 200)
        if step % 100 == 0:
            print(f"{done:4.0%} step {step} loss {mean:.4f}", flush=True)
    save(average.module, args.out, (64, 64))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--rendered", type=Path, nargs="+", required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--aligned", type=Path)
    parser.add_argument("--without", default="")
    parser.add_argument("--photo-share", type=float, default=0.3)
    parser.add_argument("--sketch-share", type=float, default=0.35)
    parser.add_argument("--sketches", type=int, default=600)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
