"""Random streams, each derived from its purpose and never from when it is drawn."""

import hashlib
import json

import numpy as np

__all__ = ["canonical", "digest", "generator_for", "hashed", "integer_seed"]


def canonical(value: object) -> str:
    """Write plain data as canonical JSON, the form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_python)


def digest(value: object) -> str:
    """Hash plain data."""
    return hashed(canonical(value))


def hashed(text: str) -> str:
    """Hash text that is canonical already."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def generator_for(*key: object) -> np.random.Generator:
    """Return the random generator that belongs to a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(int(digest(key), 16))))


def integer_seed(*key: object) -> int:
    """Return the integer seed for a learner with its own `random_state`."""
    return int(digest(key)[:8], 16)


def _python(value: object) -> object:
    """Convert numpy numbers to Python's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not plain data: use numbers, strings, lists or dictionaries")
