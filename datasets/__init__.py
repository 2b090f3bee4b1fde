"""Labelled photographs: one internal type, its readers and writers, drawn tile faces and rendered scenes."""
