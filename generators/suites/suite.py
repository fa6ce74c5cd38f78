"""Suites: named truths, drawn reproducibly from the seeds in a manifest."""

from __future__ import annotations

import functools
import importlib.metadata
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from generators.base.checksum import checksum
from generators.base.generator import GENERATORS, current_names
from generators.base.validation import shown
from generators.suites.places import SuiteMismatch, SuitePlace, seed_of

__all__ = ["Suite", "SuiteMismatch", "SuiteTruth", "list_suites", "suite"]

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class SuiteTruth:
    """One truth of a suite: its generator with parameters, and its properties."""

    name: str  # kind, number of attributes and difficulty: "tan-07-hard"
    kind: str  # key of the generator that draws it
    n_attributes: int
    # "easy", "medium" or "hard": in "bias-v1" the share of the class prior's error that the best forecast
    # still has; in "bias-v2" a parameter of the law, and empty for probes
    difficulty: str
    parameters: Mapping[str, Any]  # of the generator
    seed: int  # its `random_state`
    # in bits, to six digits: "arities", "n_classes", "class_entropy", "prior_error", "bayes_error",
    # "bayes_error_standard_error" (0 if exact), "ceiling", "information", "dependence"; none in "bias-v2"
    facts: Mapping[str, Any]
    checksum: str  # that of `base.checksum`; in "bias-v2" a short one of numbers to six digits
    made_with: Mapping[str, str]  # versions of the packages that made the manifest
    place: SuitePlace | None = None  # where the truth belongs in a suite of places
    number: int = 0  # its number there

    def draw(self) -> Any:
        """Draw the truth and verify its checksum."""
        if self.place is not None:
            return self.place.draw(self.number)
        truth = draw(self.kind, self.parameters, self.seed)
        if checksum(truth) != self.checksum:
            raise SuiteMismatch(
                f"the drawn truth {self.name!r} differs from the truth of the suite, which was made with "
                f"{_listed(self.made_with)}. Installed are {_listed(versions())}: install the versions of "
                "the suite"
            )
        return truth


@dataclass(frozen=True)
class Suite:
    """A fixed collection of truths under a versioned name.

    Attributes
    ----------
    name : str
        Name with version, such as "bias-v1".
    about : str
        Purpose of the suite.
    truths : tuple of SuiteTruth
    places : tuple of SuitePlace
        In "bias-v2", the combinations of generator and parameters, each with several truths. Empty in
        "bias-v1".
    """

    name: str
    about: str
    truths: tuple[SuiteTruth, ...]
    places: tuple[SuitePlace, ...] = ()

    def __iter__(self) -> Iterator[SuiteTruth]:
        return iter(self.truths)

    def __len__(self) -> int:
        return len(self.truths)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Keys of the generators of the truths, in order."""
        return tuple(dict.fromkeys(entry.kind for entry in self.truths))

    def truth(self, name: str) -> SuiteTruth:
        """Return the entry of `truths` with this name, or raise ValueError.

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

    def place(self, key: str) -> SuitePlace:
        """Return the entry of `places` with this key, or raise ValueError.

        Examples
        --------
        >>> suite("bias-v2").place("tan-narrow-easy").draw(0)
        Network(8 variables, 13 arcs, class 'y' of 4)
        """
        if key not in self._places_by_key:
            known = list(self._places_by_key)
            near = _near(key, known) if known else "its truths are drawn by suite(...).truth(name)"
            raise ValueError(f"the suite {self.name!r} has no place {shown(key)}; {near}")
        return self._places_by_key[key]

    def by_kind(self) -> dict[str, tuple[Any, ...]]:
        """Draw all truths, grouped by generator, as an argument of `workbench.compare`.

        Returns
        -------
        dict of str to tuple of truths

        Raises
        ------
        SuiteMismatch
            If a truth differs from the manifest.
        """
        return {
            kind: tuple(entry.draw() for entry in self.truths if entry.kind == kind) for kind in self.kinds
        }

    @cached_property
    def _by_name(self) -> dict[str, SuiteTruth]:
        return {entry.name: entry for entry in self.truths}

    @cached_property
    def _places_by_key(self) -> dict[str, SuitePlace]:
        return {place.key: place for place in self.places}


def suite(name: str) -> Suite:
    """Return a suite by its name.

    Parameters
    ----------
    name : str
        Name with version, as `list_suites` returns it. A changed suite gets another version.

    Returns
    -------
    Suite
        The suite. Truths are drawn on demand.

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
    return _read(name)


@functools.cache
def _read(name: str) -> Suite:
    manifest = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    made_with, about = manifest["made_with"], manifest["about"]
    if "places" in manifest:
        places = tuple(_place(name, entry) for entry in manifest["places"])
        truths = tuple(one for place in places for one in _truths(place, made_with))
        return Suite(name, about, truths, places)
    return Suite(name, about, tuple(SuiteTruth(**entry, made_with=made_with) for entry in manifest["truths"]))


def _place(name: str, entry: Mapping[str, Any]) -> SuitePlace:
    lists = {word: tuple(entry[word]) for word in ("sizes", "n_attributes", "checksums")}
    return SuitePlace(**{**entry, **lists}, suite=name)


def _truths(place: SuitePlace, made_with: Mapping[str, str]) -> Iterator[SuiteTruth]:
    for number, (n_attributes, own) in enumerate(zip(place.n_attributes, place.checksums, strict=True)):
        yield SuiteTruth(
            name=f"{place.key}-{number:02d}",
            kind=place.kind,
            n_attributes=n_attributes,
            difficulty=place.difficulty,
            parameters=place.parameters,
            seed=seed_of(place.suite, place.seed, number),
            facts={},
            checksum=own,
            made_with=made_with,
            place=place,
            number=number,
        )


def list_suites() -> tuple[str, ...]:
    """List the names of the suites.

    Examples
    --------
    >>> list_suites()
    ('bias-v1', 'bias-v2')
    """
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def draw(kind: str, parameters: Mapping[str, Any], seed: int) -> Any:
    """Draw a truth from the key of its generator, parameters in JSON form, and an integer seed."""
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in current_names(parameters).items()
    }
    return GENERATORS[kind](**given, random_state=seed)


def versions() -> dict[str, str]:
    """Return the versions of the packages with which truths are drawn."""
    return {name: importlib.metadata.version(name) for name in ("numpy", "scipy")}


def _listed(packages: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {version}" for name, version in packages.items())


def _near(word: str, known: Any) -> str:
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"give one of {', '.join(list(known)[:20])}"
