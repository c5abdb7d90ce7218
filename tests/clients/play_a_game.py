"""Plays a whole game of dicechess against the engine with python-chess: a beginning for scripts of one's own.

usage: play_a_game.py ENGINE [SEED]

Needs `pip install chess`. The engine plays Black, White any single move that the dice allow. python-chess knows the
rules of chess alone, so that the board below adds what a dice game needs: the dice that are left, several moves a turn,
kings that can be taken. The dice go to the engine in the last field of the position, and it says what they allow.
"""

import random
import sys

import chess
import chess.engine

FACES = "PNBRQK"


class DiceBoard(chess.Board):
    """A board whose FEN ends with the dice that are left."""

    uci_variant = "dicechess"
    aliases = ["dicechess"]

    def __init__(self, *arguments, **options):
        self.dice = []  # The faces left to move, as letters.
        self.targets = {}  # Squares passed by pawns in a double step, and whose they are.
        super().__init__(*arguments, **options)

    def copy(self, *, stack=True):
        other = super().copy(stack=stack)
        other.dice, other.targets = list(self.dice), dict(self.targets)
        return other

    def root(self):
        return self.copy(stack=False)

    def is_legal(self, move):
        # The engine knows the rules: whatever it names is taken.
        return not move or self.color_at(move.from_square) == self.turn

    def fen(self, *, shredder=False, en_passant="legal", promoted=None):
        men, turn, rights, _, quiet, number = super().fen(shredder=shredder, en_passant="fen").split()
        targets = "".join(sorted(chess.square_name(square) for square in self.targets)) or "-"
        dice = "".join(self.dice) or "-"
        dice = dice if self.turn == chess.WHITE else dice.lower()
        return f"{men} {turn} {rights} {targets} {quiet} {number} {dice}"

    def roll(self, chance):
        """Throws three dice."""
        self.dice = sorted((chance.choice(FACES) for _ in range(3)), key=FACES.index)

    def play(self, move):
        """Makes a single move; the turn goes on as long as dice are left."""
        mover, man = self.turn, self.piece_at(move.from_square)
        castles = self.is_castling(move)
        steps = abs(move.to_square - move.from_square)
        if man.piece_type == chess.PAWN and move.to_square in self.targets:
            self.ep_square = move.to_square
        self.push(move)
        self.clear_stack()
        self.turn, self.ep_square = mover, None
        if man.piece_type == chess.PAWN and steps == 16:
            self.targets[(move.from_square + move.to_square) // 2] = mover
        for square, color in list(self.targets.items()):
            pawn = square + (8 if color == chess.WHITE else -8)
            if self.piece_at(square) or self.piece_at(pawn) != chess.Piece(chess.PAWN, color):
                del self.targets[square]
        self.dice.remove(man.symbol().upper())
        if castles:
            self.dice.remove("R")

    def end_turn(self):
        """The other side is to roll."""
        self.targets = {square: color for square, color in self.targets.items() if color == self.turn}
        self.fullmove_number += self.turn == chess.BLACK
        self.turn, self.dice = not self.turn, []

    def winner(self):
        """Who has taken the enemy king."""
        for color in chess.COLORS:
            if not self.pieces(chess.KING, color):
                return not color
        return None


def main():
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    board = DiceBoard()
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1]) as engine:
        while board.winner() is None and board.fullmove_number < 500:
            board.roll(chance)
            turn = []
            while board.dice and board.winner() is None:
                # White moves at the engine's lowest level: nearly at random.
                weak = {"UCI_LimitStrength": board.turn == chess.WHITE, "UCI_Elo": 400}
                played = engine.play(board, chess.engine.Limit(time=0.02), options=weak)
                if not played.move:
                    break
                board.play(played.move)
                turn.append(played.move.uci())
            print(board.fullmove_number, "w" if board.turn else "b", ",".join(turn) or "0000")
            board.end_turn()
    winner = board.winner()
    print("result", {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[winner])


if __name__ == "__main__":
    main()
