"""A photograph becomes tiles: open it upright, find the tiles, classify them, arrange them, and keep doubts as doubts."""
