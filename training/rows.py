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
    foreign = SystemExit(f"{path}: not a file of rows: make one with `quadrille data export`")
    if not path.is_file():
        raise SystemExit(f"{path}: no such file")
    with path.open("rb") as file:
        head = file.read(12)
        if head[:8] != MAGIC:
            raise foreign
        length = int.from_bytes(head[8:], "little")
        text = file.read(length) if length < 65536 else b""
    if len(head) < 12 or len(text) < length:
        raise SystemExit(f"{path}: its header is cut short or damaged: make it anew")
    try:
        said = dict(line.split(" ", 1) for line in text.decode().splitlines())
        shape = Shape(
            game=said["game"],
            inputs=said["inputs"],
            features=int(said["features"]),
            most=int(said["most"]),
            buckets=int(said["buckets"]),
            adds=said["adds"] == "1",
        )
    except (KeyError, ValueError):
        raise foreign from None
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
        whole, over = divmod(path.stat().st_size - begin, found.row_bytes)
        if over:
            raise SystemExit(f"{path}: cut short behind {whole} rows: make it anew")
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
