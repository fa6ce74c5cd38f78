"""What figures share: kinds of display, style, the axis of training sizes."""
