"""What a person touches: the Flet app (screens, components, texts, theme) and the command line."""
