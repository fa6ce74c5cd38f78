"""Places of a suite: kinds of truths, each with truths of its own that are drawn when they are needed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generators.altered import random_altered
from generators.base.checksum import checksum
from generators.base.generator import GENERATORS

__all__ = ["MAP", "PROBES", "SuiteMismatch", "SuitePlace", "drawn", "place_checksum", "seed_of"]

#: The parts of a suite.
MAP, PROBES = "map", "probes"
#: Digits of the numbers that are hashed, and of the hash that is kept.
DIGITS, HEX = 6, 16


class SuiteMismatch(ValueError):
    """A truth drawn from its seed differs from the manifest's, which other versions may have made."""


@dataclass(frozen=True)
class SuitePlace:
    """One kind of truth in a suite.

    Attributes
    ----------
    key : str
        Such as "tan-narrow-easy" or "irrelevant-tan-10".
    part : {"map", "probes"}
        The map has every kind at three difficulties and two widths; probes turn one knob.
    kind : str
        Key of the generator that draws the truths.
    width : {"narrow", "wide"}
        Whether there are few attributes, so that scores are exact, or many.
    difficulty : str
        "easy", "medium" or "hard" on the map; empty for a probe.
    probe, base : str
        What the knob changes, and of which truths; empty on the map.
    level : float
        Where the knob stands; 0 on the map.
    parameters : mapping
        Of the generator, and options of `generators.altered`.
    sizes : tuple of int
        Numbers of training rows.
    seed : str
        The word from which seeds derive. All levels of a knob share it, so that they share what the knob
        leaves.
    n_attributes : tuple of int
        Of each truth.
    checksums : tuple of str
        Of each truth, numbers to six digits.
    suite : str
        Name of the suite.
    """

    key: str
    part: str
    kind: str
    width: str
    difficulty: str
    probe: str
    base: str
    level: float
    parameters: Mapping[str, Any]
    sizes: tuple[int, ...]
    seed: str
    n_attributes: tuple[int, ...]
    checksums: tuple[str, ...]
    suite: str

    @property
    def n_truths(self) -> int:
        """Number of truths."""
        return len(self.checksums)

    def draw(self, number: int) -> Any:
        """Draw a truth, and verify its checksum.

        Parameters
        ----------
        number : int
            From 0 to `n_truths` - 1.

        Returns
        -------
        Truth or NumericTruth

        Raises
        ------
        SuiteMismatch
            If it is another truth than the one that the suite was frozen with.
        ValueError
            If there is no truth of that number.
        """
        if not 0 <= number < self.n_truths:
            raise ValueError(
                f"the place {self.key!r} of {self.suite} has {self.n_truths} truths; give a number from 0 to "
                f"{self.n_truths - 1}, not {number!r}"
            )
        truth = drawn(self.kind, self.parameters, seed_of(self.suite, self.seed, number))
        if place_checksum(truth) != self.checksums[number]:
            raise SuiteMismatch(
                f"truth {number} of the place {self.key!r} is drawn otherwise here than in {self.suite}, "
                "which other versions of this package or of numpy have made; install these"
            )
        return truth


def drawn(kind: str, parameters: Mapping[str, Any], seed: int) -> Any:
    """Draw a truth from parameters in JSON form."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
    return random_altered(GENERATORS[kind], **given, random_state=seed)


def seed_of(suite: str, word: str, number: int) -> int:
    """Return the seed of a truth."""
    return int(hashlib.sha256(f"{suite}/{word}/{number}".encode()).hexdigest()[:8], 16)


def place_checksum(truth: Any) -> str:
    """Return the short checksum of a truth, which rounding in another processor does not change."""
    return checksum(truth, digits=DIGITS)[:HEX]
