"""Shared code of figures: kinds of display, style, the axis of training sizes."""
