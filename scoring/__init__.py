"""The rules of the game: tiles, hands, what they are worth and who pays whom. Pure Python, no I/O, imports nothing of ours."""
