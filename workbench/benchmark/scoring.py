"""Score predictions of a benchmark's test rows against the truth, and rank students."""

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.caller import user_level
from generators.tables.columns import declared_codes
from workbench.base.errors import LeftOutWarning, WorkbenchError, check_known
from workbench.base.score_key import CUTOFFS
from workbench.base.text import count_of, truncate
from workbench.benchmark.formats import FORMATS
from workbench.benchmark.loading import Benchmark, Model, load
from workbench.comparisons import mean_intervals
from workbench.forecasts.files import read_predictions
from workbench.metrics import accuracy, clip_probabilities, ir_b, kl_divergence, log_loss

__all__ = ["ALL", "HandIn", "hand_ins_of", "rank_predictions", "ranking_of", "score_predictions"]

#: The row of means over models, if none is left out.
ALL = "all models"
#: Zeros of files with more digits are no rounded numbers.
LEAST_PRINTED = 1e-6
NUMBERED = re.compile(r"(?:model-)?([0-9]+)")


def score_predictions(folder: str | Path, predictions: str | Path, *, cutoff: str = "none") -> pd.DataFrame:
    """Score predictions of the test rows of a benchmark, by outcomes and by the exact posterior.

    Parameters
    ----------
    folder : str or Path
        A folder made by `workbench.generate`.
    predictions : str or Path
        A folder with a file for each model. The name of a file is ``tan-000``, ``model-000`` or ``0``, with
        the ending ``.csv``, ``.parquet`` or ``.arff``. A file has a column for each class, in any order,
        named ``p_CLASS`` or as the class, and a row for each test row, in the order of the test rows. The
        probabilities of a row are divided by their sum, which may differ from 1 by the rounding of the
        printed digits, see `workbench.forecasts.files.read_predictions`.
    cutoff : {"none", "2001", "2002"}
        How probabilities are clipped away from 0, see `workbench.metrics.clip_probabilities`. Without a
        cut-off, probability 0 for a class that happens costs infinitely many bits.

    Returns
    -------
    DataFrame
        A row for each model and score, and for means over models: columns ``model``, ``score``, ``mean``, and
        ``low`` and ``high``, a 95% interval over rows, or over models. Scores are "log_loss" and
        "kl_divergence" (from the truth), in bits, "accuracy", "regret", the expected error in excess of the
        truth's on the same rows, and "ir_b" relative to the class marginal, in bits. The last rows are of
        "all models", or of "3 of 4 models" if one is left out.

    Raises
    ------
    WorkbenchError
        If no file can be scored.

    Warns
    -----
    workbench.base.errors.LeftOutWarning
        Once, with all faults, if models are left out because their files are missing or unusable.

    See Also
    --------
    rank_predictions : Compares several students.

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
    found = HandIn.read(load(folder), {"": Path(predictions)}, cutoff)[""]
    table = found.table()
    _warn({"": found})
    return table


def rank_predictions(
    folder: str | Path, predictions: str | Path | Mapping[str, str | Path], *, cutoff: str = "none"
) -> pd.DataFrame:
    """Rank students by the log loss of their predictions of a benchmark's test rows.

    Parameters
    ----------
    folder : str or Path
        A folder made by `workbench.generate`.
    predictions : str, Path or dict of str to str or Path
        The folder of each student's predictions, in the form that `score_predictions` reads, or one folder
        that contains the students' folders.
    cutoff : {"none", "2001", "2002"}
        How probabilities are clipped away from 0, as in `score_predictions`.

    Returns
    -------
    DataFrame
        A row for each student, the best first: columns ``student``, ``models`` (the number of scored models),
        ``mean`` (the mean log loss over models, in bits), ``low`` and ``high`` (95% interval of the mean),
        ``rank`` (NaN for students without predictions for some models), ``difference`` (mean log loss minus
        that of the first student, on the models that both have), and ``difference_low`` and
        ``difference_high`` (95% interval of the difference).

    Raises
    ------
    WorkbenchError
        If no student's files can be scored.

    Warns
    -----
    workbench.base.errors.LeftOutWarning
        Once, with the faults of all files that cannot be used.

    Notes
    -----
    Each interval of a difference is a single 95% interval. The first student is selected by the same scores,
    so the differences of students with nearly the same log loss are slightly too large.

    Examples
    --------
    >>> import pathlib, shutil, tempfile
    >>> from workbench.benchmark import generate, hand_out
    >>> with tempfile.TemporaryDirectory() as place:
    ...     bench, ann = pathlib.Path(place, "bench"), pathlib.Path(place, "ann")
    ...     ann.mkdir()
    ...     for model in generate("tan", bench, models=3, rows=30, test=50, format="csv"):
    ...         _ = shutil.copy(bench / model.name / "posterior.csv", ann / f"{model.name}.csv")
    ...     hand_out(bench, pathlib.Path(place, "out"))
    ...     ranked = rank_predictions(bench, {"ann": ann, "prior": pathlib.Path(place, "out/example")})
    >>> ranked["student"].tolist(), ranked["rank"].tolist()
    (['ann', 'prior'], [1.0, 2.0])
    """
    benchmark = load(folder)
    if isinstance(predictions, Mapping):
        places = {str(student): Path(place) for student, place in predictions.items()}
    else:
        places = hand_ins_of(benchmark, Path(predictions))
    if not places:
        raise WorkbenchError(f"{predictions!s:.200} has no students: expected a folder for each student")
    found = HandIn.read(benchmark, places, cutoff)
    ranking = ranking_of(found)
    _warn(found)
    return ranking


@dataclass(frozen=True, eq=False)
class HandIn:
    """Scores of one student's predictions, with notes."""

    scores: pd.DataFrame  # a row for each model and score, as of `score_predictions`
    n_models: int  # of the benchmark
    left_out: str  # the faults of models without scores
    zeros: str  # that make losses infinite

    @classmethod
    def read(cls, benchmark: Benchmark, places: Mapping[str, Path], cutoff: str) -> "dict[str, HandIn]":
        """Read and score all usable files of each student's folder. Each model is read once."""
        check_known("cut-off", [cutoff], CUTOFFS)
        readings = {who: _Reading(*_files(benchmark, place)) for who, place in places.items()}
        for model in benchmark:
            for reading in readings.values():
                if model.name in reading.files:
                    reading.add(model, benchmark.made["rows"], cutoff)
        return {who: reading.hand_in(len(benchmark)) for who, reading in readings.items()}

    @property
    def notes(self) -> list[str]:
        """Notes on omitted models and infinite costs."""
        return [text for text in (self.left_out, self.zeros) if text]

    @property
    def log_loss(self) -> pd.Series:
        """The mean log loss of each model."""
        return self.scores[self.scores["score"] == "log_loss"].set_index("model")["mean"].astype(float)

    def table(self) -> pd.DataFrame:
        """Return the scores with means over models, or raise WorkbenchError if there are none."""
        if self.scores.empty:
            raise WorkbenchError(f"no predictions can be scored; {self.left_out}")
        scored = self.scores["model"].nunique()
        of = ALL if scored == self.n_models else f"{scored} of {count_of(self.n_models, 'model')}"
        means = self.scores.groupby("score", sort=False)["mean"]
        rows = [{"model": of, "score": score, **_interval(part.to_numpy())} for score, part in means]
        return pd.concat([self.scores, pd.DataFrame(rows)], ignore_index=True)


@dataclass(eq=False)
class _Reading:
    """The student's files that were read so far."""

    files: dict[str, Path]  # by model
    faults: list[str]
    rows: list[dict[str, Any]] = field(default_factory=list)
    infinite: int = 0  # rows that cost infinitely
    unit: float = 0.0  # below which their probabilities are printed as 0

    def add(self, model: Model, n_train: int, cutoff: str) -> None:
        """Score the file of a model, or record its fault."""
        labels, codes = model.columns[-1].labels, declared_codes(model.y_test)
        try:
            found = read_predictions(
                self.files[model.name], actual=[labels[code] for code in codes], classes=labels
            )
        except (WorkbenchError, OSError) as error:
            self.faults.append(str(error))
            return
        per_row = _per_row(model, codes, _cut(found.y_prob, n_train, cutoff))
        if n := int(np.isinf(per_row["kl_divergence"]).sum()):
            self.infinite, self.unit = self.infinite + n, max(self.unit, found.half_unit)
        self.rows += [
            {"model": model.name, "score": score, **_interval(values)} for score, values in per_row.items()
        ]

    def hand_in(self, n_models: int) -> HandIn:
        """Return the scores, with notes."""
        printed = f" (printed for less than {self.unit:g})" if self.unit > LEAST_PRINTED else ""
        costly = (
            f"{count_of(self.infinite, 'row')} with probability 0{printed} for a class that can occur cost "
            "infinitely many bits: a cut-off of 2002 makes losses finite"
        )
        scores = pd.DataFrame(self.rows, columns=["model", "score", "mean", "low", "high"])
        left_out = f"left out: {'; '.join(self.faults)}" if self.faults else ""
        return HandIn(scores, n_models, left_out, costly if self.infinite else "")


def hand_ins_of(benchmark: Benchmark, place: Path) -> dict[str, Path]:
    """Return the folder of each student, or none if the folder has files of models."""
    if not place.is_dir() or _files(benchmark, place)[0]:
        return {}
    return {one.name: one for one in sorted(place.iterdir()) if one.is_dir() and one.name[0] not in "._"}


def ranking_of(found: Mapping[str, HandIn]) -> pd.DataFrame:
    """Rank students. See `rank_predictions`."""
    losses = pd.DataFrame({student: one.log_loss for student, one in found.items() if len(one.scores)})
    if losses.empty:
        raise WorkbenchError(
            "no predictions can be scored; "
            + "; ".join(f"{student}: {one.left_out}" for student, one in found.items())
        )
    there, means = losses.notna(), losses.mean()
    ranks = means[there.all()].rank(method="min")
    order = [*ranks.sort_values(kind="stable").index, *means[~there.all()].sort_values().index]
    rows = []
    for student in order:
        both = there[student] & there[order[0]]
        with np.errstate(invalid="ignore"):  # infinite losses of both
            behind = losses.loc[both, student].to_numpy() - losses.loc[both, order[0]].to_numpy()
        rows.append(
            {
                "student": student,
                "models": int(there[student].sum()),
                **_interval(losses.loc[there[student], student].to_numpy()),
                "rank": ranks.get(student, np.nan),
                **{f"difference_{end}": value for end, value in _interval(behind).items()},
            }
        )
    return pd.DataFrame(rows).rename(columns={"difference_mean": "difference"})


def _warn(found: Mapping[str, HandIn]) -> None:
    """Warn once of all omitted models, and once of all infinite costs."""
    for what, kind in (("left_out", LeftOutWarning), ("zeros", UserWarning)):
        said = [
            f"{who}{': ' if who else ''}{getattr(one, what)}"
            for who, one in found.items()
            if getattr(one, what)
        ]
        if said:
            warnings.warn("; ".join(said), kind, stacklevel=user_level())


def _files(benchmark: Benchmark, place: Path) -> tuple[dict[str, Path], list[str]]:
    """Return the file of each model, by name, and the faults of files and their names."""
    if not place.is_dir():
        raise WorkbenchError(
            f"{place} is not a folder of predictions: expected one with a file for each model"
        )
    names = [model.name for model in benchmark.models]
    found: dict[str, list[Path]] = {}
    faults = []
    for path in sorted(place.iterdir()):
        if path.name.startswith(".") or path.suffix.lower().removeprefix(".") not in FORMATS:
            continue
        if (name := _model_of(path.stem, names)) is None:
            faults.append(
                f"{path} belongs to no model of {benchmark.folder}: expected {names[0]}{path.suffix}"
            )
        else:
            found.setdefault(name, []).append(path)
    faults += [
        f"{' and '.join(map(str, paths))} belong to the same model: keep one"
        for paths in found.values()
        if len(paths) > 1
    ]
    if missing := [name for name in names if name not in found]:
        faults.append(
            f"{place} has no predictions of {count_of(len(missing), 'model')}, {truncate(missing, 5)}: "
            f"expected files such as {missing[0]}.csv, .parquet or .arff"
        )
    return {name: paths[0] for name, paths in found.items() if len(paths) == 1}, faults


def _model_of(stem: str, names: list[str]) -> str | None:
    """Return the model of a file: by its name, the start of the name, or its number."""
    if stem in names:
        return stem
    number = NUMBERED.fullmatch(stem)
    if number and int(number[1]) < len(names):
        return names[int(number[1])]
    starting = [name for name in names if name.startswith(f"{stem}-")]
    return starting[0] if len(starting) == 1 else None


def _cut(forecast: NDArray[np.float64], n_train: int, cutoff: str) -> NDArray[np.float64]:
    if cutoff == "none":
        return forecast
    return clip_probabilities(forecast, n_train=n_train, rule=cutoff)  # type: ignore[arg-type]


def _per_row(
    model: Model, outcomes: NDArray[np.integer], forecast: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Return the scores of each test row."""
    posterior = model.posterior
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
        return {"mean": float(values.mean()) if len(values) else np.nan, "low": np.nan, "high": np.nan}
    found = mean_intervals(values, n_intervals=1)
    return {"mean": float(found.mean), "low": float(found.low), "high": float(found.high)}
