"""Rows of numbers as `quadrille data export` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

MAGIC = b"QDROWS02"
# In place of a result: this position was not played.
NOT_PLAYED = 3


@dataclass(frozen=True)
class Shape:
    """What a net of this game reads; see `Shape` in crates/search/src/net/inputs.rs."""

    game: str
    inputs: str
    features: int
    most: int
    buckets: int
    adds: bool

    @property
    def row_bytes(self) -> int:
        return 4 * self.most + 8


def shape_of(path: Path) -> tuple[Shape, int]:
    """The shape a file says it has, and where its rows begin."""
    with path.open("rb") as file:
        if file.read(8) != MAGIC:
            raise SystemExit(f"{path}: not a file of rows: make one with `quadrille data export`")
        length = int.from_bytes(file.read(4), "little")
        text = file.read(length).decode()
    said = dict(line.split(" ", 1) for line in text.splitlines())
    shape = Shape(
        game=said["game"],
        inputs=said["inputs"],
        features=int(said["features"]),
        most=int(said["most"]),
        buckets=int(said["buckets"]),
        adds=said["adds"] == "1",
    )
    return shape, 12 + length


def read(paths: list[Path], device: torch.device) -> tuple[Shape, torch.Tensor]:
    """All rows of some files as bytes on a device."""
    shape: Shape | None = None
    parts: list[torch.Tensor] = []
    for path in paths:
        found, begin = shape_of(path)
        if shape is not None and found != shape:
            raise SystemExit(f"{path}: made for {found.inputs}, the others for {shape.inputs}")
        shape = found
        whole = (path.stat().st_size - begin) // found.row_bytes
        if whole == 0:
            continue
        array = np.memmap(path, np.uint8, "r", begin, (whole, found.row_bytes))
        parts.append(torch.from_numpy(np.array(array)).to(device))
    if shape is None or not parts:
        raise SystemExit("no rows to read")
    return shape, torch.cat(parts)


@dataclass(frozen=True)
class Batch:
    """Some rows, taken apart. Everything is seen from the side to move."""

    mover: torch.Tensor
    other: torch.Tensor
    score: torch.Tensor
    later: torch.Tensor
    by_hand: torch.Tensor
    result: torch.Tensor
    played: torch.Tensor
    bucket: torch.Tensor


def take_apart(rows: torch.Tensor, shape: Shape) -> Batch:
    """Features as numbers, scores in hundredths of a pawn, results from 0 to 1."""
    words = rows[:, : 4 * shape.most + 6].contiguous().view(torch.int16)
    # Features are unsigned: those from 32,768 on have become negative.
    features = words[:, : 2 * shape.most].to(torch.int64) & 0xFFFF
    return Batch(
        mover=features[:, : shape.most],
        other=features[:, shape.most :],
        score=words[:, 2 * shape.most].to(torch.float32),
        later=words[:, 2 * shape.most + 1].to(torch.float32),
        by_hand=words[:, 2 * shape.most + 2].to(torch.float32),
        result=rows[:, -2].to(torch.float32) / 2,
        played=(rows[:, -2] < NOT_PLAYED).to(torch.float32),
        bucket=rows[:, -1].to(torch.int64),
    )
