#!/usr/bin/env python3
"""Asks python-chess what stands in tables that the tests made up.

usage: stored.py FOLDER

FOLDER is what `write_made_tables` wrote.
"""
import os
import sys

import chess
import chess.syzygy


def main():
    folder = sys.argv[1]
    tables, counts, wrong = {}, {}, 0
    with open(os.path.join(folder, "answers.txt"), encoding="ascii") as lines:
        for line in lines:
            name, fen, value = line.strip().split("|")
            if name not in tables:
                tables[name] = chess.syzygy.WdlTable(os.path.join(folder, name + ".rtbw"))
            said = tables[name].probe_wdl_table(chess.Board(fen))
            counts[name] = counts.get(name, 0) + 1
            if said != int(value):
                wrong += 1
                if wrong < 10:
                    print(name, fen, "here", said, "there", value)
    print(f"{sum(counts.values())} positions of {len(counts)} tables, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
