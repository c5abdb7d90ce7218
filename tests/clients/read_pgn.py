"""Reads game records with python-chess at the level of tags, moves as text, and comments.

usage: read_pgn.py FILE...

python-chess knows the rules of chess alone, so that the moves of a dice game cannot be played on its boards. The visitor
below keeps them as text; the plain `chess.pgn.read_game` must come through as well, its list of errors aside.
"""

import logging
import re
import sys

import chess.pgn

TAGS = ("Event", "White", "Black", "Result", "Variant", "Termination", "Outcome")


class Text(chess.pgn.BaseVisitor):
    """Collects the tags, the moves as they stand, and the dice in the comments."""

    def begin_game(self):
        self.tags, self.moves, self.dice = {}, [], []

    def begin_headers(self):
        # Tags of its own: python-chess must not look for the variant among those that it knows.
        return chess.pgn.Headers({})

    def visit_header(self, name, value):
        self.tags[name] = value

    def begin_parse_san(self, board, san):
        self.moves.append(san)
        return chess.pgn.SKIP

    def visit_comment(self, comment):
        self.dice += re.findall(r"\[%dice (\d+)\]", comment)

    def handle_error(self, error):
        raise error

    def result(self):
        return self


def main():
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    for name in sys.argv[1:]:
        games = moves = dice = plain = 0
        with open(name, encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file, Visitor=Text)) is not None:
                games += 1
                missing = [tag for tag in TAGS if tag not in game.tags]
                if missing or not game.moves:
                    raise SystemExit(f"{name}: game {games}: no {', '.join(missing) or 'moves'}")
                moves += len(game.moves)
                dice += len(game.dice)
        with open(name, encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                plain += game.headers["Result"] != "?"
        if plain != games:
            raise SystemExit(f"{name}: {plain} games by the plain reader, {games} by ours")
        print(f"{name}: {games} games, {moves} moves, {dice} throws")


if __name__ == "__main__":
    main()
