"""Files that are damaged at random, and what a reader may make of them."""

from workbench.base.errors import WorkbenchError

__all__ = ["mutated", "table_or_none"]

INSERTED = [bytes([byte]) for byte in b"'\"{},\\%?@\n\r \t\0\xff"] + ["é".encode()]


def mutated(content, rng):
    """Damage a file in one to four ways."""
    content = bytearray(content)
    for _ in range(rng.integers(1, 5)):
        place, other = sorted(rng.integers(0, len(content) + 1, 2))
        way = rng.integers(0, 6)
        if way == 0 and place < len(content):
            content[place] ^= 1 << int(rng.integers(0, 8))
        elif way == 1:
            del content[place : min(other, place + 12)]
        elif way == 2:
            content[place:place] = content[place:other]
        elif way == 3 and rng.random() < 0.3:
            del content[place:]
        elif way == 4:
            content[place:place] = INSERTED[rng.integers(0, len(INSERTED))]
        elif way == 5 and place < len(content):
            content[place : place + 1] = INSERTED[rng.integers(0, len(INSERTED))]
    return bytes(content)


def table_or_none(content, reader, source):
    """Read; None after an error of one sentence, and no other error is let through."""
    outcome = None
    try:
        return reader(source)
    except WorkbenchError as error:
        outcome = str(error)
    assert "\n" not in outcome, content
    assert len(outcome) < 1000, content
    return None
