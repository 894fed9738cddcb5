"""What the training of all small networks shares: layers, their ONNX files, and going on from such a file."""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn


def conv(inputs: int, outputs: int, size: int = 3, stride: int = 1, spread: int = 1) -> nn.Sequential:
    """A convolution whose batch normalisation melts into it in the file."""
    layer = nn.Conv2d(inputs, outputs, size, stride, spread * (size // 2), spread, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU())


def melted(net: nn.Sequential) -> nn.Sequential:
    """The same network, its batch normalisations melted into the convolutions."""
    net.eval()
    layers: list[nn.Module] = []
    for part in net:
        normed = isinstance(part, nn.Sequential)
        layers += [nn.utils.fuse_conv_bn_eval(part[0], part[1]), nn.ReLU()] if normed else [part]
    return nn.Sequential(*layers)


def with_weights_of(net: nn.Sequential, path: Path) -> nn.Sequential:
    """The network with the weights of a file; outputs that the file does not have yet come last and begin anew."""
    net = melted(net)
    stored = [torch.from_numpy(numpy_helper.to_array(each).copy()) for each in onnx.load(path).graph.initializer]
    layers = [part for part in net if isinstance(part, nn.Conv2d)]
    weights, biases = ([each for each in stored if (each.dim() > 1) == many] for many in (True, False))
    for layer, weight, bias in zip(layers, weights, biases, strict=True):
        layer.weight.data[: len(weight)], layer.bias.data[: len(bias)] = weight, bias
    layers[0].weight.data *= 255
    return net


def save(net: nn.Sequential, path: Path, crop_px: tuple[int, int]) -> None:
    """The ONNX file, for pictures of any size; `crop_px` is an example's."""
    net = melted(net)
    # The file takes pixels from 0 to 255: users save a division of every one of them.
    net[0].weight.data /= 255
    spare = path.with_suffix(".tmp")
    torch.onnx.export(
        net.eval(),
        (torch.zeros(1, 3, *crop_px),),
        str(spare),
        opset_version=11,
        dynamo=False,
        input_names=["pixels"],
        output_names=["scores"],
        dynamic_axes={"pixels": {0: "n", 2: "h", 3: "w"}, "scores": {0: "n", 2: "h", 3: "w"}},
    )
    spare.replace(path)
    net[0].weight.data *= 255
