"""Trains a net from rows of `quadrille data export`; `--help` says how.

The target of a row is a mixture of the game's result, the mean of the scores that
followed in the game, and the search's score, all as chances to win: `wdl * result +
later * sigmoid(later score / scale) + (1 - wdl - later) * sigmoid(score / scale)`. The
scale is fitted first, so that chances of scores are those of results, and becomes
the scale of the net: its values mean what the search's scores meant.
"""

from __future__ import annotations

import argparse
import math
import os
import time
import zlib
from pathlib import Path

import torch

import net as nets
import rows as data


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, nargs="+", required=True, help="rows to train with")
    parser.add_argument("--valid", type=Path, nargs="+", required=True, help="rows of other games")
    parser.add_argument("--out", type=Path, required=True, help="the net's file")
    parser.add_argument("--from", dest="known", type=Path, help="a net to learn on from, with its neurons")
    parser.add_argument("--neurons", type=int, help=f"a multiple of 32 up to {nets.MOST_NEURONS}; 256 unless told")
    parser.add_argument("--epochs", type=float, default=8, help="over positions that were played")
    parser.add_argument("--first", type=float, default=0, help="epochs over all rows before that")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--last-rate", type=float, default=2.7e-5)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--wdl", type=float, default=0.3, help="share of the game's result")
    parser.add_argument("--later", type=float, default=0.0, help="share of the scores that followed")
    parser.add_argument("--teachers", type=Path, nargs="*", default=[], help="nets to learn from")
    parser.add_argument("--taught", type=float, default=0.5, help="the teachers' share of a target")
    parser.add_argument("--power", type=float, default=2.0, help="of the difference of chances")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--note", default="", help="kept in the file")
    parser.add_argument("--examples", type=Path, help="some rows and what the net says of them")
    chosen = parser.parse_args()
    check_arguments(parser, chosen)
    return chosen


def check_arguments(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    """Everything that can be known to fail before work begins. Comparisons are such that `nan` fails."""
    most = nets.MOST_NEURONS
    if chosen.neurons is not None and (chosen.neurons % 32 or not 32 <= chosen.neurons <= most):
        parser.error(f"--neurons {chosen.neurons}: a multiple of 32 is needed, {most} at most")
    if chosen.batch < 1:
        parser.error(f"--batch {chosen.batch}: at least one row is needed")
    if not (0 <= chosen.first <= 10_000 and 0 <= chosen.epochs <= 10_000 and chosen.first + chosen.epochs > 0):
        parser.error(f"--first {chosen.first} --epochs {chosen.epochs}: up to 10000, and not 0 both")
    if not (chosen.wdl >= 0 and chosen.later >= 0 and chosen.wdl + chosen.later <= 1):
        parser.error(f"--wdl {chosen.wdl} --later {chosen.later}: shares from 0 to 1, 1 together at most")
    if not 0 <= chosen.taught <= 1:
        parser.error(f"--taught {chosen.taught}: a share from 0 to 1")
    for path in filter(None, [chosen.out, chosen.examples]):
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK) or path.exists() and not path.is_file():
            parser.error(f"{path}: cannot be written there")
        inputs = [*chosen.rows, *chosen.valid]
        if path.exists() and any(other.exists() and path.samefile(other) for other in inputs):
            parser.error(f"{path}: this file is read here; write to another one")


def fitted_scale(rows: torch.Tensor, shape: data.Shape) -> int:
    """The scale at which scores say best how games end."""
    some = rows[torch.randperm(len(rows), device=rows.device)[:8_000_000]]
    some = some[some[:, -2] < data.NOT_PLAYED]
    if len(some) == 0:
        raise SystemExit("no row of a position that was played: results are needed to know what scores mean")
    batch = data.take_apart(some, shape)

    def loss(scale: float) -> float:
        chance = torch.sigmoid(batch.score / scale)
        return float(torch.nn.functional.binary_cross_entropy(chance, batch.result))

    low, high = 50.0, 1500.0
    for _ in range(40):
        third = (high - low) / 3
        if loss(low + third) < loss(high - third):
            high -= third
        else:
            low += third
    return round((low + high) / 2)


class Trainer:
    def __init__(self, chosen: argparse.Namespace) -> None:
        torch.manual_seed(chosen.seed)
        torch.set_float32_matmul_precision("high")
        self.chosen = chosen
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.shape, self.rows = data.read(chosen.rows, self.device)
        other, self.valid = data.read(chosen.valid, self.device)
        if other != self.shape:
            raise SystemExit("rows to train and to validate with are of different shapes")
        self.scale = fitted_scale(self.rows, self.shape)
        if chosen.known:
            # Its values are in its own scale; a few percent are learnt anew at once.
            self.net = nets.Net.of(nets.read(chosen.known, self.shape)[0], self.shape)
            if chosen.neurons not in (None, self.net.neurons):
                raise SystemExit(f"{chosen.known}: {self.net.neurons} neurons, not {chosen.neurons}")
        else:
            self.net = nets.Net(self.shape, chosen.neurons or 256)
        self.net.to(self.device)
        self.teachers = [self.teacher(path) for path in chosen.teachers]
        self.adam = torch.optim.AdamW(
            self.net.parameters(), lr=chosen.rate, weight_decay=chosen.decay
        )

    def teacher(self, path: Path) -> tuple[nets.Net, float]:
        """A net, and what its values are to be multiplied by."""
        known, scale = nets.read(path, self.shape)
        return nets.Net.of(known, self.shape).to(self.device), scale / self.scale

    def loss(self, batch: data.Batch, taught: bool = False) -> torch.Tensor:
        chance = self.chance(self.net(batch), batch)
        target = self.taught(batch) if taught and self.teachers else self.target(batch)
        return (chance - target).abs().pow(self.chosen.power).mean()

    def chance(self, out: torch.Tensor, batch: data.Batch) -> torch.Tensor:
        """The chance to win by a net's value."""
        return torch.sigmoid(out + batch.by_hand / self.scale if self.shape.adds else out)

    @torch.no_grad()
    def taught(self, batch: data.Batch) -> torch.Tensor:
        """The target with what the teachers say in it: rows beside have nothing else."""
        says = [self.chance(net(batch) * factor, batch) for net, factor in self.teachers]
        share = torch.where(batch.played > 0, self.chosen.taught, 1.0)
        return share * torch.stack(says).mean(0) + (1 - share) * self.target(batch)

    def target(self, batch: data.Batch) -> torch.Tensor:
        wdl, later = self.chosen.wdl * batch.played, self.chosen.later
        chance = torch.sigmoid(batch.score / self.scale)
        followed = torch.sigmoid(batch.later / self.scale)
        return wdl * batch.result + later * followed + (1 - wdl - later) * chance

    @torch.no_grad()
    def validate(self) -> float:
        total = 0.0
        for part in self.valid.split(65536):
            total += float(self.loss(data.take_apart(part, self.shape))) * len(part)
        return total / len(self.valid)

    @torch.no_grad()
    def by_hand(self) -> float:
        """The validation loss of the hand-written evaluation, to compare with."""
        total = 0.0
        for part in self.valid.split(65536):
            batch = data.take_apart(part, self.shape)
            apart = (torch.sigmoid(batch.by_hand / self.scale) - self.target(batch)).abs()
            total += float(apart.pow(self.chosen.power).sum())
        return total / len(self.valid)

    def train(self) -> float:
        """First what the hand-written evaluation knows, then what the search saw."""
        chosen = self.chosen
        if chosen.first > 0:
            self.pass_over(self.rows, chosen.first, chosen.rate, chosen.rate / 4)
        self.net.rounds = True
        played = self.rows[:, -2] < data.NOT_PLAYED
        rows = self.rows if bool(played.all()) else self.rows[played]
        begin = chosen.rate if chosen.first == 0 else chosen.rate / 2
        self.pass_over(rows, chosen.epochs, begin, chosen.last_rate)
        return self.validate()

    def pass_over(self, rows: torch.Tensor, epochs: float, high: float, low: float) -> None:
        """Some epochs, at a rate that falls along half a cosine."""
        steps = max(1, math.ceil(epochs * len(rows) / self.chosen.batch))
        begun, step, tell = time.time(), 0, max(1, steps // 10)
        running = torch.zeros((), device=self.device)
        while step < steps:
            order = torch.randperm(len(rows), device=self.device)
            for part in order.split(self.chosen.batch)[: steps - step]:
                rate = low + (high - low) * (1 + math.cos(math.pi * step / steps)) / 2
                for group in self.adam.param_groups:
                    group["lr"] = rate
                loss = self.loss(data.take_apart(rows[part], self.shape), taught=True)
                self.adam.zero_grad(set_to_none=True)
                loss.backward()
                self.adam.step()
                self.net.clip()
                running += loss.detach()
                step += 1
                if step % tell == 0:
                    speed = step * self.chosen.batch / (time.time() - begun)
                    print(
                        f"step {step}/{steps} loss {float(running) / tell:.6f} "
                        f"valid {self.validate():.6f} {speed / 1e6:.2f} M rows/s",
                        flush=True,
                    )
                    running.zero_()

    def check(self, integers: nets.Rounded) -> float:
        """How far integers are from floats, in hundredths of a pawn on average."""
        batch = data.take_apart(self.valid[:10_000], self.shape)
        torch.set_float32_matmul_precision("highest")
        with torch.no_grad():
            floats = (self.net(batch) * self.scale).cpu().double().numpy()
        whole = nets.integer_values(integers, batch, self.scale)
        return float(abs(floats - whole).mean())


def write_examples(path: Path, trainer: Trainer, integers: nets.Rounded) -> None:
    """Rows, a line of numbers each: the net's value, the bucket, features of mover and other."""
    step = max(1, len(trainer.valid) // 64)
    batch = data.take_apart(trainer.valid[::step][:64], trainer.shape)
    values = nets.integer_values(integers, batch, trainer.scale)
    with path.open("w") as file:
        for i, value in enumerate(values):
            views = [view[i][view[i] < trainer.shape.features].tolist() for view in (batch.mover, batch.other)]
            words = ["/".join(map(str, view)) for view in views]
            print(value, int(batch.bucket[i]), *words, file=file)


def main() -> None:
    chosen = arguments()
    trainer = Trainer(chosen)
    print(
        f"{trainer.shape.inputs}: {len(trainer.rows)} rows, {len(trainer.valid)} of other games, "
        f"scale {trainer.scale}, hand-written {trainer.by_hand():.6f}, on {trainer.device}",
        flush=True,
    )
    valid = trainer.train()
    integers = nets.rounded(trainer.net)
    apart = trainer.check(integers)
    if not apart < 2:
        raise SystemExit(
            f"integers are {apart:.2f} from floats: two hundredths of a pawn are the bar, and no net is written"
        )
    made = {
        "rows": str(len(trainer.rows)),
        "schedule": f"first {chosen.first} epochs {chosen.epochs} batch {chosen.batch} rate {chosen.rate}..{chosen.last_rate} "
        f"decay {chosen.decay} wdl {chosen.wdl} later {chosen.later} power {chosen.power} seed {chosen.seed}",
        "validation": f"{valid:.6f}",
    }
    called = lambda path: f"{zlib.crc32(path.read_bytes()):08x}"
    if chosen.known:
        made["from"] = called(chosen.known)
    if chosen.teachers:
        made["teachers"] = f"{' '.join(map(called, chosen.teachers))} taught {chosen.taught}"
    if chosen.note:
        made["note"] = chosen.note
    name = nets.write(chosen.out, integers, trainer.shape, trainer.scale, made)
    if chosen.examples:
        write_examples(chosen.examples, trainer, integers)
    print(f"{chosen.out}: net {name}, validation {valid:.6f}, integers {apart:.2f} from floats")


if __name__ == "__main__":
    main()
