"""The one shape all nets have, and their file.

See crates/search/src/net: this module must say the same.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from rows import Batch, Shape

ONE = 255
WEIGHT_ONE = 256
MOST_WEIGHT = 127
# No number of the first layer is beyond this, and no sum beyond what 16 bits hold.
CLIP = 1.98
MOST_SUM = 32767
# The program takes no wider nets.
MOST_NEURONS = 2048
# With more features than this, a batch as a matrix of zeros and ones is too large.
DENSE = 2048


class Net(nn.Module):
    """Two views, one layer of sums, clipped squares, a last layer for each bucket."""

    def __init__(self, shape: Shape, neurons: int) -> None:
        super().__init__()
        self.shape = shape
        self.neurons = neurons
        # Whether numbers are rounded before they are used, so that the net learns to
        # live with it.
        self.rounds = False
        # Small: a feature that is rarely seen must not keep the noise it began with.
        bound = 0.25 * shape.most**-0.5
        # The last row stands for "no feature" and stays zero.
        rows = torch.empty(shape.features + 1, neurons).uniform_(-bound, bound)
        rows[-1] = 0
        self.rows = nn.Parameter(rows)
        self.start = nn.Parameter(torch.full((neurons,), 0.25))
        last = torch.empty(shape.buckets, 2 * neurons)
        # What is added to a hand-written value begins as nothing.
        bound = 0.0 if shape.adds else (2 * neurons) ** -0.5
        last[:] = torch.empty(2 * neurons).uniform_(-bound, bound)
        self.last = nn.Parameter(last)
        self.bias = nn.Parameter(torch.zeros(shape.buckets))

    def held(self, parameter: torch.Tensor, unit: int) -> torch.Tensor:
        """The numbers as they will be rounded, once `rounds` is set; slopes pass through."""
        if not self.rounds:
            return parameter
        return parameter + (torch.round(parameter * unit) / unit - parameter).detach()

    def sums(self, features: torch.Tensor) -> torch.Tensor:
        """The first layer for one view."""
        rows, start = self.held(self.rows, ONE), self.held(self.start, ONE)
        if self.shape.features > DENSE:
            bags = nn.functional.embedding_bag(
                features, rows, mode="sum", padding_idx=self.shape.features
            )
            return bags + start
        ones = torch.zeros(len(features), self.shape.features + 1, device=features.device)
        # Added, not set: what is named twice counts twice.
        ones.scatter_add_(1, features, torch.ones_like(features, dtype=ones.dtype))
        return ones[:, :-1] @ rows[:-1] + start

    def forward(self, batch: Batch) -> torch.Tensor:
        """The value of each row, in units of the scale, without the hand-written part."""
        both = torch.cat([self.sums(batch.mover), self.sums(batch.other)], 1)
        squares = both.clamp(0, 1).square()
        every = squares @ self.held(self.last, WEIGHT_ONE).T + self.bias
        return every.gather(1, batch.bucket[:, None])[:, 0]

    @classmethod
    def of(cls, known: Rounded, shape: Shape) -> Net:
        """A net with the numbers of a file."""
        net = cls(shape, len(known.start))
        net.learn_on(known)
        return net

    @torch.no_grad()
    def learn_on(self, known: Rounded) -> None:
        self.rows[:-1] = torch.from_numpy(known.rows / ONE)
        self.start[:] = torch.from_numpy(known.start / ONE)
        self.last[:] = torch.from_numpy(known.last / WEIGHT_ONE)
        self.bias[:] = torch.from_numpy(known.bias / (ONE * WEIGHT_ONE))

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps every number where integers can hold it."""
        clip = min(CLIP, MOST_SUM // (self.shape.most + 1) / ONE)
        self.rows.clamp_(-clip, clip)
        self.start.clamp_(-clip, clip)
        self.rows[-1] = 0
        most = MOST_WEIGHT / WEIGHT_ONE
        self.last.clamp_(-most, most)


@dataclass(frozen=True)
class Rounded:
    """A net in integers."""

    rows: np.ndarray
    start: np.ndarray
    last: np.ndarray
    bias: np.ndarray


def rounded(net: Net) -> Rounded:
    def number(parameter: torch.Tensor, unit: int) -> np.ndarray:
        return np.rint(parameter.detach().cpu().double().numpy() * unit).astype(np.int64)

    return Rounded(
        rows=number(net.rows, ONE)[:-1],
        start=number(net.start, ONE),
        last=number(net.last, WEIGHT_ONE).clip(-MOST_WEIGHT, MOST_WEIGHT),
        bias=number(net.bias, ONE * WEIGHT_ONE),
    )


def integer_values(net: Rounded, batch: Batch, scale: int) -> np.ndarray:
    """What the program computes for these rows, step by step as it does."""
    rows = np.vstack([net.rows, np.zeros((1, net.rows.shape[1]), np.int64)])

    def squares(features: torch.Tensor) -> np.ndarray:
        sums = rows[features.cpu().numpy()].sum(1) + net.start
        if np.abs(sums).max() > 32767:
            raise SystemExit("a sum does not fit 16 bits")
        return np.clip(sums, 0, ONE) ** 2

    both = np.hstack([squares(batch.mover), squares(batch.other)])
    bucket = batch.bucket.cpu().numpy()
    sum_ = (both * net.last[bucket]).sum(1)
    # Division as in the program: towards zero.
    out = np.trunc(sum_ / ONE).astype(np.int64) + net.bias[bucket]
    return np.trunc(out * scale / (ONE * WEIGHT_ONE)).astype(np.int64)


def read(path: Path, shape: Shape) -> tuple[Rounded, int]:
    """The numbers of a file, which must be for these features, and its scale."""
    file = path.read_bytes()
    if file[:8] != b"QDNET001":
        raise SystemExit(f"{path}: not a net")
    blocks: list[bytes] = []
    at = 8
    for _ in range(2):
        length = int.from_bytes(file[at : at + 4], "little")
        blocks.append(file[at + 8 : at + 8 + length])
        if zlib.crc32(blocks[-1]) != int.from_bytes(file[at + 4 : at + 8], "little"):
            raise SystemExit(f"{path}: damaged")
        at += 8 + length
    about = dict(line.split(" ", 1) for line in blocks[0].decode().splitlines())
    if about["inputs"] != shape.inputs:
        raise SystemExit(f"{path}: a net for {about['inputs']}, the rows are for {shape.inputs}")
    neurons = int(about["neurons"])
    sizes = [shape.features * neurons, neurons, shape.buckets * 2 * neurons]
    shorts = np.frombuffer(blocks[1], "<i2", sum(sizes)).astype(np.int64)
    rows, start, last = np.split(shorts, np.cumsum(sizes)[:-1])
    bias = np.frombuffer(blocks[1], "<i4", shape.buckets, 2 * sum(sizes)).astype(np.int64)
    known = Rounded(
        rows=rows.reshape(shape.features, neurons),
        start=start,
        last=last.reshape(shape.buckets, 2 * neurons),
        bias=bias,
    )
    return known, int(about["scale"])


def write(path: Path, net: Rounded, shape: Shape, scale: int, made: dict[str, str]) -> str:
    """Writes the file; returns its checksum, by which nets are called."""
    about = {
        "game": shape.game,
        "inputs": shape.inputs,
        "features": str(shape.features),
        "neurons": str(len(net.start)),
        "buckets": str(shape.buckets),
        "scale": str(scale),
        **made,
    }
    text = "\n".join(f"{key} {value}" for key, value in about.items()).encode()
    numbers = b"".join(
        [
            net.rows.astype("<i2").tobytes(),
            net.start.astype("<i2").tobytes(),
            net.last.astype("<i2").tobytes(),
            net.bias.astype("<i4").tobytes(),
        ]
    )
    file = b"QDNET001"
    for block in (text, numbers):
        file += len(block).to_bytes(4, "little") + zlib.crc32(block).to_bytes(4, "little") + block
    path.write_bytes(file)
    return f"{zlib.crc32(file):08x}"
