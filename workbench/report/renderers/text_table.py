"""Words and numbers in columns, as lines of text."""

from collections.abc import Collection, Iterator, Sequence

__all__ = ["aligned"]


def aligned(lines: Sequence[Sequence[str]], words: Collection[int]) -> Iterator[str]:
    """Set the columns of words to the left and those of numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        parts = [
            word.ljust(width) if i in words else word.rjust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(parts).rstrip()
