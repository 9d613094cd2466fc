#!/usr/bin/env python3
"""Asks python-chess about random positions and writes down what it says.

usage: answers.py FOLDER COUNT SEED [TABLE...] > answers.txt

One line a position: pieces with their squares, the side to move, the en passant
square, the result (-2 to 2), the distance. COUNT positions for each table in the
folder (or those named), and as many with a chance to take en passant where there
can be one. A fifth of the positions are one random move further on.
"""
import os
import random
import sys

import chess
import chess.syzygy


def pieces_of(name, exchanged):
    white, black = name.split("v")
    if exchanged:
        white, black = black, white
    return [(chess.PIECE_SYMBOLS.index(c.lower()), side)
            for side, part in ((True, white), (False, black)) for c in part]


def scattered(name, rng):
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    for kind, side in pieces_of(name, rng.random() < 0.5):
        ranks = (1, 6) if kind == chess.PAWN else (0, 7)
        square = chess.square(rng.randint(0, 7), rng.randint(*ranks))
        if board.piece_at(square):
            return None
        board.set_piece_at(square, chess.Piece(kind, side))
    if not board.is_valid():
        return None
    if rng.random() < 0.2:
        moves = list(board.legal_moves)
        if moves:
            board.push(rng.choice(moves))
    return board


def en_passant(name, rng):
    """A pawn has just passed another."""
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    us = board.turn
    pieces = pieces_of(name, rng.random() < 0.5)
    if (chess.PAWN, us) not in pieces or (chess.PAWN, not us) not in pieces:
        return None
    pieces.remove((chess.PAWN, us))
    pieces.remove((chess.PAWN, not us))
    rank, behind = (4, 5) if us else (3, 2)
    file = rng.randint(0, 7)
    beside = file + rng.choice((-1, 1))
    if not 0 <= beside <= 7:
        return None
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not us))
    board.set_piece_at(chess.square(beside, rank), chess.Piece(chess.PAWN, us))
    board.ep_square = chess.square(file, behind)
    for kind, side in pieces:
        ranks = (1, 6) if kind == chess.PAWN else (0, 7)
        # Near the pawns, where it matters.
        around = rng.random() < 0.5
        square = chess.square(rng.randint(0, 7), rng.randint(*ranks))
        if around:
            square = chess.square(min(7, max(0, file + rng.randint(-2, 2))), min(ranks[1], max(ranks[0], rank + rng.randint(-2, 2))))
        if board.piece_at(square):
            return None
        board.set_piece_at(square, chess.Piece(kind, side))
    if not board.is_valid() or not board.has_legal_en_passant():
        return None
    return board


def line(board, tables):
    wdl, dtz = tables.probe_wdl(board), tables.probe_dtz(board)
    places = "".join(piece.symbol() + chess.square_name(square)
                     for square, piece in board.piece_map().items())
    passing = chess.square_name(board.ep_square) if board.has_legal_en_passant() else "-"
    return f"{places} {'w' if board.turn else 'b'} {passing} {wdl} {dtz}"


def main():
    folder, count, seed, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    names = names or sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".rtbz"))
    with chess.syzygy.open_tablebase(folder, max_fds=None) as tables:
        for name in names:
            rng = random.Random(f"{seed} {name}")
            white, black = name.split("v")
            makers = [scattered] + [en_passant] * ("P" in white and "P" in black)
            for make in makers:
                written = tries = 0
                while written < count and tries < 200 * count:
                    tries += 1
                    board = make(name, rng)
                    if board is None or chess.popcount(board.occupied) < 3:
                        continue
                    print(line(board, tables))
                    written += 1


if __name__ == "__main__":
    main()
