"""The networks that `vision` runs: definition, training, export, evaluation. PyTorch is imported in this room alone."""
