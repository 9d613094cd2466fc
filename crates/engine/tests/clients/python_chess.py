"""Drives the chess engine with python-chess, synchronously and asynchronously.

Usage: python python_chess.py ENGINE TABLES

Exits with an assertion error at the first thing that is not as it should be.
"""

import asyncio
import sys

import chess
import chess.engine

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
FISCHER = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def options(engine):
    assert engine.id["name"].startswith("Quadrille")
    for name in ["Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "Clear Hash",
                 "UCI_Elo", "UCI_LimitStrength", "UCI_ShowWDL", "SyzygyPath"]:
        assert name in engine.options, name
    threads = engine.options["Threads"]
    assert (threads.type, threads.default, threads.min, threads.max) == ("spin", 1, 1, 256)
    assert engine.options["Clear Hash"].type == "button"
    assert engine.options["OwnBook"].type == "check"
    assert engine.options["BookFile"].type == "string"
    engine.configure({"Hash": 8, "Threads": 2, "Move Overhead": 20})
    engine.configure({"Threads": 1, "Clear Hash": None})
    engine.ping()


def book(engine):
    engine.configure({"OwnBook": True})
    result = engine.play(chess.Board(), chess.engine.Limit(time=5), info=chess.engine.INFO_ALL)
    assert result.move in chess.Board().legal_moves and result.info["depth"] == 0, result
    assert "score" in result.info, result
    engine.configure({"OwnBook": False})


def strength(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1000})
    result = engine.play(chess.Board(), chess.engine.Limit(time=5), info=chess.engine.INFO_ALL)
    assert result.info["nodes"] < 5000, result
    engine.configure({"UCI_LimitStrength": False})


def tables(engine, path):
    board = chess.Board("8/8/8/3k4/8/8/8/K6R w - - 0 1")
    engine.configure({"SyzygyPath": path})
    info = engine.analyse(board, chess.engine.Limit(nodes=500))
    assert info["tbhits"] > 0 and info["score"].white().score() > 20000, info
    engine.configure({"SyzygyPath": ""})


def play(engine):
    board = chess.Board()
    while not board.is_game_over() and board.fullmove_number < 30:
        limit = chess.engine.Limit(white_clock=0.5, black_clock=0.5,
                                   white_inc=0.01, black_inc=0.01)
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves
        assert "score" in result.info and result.info["nodes"] >= 0
        board.push(result.move)
    return board


def one_by_one(engine):
    mate = chess.Board(MATE_IN_ONE)
    assert engine.play(mate, chess.engine.Limit(depth=3)).move == chess.Move.from_uci("a1a8")
    result = engine.play(mate, chess.engine.Limit(mate=1), info=chess.engine.INFO_SCORE)
    assert result.info["score"].white() == chess.engine.Mate(1)
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = engine.play(chess.Board(), chess.engine.Limit(nodes=2000), root_moves=only)
    assert result.move in only
    result = engine.play(chess.Board(), chess.engine.Limit(time=0.05))
    assert result.move in chess.Board().legal_moves
    assert engine.play(chess.Board(), chess.engine.Limit(depth=2), game="another game").move


def analyse(engine):
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
    assert info["depth"] == 6 and info["seldepth"] >= 6 and info["pv"]
    board = chess.Board()
    for move in info["pv"]:
        assert move in board.legal_moves
        board.push(move)
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), multipv=4)
    assert [line["multipv"] for line in lines] == [1, 2, 3, 4]
    assert len({line["pv"][0] for line in lines}) == 4
    scores = [line["score"].white().score() for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=3))
    assert sum(info["wdl"].relative) == 1000
    engine.configure({"UCI_ShowWDL": False})
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
    engine.ping()


def ponder(engine):
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=2, black_clock=2)
    first = engine.play(board, limit, ponder=True)
    assert first.ponder is not None
    board.push(first.move)
    board.push(first.ponder)  # A hit.
    second = engine.play(board, limit, ponder=True)
    assert second.move in board.legal_moves
    board.push(second.move)
    other = next(m for m in board.legal_moves if m != second.ponder)
    board.push(other)  # A miss.
    third = engine.play(board, limit)
    assert third.move in board.legal_moves


def chess960(engine):
    board = chess.Board(FISCHER, chess960=True)
    for _ in range(12):
        result = engine.play(board, chess.engine.Limit(depth=4))
        assert result.move in board.legal_moves
        board.push(result.move)
    castle = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
    move = chess.Move.from_uci("e1h1")
    assert engine.play(castle, chess.engine.Limit(depth=1), root_moves=[move]).move == move
    castle = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    move = chess.Move.from_uci("e1g1")
    assert engine.play(castle, chess.engine.Limit(depth=1), root_moves=[move]).move == move


def finished(engine):
    mated = chess.Board()
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        mated.push_uci(text)
    info = engine.analyse(mated, chess.engine.Limit(depth=3))
    assert info["score"].relative == chess.engine.Mate(0), info


async def one_after_the_other(engine):
    """The same again, asynchronously."""
    board = chess.Board()
    await engine.configure({"Hash": 4, "Threads": 2})
    result = await engine.play(board, chess.engine.Limit(depth=4))
    assert result.move in board.legal_moves
    lines = await engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    with await engine.analysis(board) as analysis:
        async for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    best = await analysis.wait()
    assert best.move in board.legal_moves
    clock = chess.engine.Limit(white_clock=1, black_clock=1)
    first = await engine.play(board, clock, ponder=True)
    board.push(first.move)
    board.push(first.ponder)
    assert (await engine.play(board, clock)).move in board.legal_moves
    fischer = chess.Board(FISCHER, chess960=True)
    result = await engine.play(fischer, chess.engine.Limit(nodes=3000))
    assert result.move in fischer.legal_moves
    await engine.ping()


async def at_the_same_time(path):
    _, engine = await chess.engine.popen_uci(path)
    await one_after_the_other(engine)
    # Two engines side by side.
    board = chess.Board()
    _, second = await chess.engine.popen_uci(path)
    both = await asyncio.gather(
        engine.play(board, chess.engine.Limit(time=0.2)),
        second.play(board, chess.engine.Limit(time=0.2)),
    )
    assert all(result.move in board.legal_moves for result in both)
    await second.quit()
    await engine.quit()


def main(path, table_path):
    engine = chess.engine.SimpleEngine.popen_uci(path, timeout=30)
    for step in [options, one_by_one, analyse, ponder, chess960, finished, book, strength]:
        step(engine)
        print("ok", step.__name__, flush=True)
    tables(engine, table_path)
    print("ok tables", flush=True)
    board = play(engine)
    print("ok play", board.fullmove_number, "moves", board.result(), flush=True)
    engine.quit()
    asyncio.run(at_the_same_time(path))
    print("ok asynchronous", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
