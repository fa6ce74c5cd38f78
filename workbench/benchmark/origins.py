"""The origin of the truths of a benchmark: a generator, a network in a file, or a suite."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from generators.networks.network_file import ENDINGS, read_network
from generators.networks.numeric_truth import NumericTruth
from generators.networks.truth import Truth
from generators.targeted import TARGETS, Drawn, checked_bounds
from workbench.base.errors import WorkbenchError
from workbench.base.text import and_of, article
from workbench.study.source import Source, alter, alteration_identity, check_alterations, read_truth

__all__ = ["Origin", "is_truth", "origin_of"]

SUITE = "suite:"
UNSAFE = re.compile(r"[^A-Za-z0-9_]+")
LONGEST_NAME = 60


class Origin(Protocol):
    """A source of numbered truths."""

    @property
    def n_models(self) -> int | None:
        """Number of truths. None if any number can be drawn."""

    def name(self, number: int, n_models: int) -> str:
        """Return the name of a numbered truth, which is safe as the name of a folder."""

    def kind(self, number: int) -> str:
        """Return the kind of a numbered truth."""

    def drawn(self, seed: int, number: int) -> Drawn:
        """Return a truth, and how many draws it took."""

    def identity(self, number: int) -> Any:
        """Describe what determines a truth, as plain data."""

    def describe(self) -> dict[str, Any]:
        """Describe all truths, as plain data."""


def origin_of(word: str, parameters: Mapping[str, Any], class_name: str | None = None) -> Origin:
    """Return the origin with a name."""
    is_file = word.lower().endswith((".json", *ENDINGS))
    if class_name is not None and not is_file:
        raise WorkbenchError(
            f"the class is given as {class_name!r}, but only a network in a file needs it: leave it out"
        )
    if not is_file and not word.startswith(SUITE):
        return GeneratorOrigin(word, parameters)
    check_alterations(parameters, word)
    if is_file:
        return NetworkOrigin(_read_network(Path(word), class_name), Path(word).stem, parameters)
    return SuiteOrigin(word, parameters)


def is_truth(value: Any) -> bool:
    """Whether something is a truth with a class that JSON can represent."""
    return isinstance(value, NumericTruth) or (isinstance(value, Truth) and value.class_index is not None)


@dataclass(frozen=True)
class GeneratorOrigin:
    """Truths as a study of the same seed draws them, alternating between difficulties."""

    generator: str
    parameters: Mapping[str, Any]
    n_models: int | None = None

    def __post_init__(self) -> None:
        self._sources  # noqa: B018 - raises now

    @cached_property
    def _sources(self) -> tuple[tuple[str, Source], ...]:
        """A source for each difficulty, by its label."""
        return tuple(
            (label, Source(self.generator, generator=self.generator, parameters=given))
            for label, given in _levels(self.parameters).items()
        )

    def _of(self, number: int) -> tuple[str, Source]:
        return self._sources[number % len(self._sources)]

    def name(self, number: int, n_models: int) -> str:
        return _numbered(self.generator, number, n_models) + self._of(number)[0]

    def kind(self, number: int) -> str:
        return self.generator + self._of(number)[0]

    def drawn(self, seed: int, number: int) -> Drawn:
        try:
            found = self._of(number)[1].drawn(seed=seed, replicate=number)
        except (ValueError, TypeError) as error:
            raise WorkbenchError(
                f"generator {self.generator!r} cannot draw truth {number}: {error}"
            ) from error
        if not is_truth(found.truth):
            what = article(type(found.truth).__name__)
            raise WorkbenchError(f"generator {self.generator!r} gives {what}: expected a truth with a class")
        return found

    def identity(self, number: int) -> Any:
        return self._of(number)[1].identity(number)

    def describe(self) -> dict[str, Any]:
        return {"generator": self.generator, "parameters": dict(self.parameters)}


@dataclass(frozen=True)
class NetworkOrigin:
    """One truth with different rows for each model, and different alterations if there are any."""

    truth: Any
    stem: str
    alterations: Mapping[str, Any] = field(default_factory=dict)
    n_models: int | None = None

    @cached_property
    def _source(self) -> Source:
        return Source(self.stem, truths=(self.truth,), parameters=dict(self.alterations))

    def name(self, number: int, n_models: int) -> str:
        return _numbered(self.stem, number, n_models)

    def kind(self, number: int) -> str:
        return self.stem

    def drawn(self, seed: int, number: int) -> Drawn:
        try:
            return self._source.drawn(seed=seed, replicate=number)
        except (ValueError, TypeError) as error:
            raise WorkbenchError(f"the network {self.stem!r} cannot be altered: {error}") from error

    def identity(self, number: int) -> Any:
        return self._source.identity(number)

    def describe(self) -> dict[str, Any]:
        from generators.base.checksum import checksum

        return {"network": self.stem, "truth": checksum(self.truth)} | alteration_identity(self.alterations)


@dataclass(frozen=True)
class SuiteOrigin:
    """The truths of a suite, altered if requested."""

    word: str
    alterations: Mapping[str, Any] = field(default_factory=dict)
    _entries: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        from generators.suites.suite import suite

        try:
            object.__setattr__(self, "_entries", suite(self.word.removeprefix(SUITE)))
        except ValueError as error:
            raise WorkbenchError(str(error)) from error

    @property
    def n_models(self) -> int | None:
        return len(self._entries)

    def name(self, number: int, n_models: int) -> str:
        return str(self._entries.truths[number].name)

    def kind(self, number: int) -> str:
        return str(self._entries.truths[number].kind)

    def drawn(self, seed: int, number: int) -> Drawn:
        entry, identity = self._entries.truths[number], self.identity(number)
        try:
            truth = alter(entry.draw(), self.alterations, identity=identity, seed=seed, replicate=number)
            return Drawn(truth, 1, {})
        except (ValueError, TypeError) as error:
            raise WorkbenchError(f"the truth {entry.name!r} is not available: {error}") from error

    def identity(self, number: int) -> Any:
        # not the truth's hash, which depends on the last bits of its numbers
        own = {"suite": self._entries.name, "truth": self.name(number, 0)}
        return own | alteration_identity(self.alterations)

    def describe(self) -> dict[str, Any]:
        return {"suite": self._entries.name} | alteration_identity(self.alterations)


def _levels(parameters: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the parameters of each difficulty, by label, or one without a label for single bounds."""
    several = {
        name: pairs
        for name in TARGETS
        if isinstance(pairs := parameters.get(name), list | tuple)
        and pairs
        and all(isinstance(pair, list | tuple) for pair in pairs)
    }
    if len(several) > 1:
        raise WorkbenchError(
            f"{and_of(list(several))} are lists of pairs: give several bounds for only one of them"
        )
    levels = {}
    for name, pairs in several.items():
        for pair in pairs:
            try:
                low, high = checked_bounds(name, pair)
            except ValueError as error:
                raise WorkbenchError(str(error)) from error
            levels[f"-{name}-{low:g}-{high:g}"] = {**parameters, name: pair}
    return levels or {"": dict(parameters)}


def _read_network(path: Path, class_name: str | None) -> Any:
    try:
        is_json = path.suffix.lower() == ".json"
        truth: Any = read_truth(path.read_text(encoding="utf-8")) if is_json else read_network(path)
        if class_name is not None:
            if not hasattr(truth, "with_class"):
                raise WorkbenchError(
                    f"{path} is {article(type(truth).__name__)}, whose class is fixed: leave --class out"
                )
            truth = truth.with_class(class_name)
    except (OSError, ValueError) as error:
        if isinstance(error, WorkbenchError):
            raise
        raise WorkbenchError(f"the network {path} cannot be used: {error}") from error
    if not is_truth(truth):
        raise WorkbenchError(f"the network {path} has no class: name one of its variables, --class NAME")
    return truth


def _numbered(word: str, number: int, n_models: int) -> str:
    safe = UNSAFE.sub("_", word).strip("_")[:LONGEST_NAME] or "truth"
    return f"{safe}-{number:0{max(3, len(str(n_models - 1)))}d}"
