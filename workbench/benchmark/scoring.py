"""Score predictions of a benchmark's test rows against the truth."""

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import declared_codes
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of, truncate
from workbench.benchmark.columns import forecast_columns
from workbench.benchmark.formats import FORMATS
from workbench.benchmark.loading import Benchmark, Model, load
from workbench.comparisons import mean_intervals
from workbench.metrics import accuracy, ir_b, kl_divergence, log_loss

__all__ = ["ALL", "score_predictions"]

#: The row of means over models.
ALL = "all models"
#: How far printed probabilities may sum from 1; they are divided by their sum.
ROUNDING = 0.01


def score_predictions(folder: str | Path, predictions: str | Path) -> pd.DataFrame:
    """Score predictions of the test rows of a benchmark, by outcomes and by the exact posterior.

    Parameters
    ----------
    folder : str or Path
        As `workbench.generate` made it.
    predictions : str or Path
        A folder with a file for each model, such as ``tan-000.csv``, or ``.parquet`` or ``.arff``: the
        columns of the model's ``posterior`` file, a row for each test row in the same order. Sums of rows
        may differ from 1 by rounding, up to 0.01.

    Returns
    -------
    DataFrame
        A row for each model and score, and for means over models: columns ``model``, ``score``, ``mean``,
        and ``low`` and ``high``, a 95% interval over rows, or over models. Scores are "log_loss" and
        "kl_divergence" (from the truth), in bits; "accuracy"; "regret", the expected error beyond that of
        the truth for the same rows; and "ir_b" against the class marginal, in bits.

    Raises
    ------
    WorkbenchError
        If files are missing, unknown or damaged, or have other columns or rows.

    Examples
    --------
    >>> import pathlib, shutil, tempfile
    >>> from workbench.benchmark import generate
    >>> with tempfile.TemporaryDirectory() as place:
    ...     bench, mine = pathlib.Path(place, "bench"), pathlib.Path(place, "mine")
    ...     mine.mkdir()
    ...     for model in generate("tan", bench, models=2, rows=30, test=50, format="csv"):
    ...         _ = shutil.copy(bench / model.name / "posterior.csv", mine / f"{model.name}.csv")
    ...     scores = score_predictions(bench, mine)  # of the truth's own forecasts
    >>> scores[scores["score"] == "kl_divergence"]["mean"].tolist()
    [0.0, 0.0, 0.0]
    """
    benchmark, place = load(folder), Path(predictions)
    files = _files(benchmark, place)
    rows = [
        {"model": model.name, "score": score, **_interval(values)}
        for model in benchmark
        for score, values in _per_row(model, _forecast(model, files[model.name])).items()
    ]
    frame = pd.DataFrame(rows)
    means = frame.groupby("score", sort=False)["mean"]
    over_models = [{"model": ALL, "score": score, **_interval(part.to_numpy())} for score, part in means]
    return pd.concat([frame, pd.DataFrame(over_models)], ignore_index=True)


def _files(benchmark: Benchmark, place: Path) -> dict[str, Path]:
    """Return the file of each model, by name."""
    if not place.is_dir():
        raise WorkbenchError(
            f"{place} is not a folder of predictions: expected one with a file for each model"
        )
    names = [model.name for model in benchmark.models]
    files: dict[str, Path] = {}
    for path in sorted(place.iterdir()):
        ending = path.suffix.removeprefix(".")
        if ending not in FORMATS:
            continue
        if path.stem not in names:
            raise WorkbenchError(f"{path} is of no model of {benchmark.folder}: expected {names[0]}.{ending}")
        if path.stem in files:
            raise WorkbenchError(f"{files[path.stem]} and {path} are of the same model: keep one")
        files[path.stem] = path
    if missing := [name for name in names if name not in files]:
        raise WorkbenchError(
            f"{place} has no predictions of {count_of(len(missing), 'model')}: {truncate(missing, 5)}; "
            f"expected files such as {missing[0]}.csv, .parquet or .arff"
        )
    return files


def _forecast(model: Model, path: Path) -> NDArray[np.float64]:
    """Read and check the probabilities of a model's test rows."""
    columns = forecast_columns(model.columns[-1])
    blocks = list(FORMATS[path.suffix.removeprefix(".")].read(path, columns))
    found = np.concatenate([np.stack(block, axis=1) for block in blocks] or [np.empty((0, len(columns)))])
    if len(found) != len(model.y_test):
        raise WorkbenchError(
            f"{path} has {count_of(len(found), 'row')}, and {model.name} has {len(model.y_test)} test rows: "
            "expected one for each, in the same order"
        )
    sums = found.sum(axis=1)
    wrong = np.flatnonzero(~((found >= 0).all(axis=1) & (np.abs(sums - 1) <= ROUNDING)))
    if wrong.size:
        raise WorkbenchError(
            f"row {wrong[0] + 1} of {path} is {', '.join(f'{p:g}' for p in found[wrong[0]])}: expected "
            "probabilities that sum to 1"
        )
    return np.asarray(found / sums[:, np.newaxis])


def _per_row(model: Model, forecast: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Return the scores of each test row."""
    outcomes, posterior = declared_codes(model.y_test), model.posterior
    of_choice = posterior[np.arange(len(posterior)), forecast.argmax(axis=1)]
    return {
        "log_loss": log_loss.per_sample(outcomes, forecast),
        "kl_divergence": kl_divergence.per_sample(posterior / posterior.sum(axis=1, keepdims=True), forecast),
        "accuracy": accuracy.per_sample(outcomes, forecast),
        "regret": posterior.max(axis=1) - of_choice,
        "ir_b": ir_b.per_sample(outcomes, forecast, prior=model.card["class"]["marginal"]),
    }


def _interval(values: NDArray[np.float64]) -> dict[str, float]:
    """Return the mean and the ends of its interval, NaN where there is none."""
    if len(values) < 2 or not np.isfinite(values).all():
        return {"mean": float(values.mean()), "low": np.nan, "high": np.nan}
    found = mean_intervals(values, n_intervals=1)
    return {"mean": float(found.mean), "low": float(found.low), "high": float(found.high)}
