"""Hand out a benchmark: training rows and rows to predict, without the truth."""

import json
from collections.abc import Iterator
from pathlib import Path
from string import Template

import numpy as np

from learners.counts.class_prior import class_prior
from workbench.base.errors import WorkbenchError
from workbench.benchmark.columns import Block, forecast_columns
from workbench.benchmark.formats import FORMATS
from workbench.benchmark.loading import Model, load

__all__ = ["hand_out"]

PAGE = Path(__file__).with_name("hand_out.md")
HEADS = ("model", "attributes", "class", "its values", "training rows", "test rows")


def hand_out(folder: str | Path, out: str | Path) -> None:
    """Write the part of a benchmark for students, without truths, seed or difficulty.

    Parameters
    ----------
    folder : str or Path
        A folder made by `workbench.generate`.
    out : str or Path
        The folder for the students: new or empty, and not inside the benchmark. It gets a subfolder for each
        model, ``model-000`` and so on, with ``train.csv``, ``test.csv`` without the class, and
        ``columns.json`` with the values of each column. The subfolder ``example`` contains predictions for
        each model, the class frequencies of its training rows. A README explains what to predict and in which
        form.

    Raises
    ------
    WorkbenchError
        If the benchmark cannot be read, or the folder is not empty.

    See Also
    --------
    score_predictions : Scores the students' predictions.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from workbench.benchmark import generate, hand_out
    >>> with tempfile.TemporaryDirectory() as place:
    ...     bench, out = pathlib.Path(place, "bench"), pathlib.Path(place, "out")
    ...     _ = generate("tan", bench, models=1, rows=30, test=50, format="csv")
    ...     hand_out(bench, out)
    ...     sorted(path.name for path in (out / "model-000").iterdir())
    ['columns.json', 'test.csv', 'train.csv']
    """
    benchmark, place = load(folder), Path(out)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise WorkbenchError(f"{place} is there already: name a new or an empty folder")
    if place.resolve().is_relative_to(benchmark.folder.resolve()):
        raise WorkbenchError(f"{place} is below the benchmark, which must stay as it is: name another folder")
    example = place / "example"
    example.mkdir(parents=True)
    lines = []
    for number, model in enumerate(benchmark):
        own = place / f"model-{number:03d}"
        own.mkdir()
        lines.append(_write(model, own, example / f"{own.name}.csv"))
    table = [f"| {' | '.join(cells)} |" for cells in (HEADS, ("---",) * len(HEADS), *lines)]
    page = Template(PAGE.read_text(encoding="utf-8")).substitute(models="\n".join(table))
    (place / "README.md").write_text(page, encoding="utf-8")


def _write(model: Model, folder: Path, example: Path) -> tuple[str, ...]:
    """Write the files of a model, and return its row of the README."""
    columns, target = model.columns, model.columns[-1]
    counts, n_test = np.zeros(len(target.labels)), 0

    def training() -> Iterator[Block]:
        for block in _blocks(model, "train"):
            counts[:] += np.bincount(block[-1], minlength=len(counts))
            yield block

    def without_class() -> Iterator[Block]:
        nonlocal n_test
        for block in _blocks(model, "test"):
            n_test += len(block[-1])
            yield block[:-1]

    write = FORMATS["csv"].write
    write(folder / "train.csv", columns, training())
    write(folder / "test.csv", columns[:-1], without_class())
    values = {one.label: list(one.labels) if one.nominal else "number" for one in columns}
    (folder / "columns.json").write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    write(example, forecast_columns(target), [[np.full(n_test, share) for share in class_prior(counts)]])
    n_train = f"{counts.sum():,.0f}"
    return folder.name, str(len(columns) - 1), target.label, str(len(counts)), n_train, f"{n_test:,}"


def _blocks(model: Model, table: str) -> Iterator[Block]:
    return FORMATS[model.format].read(model.folder / f"{table}.{model.format}", model.columns)
