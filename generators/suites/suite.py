"""Suites: named truths, drawn reproducibly from the seeds in a manifest."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from generators.base.checksum import checksum
from generators.base.generator import GENERATORS
from generators.base.validation import shown

__all__ = ["Suite", "SuiteMismatch", "SuiteTruth", "list_suites", "suite"]

FOLDER = Path(__file__).parent


class SuiteMismatch(ValueError):
    """A truth drawn from its seed differs from the manifest's, which other versions may have made."""


@dataclass(frozen=True)
class SuiteTruth:
    """One truth of a suite: how it is drawn, and facts about it.

    Attributes
    ----------
    name : str
        Kind, number of attributes and difficulty: "tan-07-hard".
    kind : str
        Key of the generator that draws it.
    n_attributes : int
    difficulty : str
        "easy", "medium" or "hard": the share of the class prior's error that the best forecast still has.
    parameters : mapping
        Of the generator.
    seed : int
        Its `random_state`.
    facts : mapping of str to number or list
        Facts about the truth, to six digits: "arities", "n_classes", "class_entropy", "prior_error",
        "bayes_error", "bayes_error_standard_error" (0 if exact), "ceiling", "information", "dependence";
        information is in bits.
    checksum : str
        From `generators.base.checksum.checksum`.
    made_with : mapping of str to str
        Versions of the packages that made the manifest.
    """

    name: str
    kind: str
    n_attributes: int
    difficulty: str
    parameters: Mapping[str, Any]
    seed: int
    facts: Mapping[str, Any]
    checksum: str
    made_with: Mapping[str, str]

    def draw(self) -> Any:
        """Draw the truth, and verify its checksum."""
        truth = draw(self.kind, self.parameters, self.seed)
        if checksum(truth) != self.checksum:
            raise SuiteMismatch(
                f"the truth {self.name!r} drawn here differs from that of its suite, which was made with "
                f"{_listed(self.made_with)}; installed are {_listed(versions())}; use the former versions"
            )
        return truth


@dataclass(frozen=True)
class Suite:
    """Truths under a versioned name that never changes.

    Attributes
    ----------
    name : str
        With its version: "bias-v1".
    about : str
        Its purpose.
    truths : tuple of SuiteTruth
    """

    workbench_identity = "generators.suite:Suite"
    name: str
    about: str
    truths: tuple[SuiteTruth, ...]

    def __iter__(self) -> Iterator[SuiteTruth]:
        return iter(self.truths)

    def __len__(self) -> int:
        return len(self.truths)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the truths, in order."""
        return tuple(dict.fromkeys(entry.kind for entry in self.truths))

    def truth(self, name: str) -> SuiteTruth:
        """Return the entry with this name, or raise ValueError.

        Examples
        --------
        >>> suite("bias-v1").truth("tan-04-hard").difficulty
        'hard'
        """
        if name not in self._by_name:
            raise ValueError(
                f"the suite {self.name!r} has no truth {shown(name)}; {_near(name, self._by_name)}"
            )
        return self._by_name[name]

    def by_kind(self) -> dict[str, tuple[Any, ...]]:
        """Draw all truths, grouped by kind as `workbench.compare` accepts them.

        Returns
        -------
        dict of str to tuple of truths

        Raises
        ------
        SuiteMismatch
            If one differs from the manifest.
        """
        return {
            kind: tuple(entry.draw() for entry in self.truths if entry.kind == kind) for kind in self.kinds
        }

    @cached_property
    def _by_name(self) -> dict[str, SuiteTruth]:
        return {entry.name: entry for entry in self.truths}


def suite(name: str) -> Suite:
    """Return a suite by its name.

    Parameters
    ----------
    name : str
        One of `list_suites`, with its version: a changed suite gets another name.

    Returns
    -------
    Suite
        Truths are drawn only when requested.

    Raises
    ------
    ValueError
        If the name is unknown.

    Examples
    --------
    >>> bias = suite("bias-v1")
    >>> len(bias), [entry.name for entry in bias][:3]
    (81, ['naive_bayes-04-easy', 'naive_bayes-04-medium', 'naive_bayes-04-hard'])
    """
    if name not in list_suites():
        raise ValueError(f"unknown suite {shown(name)}; {_near(str(name), list_suites())}")
    manifest = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    made_with = manifest["made_with"]
    truths = tuple(SuiteTruth(**entry, made_with=made_with) for entry in manifest["truths"])
    return Suite(manifest["name"], manifest["about"], truths)


vars(suite)["workbench_identity"] = "generators.suite:suite"


def list_suites() -> tuple[str, ...]:
    """List the names of the suites.

    Examples
    --------
    >>> list_suites()
    ('bias-v1',)
    """
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


vars(list_suites)["workbench_identity"] = "generators.suite:list_suites"


def draw(kind: str, parameters: Mapping[str, Any], seed: int) -> Any:
    """Draw a truth of a kind from its parameters, in JSON form, and an integer seed."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
    return GENERATORS[kind](**given, random_state=seed)


def versions() -> dict[str, str]:
    """Return the versions of the packages that draw truths."""
    return {name: importlib.metadata.version(name) for name in ("numpy", "scipy")}


def _listed(packages: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {version}" for name, version in packages.items())


def _near(word: str, known: Any) -> str:
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"give one of {', '.join(list(known)[:20])}"
