"""An existing benchmark, whose models are read on demand."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.notebook import block, table_html, title_lines
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import count_of
from workbench.benchmark.columns import FileColumn, forecast_columns, frame_of
from workbench.benchmark.folder.card import alterations_text, estimate_text, html_of
from workbench.benchmark.folder.manifest import Manifest, columns_in
from workbench.benchmark.formats import FORMATS
from workbench.study.source import read_truth

__all__ = ["Benchmark", "Model", "load"]

MOST_SHOWN = 50  # models in a notebook
HEADS = ("model", "kind", "alterations", "Bayes error", "ceiling of IR_B, bits", "structure")


@dataclass(frozen=True, repr=False)
class Model:
    """A model of a benchmark: truth, rows and posterior. Files are read on first use.

    Attributes
    ----------
    name : str
        Name of the model and of its folder.
    source : str
        The generator, network or kind of the suite from which the truth was drawn.
    truth : Truth or NumericTruth
        The generating model, read from `truth.json`.
    X_train, X_test : DataFrame
        Attributes of the training and test rows, as `truth.sample` returns them: nominal columns categorical
        with the states of the truth, numeric columns float64.
    y_train, y_test : Series
        Classes of the training and test rows, categorical.
    posterior : ndarray of shape (n_test, n_classes)
        The truth's posterior of each test row, with classes in the order of `truth.classes`.
    card : dict
        Description of the truth. See `card.md`.
    """

    name: str
    source: str
    folder: Path
    format: str
    columns: tuple[FileColumn, ...]

    def __repr__(self) -> str:
        attributes, target = count_of(len(self.columns) - 1, "attribute"), self.columns[-1]
        of_class = f"class {target.name!r} of {len(target.labels)}"
        return f"Model({self.name!r}: {self.source}, {attributes}, {of_class}, in {str(self.folder)!r})"

    def _repr_html_(self) -> str:
        # notebooks show this
        return html_of(self.card)

    @cached_property
    def truth(self) -> Any:
        """The truth, with the methods `sample`, `posterior`, `log_joint` and more."""
        return read_truth(self._text("truth.json"))

    @property
    def X_train(self) -> pd.DataFrame:
        """Attributes of the training rows."""
        return self._train.iloc[:, :-1]

    @property
    def y_train(self) -> pd.Series:
        """Classes of the training rows."""
        return self._train.iloc[:, -1]

    @property
    def X_test(self) -> pd.DataFrame:
        """Attributes of the test rows."""
        return self._test.iloc[:, :-1]

    @property
    def y_test(self) -> pd.Series:
        """Classes of the test rows."""
        return self._test.iloc[:, -1]

    @cached_property
    def posterior(self) -> NDArray[np.float64]:
        """The truth's posterior of each test row."""
        return self._table("posterior", forecast_columns(self.columns[-1])).to_numpy()

    @cached_property
    def card(self) -> dict[str, Any]:
        """Description of the truth."""
        try:
            return dict(json.loads(self._text("card.json")))
        except (TypeError, ValueError) as error:
            raise WorkbenchError(f"{self.folder / 'card.json'} is not a card: {error}") from error

    @cached_property
    def _train(self) -> pd.DataFrame:
        return self._table("train", self.columns)

    @cached_property
    def _test(self) -> pd.DataFrame:
        return self._table("test", self.columns)

    def _table(self, name: str, columns: tuple[FileColumn, ...]) -> pd.DataFrame:
        path = self.folder / f"{name}.{self.format}"
        blocks = list(FORMATS[self.format].read(path, columns))
        parts = zip(*blocks, strict=True) if blocks else [(column.empty,) for column in columns]
        return frame_of(columns, [np.concatenate(part) for part in parts])

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            raise WorkbenchError(f"{self.folder / name} cannot be read: {error}") from error


@dataclass(frozen=True, repr=False)
class Benchmark:
    """A benchmark in a folder: models with known truth and their rows.

    Attributes
    ----------
    folder : Path
    made : dict
        Settings of the benchmark: source, parameters, numbers of models and rows, seed, format.
    models : tuple of Model

    Examples
    --------
    >>> import tempfile
    >>> from workbench.benchmark import generate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     benchmark = generate("naive_bayes", folder, models=2, rows=30, test=10, format="csv")
    ...     [model.truth.posterior(model.X_test).shape == model.posterior.shape for model in benchmark]
    [True, True]
    """

    folder: Path
    made: dict[str, Any]
    models: tuple[Model, ...]

    def __repr__(self) -> str:
        return f"Benchmark({count_of(len(self.models), 'model')} in {str(self.folder)!r})"

    def _repr_html_(self) -> str:
        # notebooks show this
        made, shown = self.made, self.models[:MOST_SHOWN]
        rows = f"{made['rows']:,} training and {made['test']:,} test rows each, seed {made['seed']}"
        notes = [f"{rows}; class {self.models[0].columns[-1].name!r}"] if self.models else []
        left = len(self.models) - len(shown)
        notes += [f"The first {len(shown)}; {left} more are not shown."] if left else []
        table = pd.DataFrame([_line(model.card) for model in shown], columns=list(HEADS))
        return block([title_lines(repr(self), notes), table_html(table, words=True)])

    def __iter__(self) -> Iterator[Model]:
        """Yield the models, each of which is read on use, so that only one is in memory."""
        return (Model(m.name, m.source, m.folder, m.format, m.columns) for m in self.models)

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, name: str | int) -> Model:
        """Return the model of that name, or at that place, from 0."""
        if isinstance(name, int):
            return self.models[name]
        for model in self.models:
            if model.name == name:
                return model
        raise WorkbenchError(
            f"unknown model {name!r} of {self.folder}; {nearest(name, [model.name for model in self.models])}"
        )

    @property
    def truths(self) -> dict[str, tuple[Any, ...]]:
        """The truths of each source, for ``compare(..., on=benchmark.truths)``, which draws new rows."""
        sources = dict.fromkeys(model.source for model in self.models)
        return {
            source: tuple(model.truth for model in self.models if model.source == source)
            for source in sources
        }


def _line(card: dict[str, Any]) -> tuple[str, ...]:
    """Return the line of a model, in the order of `HEADS`."""
    error, ceiling = estimate_text(card["bayes_error"]), estimate_text(card["ceiling_ir_b"])
    return (
        card["name"],
        card["kind"],
        alterations_text(card["alterations"]),
        error,
        ceiling,
        card["structure"],
    )


def load(folder: str | Path) -> Benchmark:
    """Open the benchmark in a folder. Files are read on first use and not checked (see `verify`).

    Parameters
    ----------
    folder : str or Path
        A folder made by `workbench.generate`.

    Returns
    -------
    Benchmark

    Raises
    ------
    WorkbenchError
        If the folder is not a benchmark, or the benchmark is unfinished.

    Examples
    --------
    >>> load("/nowhere")
    Traceback (most recent call last):
    ...
    workbench.base.errors.WorkbenchError: /nowhere is not a benchmark: it has no manifest.json
    """
    place = Path(folder)
    manifest = Manifest.read(place)
    models = tuple(
        Model(entry["name"], str(entry["source"]), place / entry["name"], manifest.format, columns_in(entry))
        for entry in manifest.models
    )
    return Benchmark(place, manifest.made, models)
