"""A night at the table: events, the night they fold to, who pays whom at the end, and what the nights say of a player.

All of it is pure but `store` (with its `journal` and `migrations`), which keeps nights in a database and is the one
part of `scoring` that touches a disk.
"""
