"""The plan of a benchmark: truths, numbers of rows, a seed, a format."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from generators.targeted import Drawn
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError
from workbench.base.identity import plain
from workbench.base.seeds import canonical, generator_for
from workbench.benchmark.columns import BATCH_ROWS, columns_of
from workbench.benchmark.formats import format_of
from workbench.benchmark.origins import Origin, origin_of

__all__ = ["BenchmarkPlan", "parameters_of"]

MODELS = 10
MOST_MODELS = 100_000
MOST_ROWS = 10**10


@dataclass(frozen=True)
class BenchmarkPlan:
    """Everything that determines the bytes of a benchmark, together with the versions of programs."""

    source: str  # a generator's key, the path of a network, or "suite:NAME"
    models: int | None = None  # 10 of a generator, 1 of a network, all of a suite
    rows: int = 1000  # of each model, as `test`
    test: int = 1000
    seed: int = 0  # as of a study of a Source of the same generator and parameters
    format: str = "parquet"
    # of the generator, as in a study; alterations of truths that are given
    parameters: Mapping[str, Any] = field(default_factory=dict)
    class_name: str | None = None  # which variable of a network in a file is the class
    origin: Origin = field(init=False, repr=False, compare=False)
    n_models: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        format_of(self.format)
        for what, value, most in (("rows", self.rows, MOST_ROWS), ("test", self.test, MOST_ROWS)):
            _check_number(what, value, 1, most)
        _check_number("seed", self.seed, 0, 2**63)
        origin = origin_of(self.source, dict(self.parameters), self.class_name)
        object.__setattr__(self, "origin", origin)
        object.__setattr__(self, "n_models", self._checked_models(origin))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models and their folders."""
        return tuple(self.origin.name(number, self.n_models) for number in range(self.n_models))

    def describe(self) -> dict[str, Any]:
        """Describe the plan as plain data: plans with equal descriptions are the same."""
        origin = {name: _readable(value, name) for name, value in self.origin.describe().items()}
        numbers = {
            "models": self.n_models,
            "rows": int(self.rows),
            "test": int(self.test),
            "seed": int(self.seed),
        }
        return {**origin, **numbers, "format": self.format, "batch_rows": BATCH_ROWS}

    @cached_property
    def first(self) -> Drawn:
        """The first truth, cached, or WorkbenchError if it cannot be drawn or files cannot have its rows."""
        drawn = self.origin.drawn(int(self.seed), 0)
        columns_of(drawn.truth)
        return drawn

    def drawn(self, number: int) -> Drawn:
        """Return the truth of a model, and how many draws it took."""
        return self.first if number == 0 else self.origin.drawn(int(self.seed), number)

    def training_stream(self, number: int) -> np.random.Generator:
        """Return the random generator of a model's training rows."""
        return self._stream("training rows", number, int(self.rows), 0)

    def test_stream(self, number: int) -> np.random.Generator:
        """Return the random generator of a model's test rows."""
        return self._stream("test rows", number)

    def _stream(self, purpose: str, number: int, *place: int) -> np.random.Generator:
        # the keys are those of a study, see workbench.engine.problem.DrawSpec
        return generator_for(purpose, int(self.seed), canonical(self.origin.identity(number)), number, *place)

    def _checked_models(self, origin: Origin) -> int:
        if self.models is None:
            return origin.n_models or (1 if "network" in origin.describe() else MODELS)
        _check_number("models", self.models, 1, MOST_MODELS)
        if origin.n_models not in (None, self.models):
            raise WorkbenchError(
                f"models is {self.models}, and {self.source} has {origin.n_models} truths: leave it out"
            )
        return int(self.models)


def parameters_of(words: Iterable[str]) -> dict[str, Any]:
    """Read parameters of a generator from text such as ``bayes_error=[0.1, 0.2]``."""
    found: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        try:
            table = tomllib.loads(f"value = {value.strip()}") if sign and name.strip() else {}
        except (ValueError, RecursionError):
            table = {}
        if list(table) != ["value"]:
            raise WorkbenchError(
                f"{word!r} is not NAME=VALUE in TOML: expected such as n_attributes=[4, 8], or "
                "--set 'rows=\"dirichlet\"' for text"
            )
        if name.strip() in found:
            raise WorkbenchError(f"{name.strip()!r} is set twice: keep one")
        found[name.strip()] = table["value"]
    return found


def _readable(value: Any, name: str) -> Any:
    """Convert a value to plain data like `plain`, but keep mappings as objects."""
    if isinstance(value, Mapping):
        return {str(key): _readable(inner, name) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_readable(inner, name) for inner in value]
    return plain(value, name)


def _check_number(what: str, value: object, least: int, most: int) -> None:
    number = as_integer(value)
    if number is None or not least <= number <= most:
        raise WorkbenchError(f"{what} is {value!r}: expected a whole number from {least} to {most:,}")
