"""Trains the two networks of the card reader and writes them as ONNX files; needs torch and onnx.

    python tools/cards/train.py finder OUT.onnx --scenes DIR [--photos DIR --aligned FILE] --minutes 15
    python tools/cards/train.py reader OUT.onnx --scenes DIR [--photos DIR --aligned FILE] --minutes 15

The finder looks at a whole picture in which corner indices are about 16 pixels high: for every 4 x 4 pixels, is the
middle of an index here, how high is it and which way is up; and for every 8 x 8, are smaller ones near. The reader
looks at one upright box around an index: which rank or none, which suit, and where and how slanted the index really
is. `--start` goes on from an ONNX file; `--without` leaves the photographs of one source out, to measure on it.
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
from networks import conv, save, with_weights_of

FINDER_SIDE = 160
TRAPPED = 0.4
"""A crop without an index whose probability to be none is below this is worth showing again."""
RANKS = len(data.RANKS)


def finder() -> nn.Sequential:
    """Seventeen outputs per 8 x 8 pixels: heat, log height and up of its four quarters, and smaller indices near."""
    last = nn.Conv2d(40, 17, 1)
    # Indices are rare: starting from "everywhere" would waste the first thousand steps.
    nn.init.zeros_(last.bias)
    nn.init.constant_(last.bias[:4], -4.0)
    nn.init.constant_(last.bias[16:], -3.0)
    return nn.Sequential(
        conv(3, 12, stride=2),
        conv(12, 20, stride=2),
        conv(20, 28),
        conv(28, 40, stride=2),
        conv(40, 40),
        conv(40, 40, spread=2),
        last,
    )


def reader() -> nn.Sequential:
    """Scores of no index, the ranks and jokers, of the suits; shift and change of frame to the true index."""
    return nn.Sequential(
        conv(3, 20, 5, stride=2),
        conv(20, 28),
        nn.MaxPool2d(2),
        conv(28, 40),
        conv(40, 48),
        nn.MaxPool2d(2),
        conv(48, 56),
        conv(56, 24, 1),
        nn.Dropout(0.1),
        nn.Conv2d(24, 56, (8, 6)),
        nn.ReLU(),
        nn.Conv2d(56, RANKS + 4 + 6, 1),
    )


def finder_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    pixels, maps, placed, counts, near, near_counts = batch
    outputs = net(pixels).float()
    unfolded = nn.functional.pixel_shuffle(outputs[:, :16], 2)
    logit = unfolded[:, 0]
    hit = (maps[:, 0] == 1).float()
    likely = torch.sigmoid(logit)
    found = -nn.functional.logsigmoid(logit) * (1 - likely) ** 2 * hit
    quiet = -nn.functional.logsigmoid(-logit) * likely**2 * (1 - maps[:, 0]) ** 4 * (1 - hit)
    heat_loss = ((found + quiet) * counts).sum() / hit.sum().clamp(min=1)
    off = (unfolded[:, 1:] - maps[:, 1:]).abs().sum(1) * placed
    closer = nn.functional.binary_cross_entropy_with_logits(outputs[:, 16], near, reduction="none") * near_counts
    closer_loss = 4 * closer.sum() / near_counts.sum().clamp(min=1)
    return heat_loss + off.sum() / placed.sum().clamp(min=1) + closer_loss, logit


def reader_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    pixels, rank, suit, place = batch
    outputs = net(pixels)[:, :, 0, 0].float()
    read = nn.functional.cross_entropy(outputs[:, :RANKS], rank, label_smoothing=0.01)
    suited = nn.functional.cross_entropy(outputs[:, RANKS : RANKS + 4], suit, label_smoothing=0.01)
    is_index = (rank > 0).float()[:, None]
    placed = (
        nn.functional.smooth_l1_loss(outputs[:, RANKS + 4 :], place, reduction="none", beta=0.05) * is_index
    ).sum()
    return read + suited + placed / is_index.sum().clamp(min=1), outputs


def load(args: argparse.Namespace, rng: np.random.Generator) -> data.Pool:
    """Drawn scenes and photographs, each kind as often as its share says."""
    scenes = [picture for folder in args.scenes for picture in data.load_scenes(folder)]
    photos = data.load_photos(args.photos, args.aligned, args.without) if args.aligned else []
    print(f"{len(scenes)} scenes, {len(photos)} photographs", flush=True)
    return data.Pool(rng, [(1 - args.photo_share, scenes), (args.photo_share, photos)])


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
        with torch.autocast("cpu", torch.bfloat16, enabled=args.half):
            loss, outputs = loss_of(net, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(net)
        if args.net == "reader":
            fooled = (batch[1] == 0) & (outputs[:, :RANKS].softmax(1)[:, 0] < TRAPPED)
            traps.remember(batch[0][fooled].numpy())
        step += 1
        mean += (loss.item() - mean) / min(step, 200)
        if step % 100 == 0:
            print(f"{done:4.0%} step {step} loss {mean:.4f}", flush=True)
    save(average.module, args.out, (64, 48))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--aligned", type=Path)
    parser.add_argument("--without", default="")
    parser.add_argument("--photo-share", type=float, default=0.3)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--half", action="store_true", help="compute with 16 bits where the processor is good at that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
