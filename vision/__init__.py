"""A photograph becomes tiles: open it upright, find the tiles, classify and arrange them, and keep doubts as doubts."""
