"""Places of a suite: kinds of truths, each with several truths drawn on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generators.altered import random_altered
from generators.base.checksum import checksum
from generators.base.generator import GENERATORS, current_names

__all__ = ["MAP", "PROBES", "SuiteMismatch", "SuitePlace", "drawn", "place_checksum", "seed_of"]

#: The parts of a suite.
MAP, PROBES = "map", "probes"
#: Digits of the numbers that are hashed, and of the hash that is kept.
DIGITS, HEX = 6, 16


class SuiteMismatch(ValueError):
    """Error raised if a drawn truth differs from the manifest, as with other package versions."""


@dataclass(frozen=True)
class SuitePlace:
    """One kind of truth in a suite."""

    key: str  # such as "tan-narrow-easy" or "irrelevant-tan-10"
    part: str  # "map": every kind, three difficulties, two widths; "probes": one knob turned
    kind: str  # key of the generator
    width: str  # "narrow": few attributes, so that scores are exact; or "wide"
    difficulty: str  # "easy", "medium" or "hard" on the map; empty for a probe
    probe: str  # what the knob changes; empty on the map
    base: str  # and of which truths
    level: float  # where the knob stands; 0 on the map
    parameters: Mapping[str, Any]  # of the generator, and options of `generators.altered`
    sizes: tuple[int, ...]  # numbers of training rows
    seed: str  # word from which seeds derive; levels of a knob share it, and so what the knob leaves
    n_attributes: tuple[int, ...]  # of each truth
    checksums: tuple[str, ...]  # of each truth, numbers to six digits
    suite: str  # its name

    @property
    def n_truths(self) -> int:
        """Number of truths."""
        return len(self.checksums)

    def draw(self, number: int) -> Any:
        """Draw the truth of a number below `n_truths`, or raise SuiteMismatch if it is another one."""
        if not 0 <= number < self.n_truths:
            raise ValueError(
                f"the place {self.key!r} of {self.suite} has {self.n_truths} truths: expected 0 to "
                f"{self.n_truths - 1}, not {number!r}"
            )
        truth = drawn(self.kind, self.parameters, seed_of(self.suite, self.seed, number))
        if place_checksum(truth) != self.checksums[number]:
            raise SuiteMismatch(
                f"truth {number} of the place {self.key!r} differs from the truth in {self.suite}, which "
                "other versions of this package or of numpy drew: install those versions"
            )
        return truth


def drawn(kind: str, parameters: Mapping[str, Any], seed: int) -> Any:
    """Draw a truth from parameters in JSON form."""
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in current_names(parameters).items()
    }
    return random_altered(GENERATORS[kind], **given, random_state=seed)


def seed_of(suite: str, word: str, number: int) -> int:
    """Return the seed of a truth."""
    return int(hashlib.sha256(f"{suite}/{word}/{number}".encode()).hexdigest()[:8], 16)


def place_checksum(truth: Any) -> str:
    """Return the short checksum of a truth, which does not depend on the processor's rounding."""
    return checksum(truth, digits=DIGITS)[:HEX]
