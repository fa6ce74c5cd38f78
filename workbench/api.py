"""The main functions: compare learners in one call, run a study, rescore its predictions."""

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.tables.caller import user_level
from workbench.base.errors import LeftOutWarning, WorkbenchError, brief_errors

if TYPE_CHECKING:  # this module is imported by the package and stays light
    from workbench.designs import Design
    from workbench.engine.progress import Progress
    from workbench.engine.rescoring import Rescored
    from workbench.metrics import Metric
    from workbench.results import Results
    from workbench.study.rows_source import AnySource
    from workbench.study.study import Study

__all__ = ["compare", "read_study", "rescore", "run", "write_study"]


#: Truths that a generator draws unless a design says how many.
TRUTHS = 10


@brief_errors
def compare(
    learners: Any,
    *,
    on: Any,
    sizes: Sequence[int] | int | None = None,
    metrics: "Sequence[str | Metric] | Mapping[str, str | Metric] | Metric | str" = ("ir_b", "accuracy"),
    store: str | Path | None = None,
    n_jobs: int = 1,
    time_limit: float | None = None,
    seed: int = 0,
    n_test: int | None = None,
    rows: Sequence[str] | str = ("test", "exact"),
    design: "Design | str | None" = None,
    cv: Any = None,
    groups: Any = None,
    input: "Mapping[str, str] | str | None" = None,
    data: str | Path | None = None,
    retry: Collection[str] = (),
    isolate: bool = True,
    progress: "Progress | bool | None" = None,
) -> "Results":
    """Compare learners on truths or on data sets.

    On truths, learners are fitted to samples and scored against the true distribution. Each truth is a
    replicate. A data set is split into training and test rows. All learners get the same rows.

    Parameters
    ----------
    learners : list of classifiers, or mapping of str to classifier
        Unfitted scikit-learn classifiers, from this project or any other. They are cloned and not changed. A
        key of the catalogue, such as "nb", stands for a learner of this project. In a list, these learners
        are named by their keys and others by their classes.
    on : truth, sequence of truths, (X, y), name of a data set, or mapping of str to any of these
        Truths are Networks or Mixtures. A name is one that `workbench.datasets.load_dataset` knows, or the
        path of an ARFF, Parquet or text file, or of a folder of files. ``(path, class_name)`` names the class
        column of a file (by default the last), ``(frame, class_name)`` that of a DataFrame. A `DatasetSource`
        or `Source` is used as given (a generator draws ten truths). A dictionary has the options of
        `DatasetSource`: ``{"dataset": path, "class": name, "nominal": [names], "drop": [names], "sep": ";"}``
        and so on. Unspecified options of a text file are detected. A mapping names several kinds of truth or
        several data sets. Data sets and files in a list keep their own names. If neither the file nor the
        dtype declares the values of a text column, they are read from each training part. The classes are
        those of all rows.
    sizes : int or sequence of int, optional
        Numbers of training rows to draw from truths. The default is 50, 500 and 5000. Not with a design.
    metrics : str, Metric, sequence of these, or mapping of str to these
        Keys of the catalogue, such as "ir_b", "accuracy" and "kl_divergence", or metric objects with options,
        such as ``InformationReward(base=math.e, name="ir_b_nats")``. A mapping sets the names used in tables:
        ``{"ece_10": CalibrationError(n_bins=10)}``.
    store : str or Path, optional
        A file that keeps the results. The same call then computes only missing cells. A learner is identified
        by its qualified name, its parameters and its class attribute `algorithm_version`: raise that number
        when its results change. A learner with a lambda, a nested function or a bound method among its
        parameters cannot be identified later and needs store=None.
    n_jobs : int
        Worker processes, -1 for one per core. The results do not depend on it.
    time_limit : float, optional
        Wall time in seconds after which a cell is stopped and timed out. See `workbench.run`.
    seed : int
        Seed from which all rows derive.
    n_test : int, optional
        Number of test rows for each truth, 1000 by default. Exact scores are added where the attribute space
        is small. Not with a design.
    rows : sequence of {"test", "exact", "training"}
        The rows to score: test rows, the training rows, or "exact" where the attribute space is small.
    design : Design or str, optional
        A design, or the key of a design with default options, such as "repeated_folds". The default is
        `FreshSamples` of `sizes` and `n_test` on truths, and `FiveByTwo` on data sets, or five folds if rows
        have groups.
    cv : int or splitter of scikit-learn, optional
        Data sets only, instead of a design: a number of stratified folds, or a splitter such as
        ``RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)``. The folds are those of
        `sklearn.model_selection.cross_val_score`.
    groups : str or array-like of shape (n_rows,), optional
        The group of each row, such as the patient, or the name of the column with the groups, which is then
        no attribute. Only for one data set. No group is split between training and test rows, and tests count
        groups. For several data sets, give each a `DatasetSource` with its groups.
    input : str, or mapping of str to str, optional
        The form in which learners from other packages receive the rows, for all or by name: "categories" (a
        DataFrame with categorical columns), "table" (the DataFrame as given), "one_hot" or "codes" (arrays).
        The default suits each learner: a pipeline gets the input of its first step, a meta-estimator that of
        the estimator it wraps, an estimator that accepts categories gets them, and all others get one-hot
        columns. `progress` and the report show the form that each received.
    data : str or Path, optional
        Folder of data sets. The default is WORKBENCH_DATA, otherwise the folder recorded in `store`.
    retry, isolate, progress : optional
        As in `run`. Progress is shown on a terminal and in a notebook.

    Returns
    -------
    Results
        `.table()` for means and intervals, `.frame()` for one row per cell and score.

    Raises
    ------
    WorkbenchError
        If `on` contains no truths, a truth has no class, two kinds share a truth, two files have the same
        name, a data set cannot be split, or an argument cannot be used, such as `sizes` and `n_test` with
        data sets or a design.

    Warns
    -----
    workbench.base.errors.FailedCells
        If a learner failed on a cell. A UserWarning.
    workbench.base.errors.NotReproducible
        For each learner whose forecasts differ when it is refitted. Learners of this project and of
        scikit-learn are not checked.
    workbench.base.errors.OrderOfClasses
        If costs are given as numbers without names, and the classes have names.
    workbench.base.errors.RareClass
        For each data set with a class of fewer rows than the design has folds.
    workbench.base.errors.OneClass
        If a learner refused training rows of a single class.
    workbench.base.errors.LeftOutWarning
        For each file of a folder that cannot be read or split, and for truths and data sets given twice,
        which count once.
    workbench.datasets.TableWarning
        For each property of a data set that would mislead, such as a column that identifies rows. The
        subclasses name the property.
    workbench.base.errors.Interrupted
        On Ctrl-C, if at least one cell is done: the results then contain the finished cells. Otherwise
        KeyboardInterrupt is raised.

    See Also
    --------
    workbench.run : studies with more options, from Python or TOML.

    Examples
    --------
    >>> from generators import random_tan
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from workbench import compare
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(3)]
    >>> results = compare({"tree": DecisionTreeClassifier(max_depth=2)}, on=truths, sizes=(100,), n_test=200)
    >>> results.table("accuracy").shape
    (1, 4)
    """
    from workbench.engine.runner import run_study
    from workbench.results import Results
    from workbench.study.learner_spec import read_learners
    from workbench.study.scores import Scores
    from workbench.study.study import Study

    sources = _sources(on, data, store, groups)
    study = Study(
        name="compare",
        seed=seed,
        sources=sources,
        learners=read_learners(learners, input),
        design=_design(sources, sizes, n_test, design, cv),
        scores=Scores(metrics=_several(metrics), rows=_several(rows)),
    )
    found = run_study(
        study,
        store,
        n_jobs=n_jobs,
        time_limit=time_limit,
        retry=retry,
        isolate=isolate,
        progress=progress,
        keep_interrupted=True,
    )
    return Results.of(found)


@brief_errors
def read_study(
    place: str | Path, *, data: str | Path | None = None, store: str | Path | None = None
) -> "Study":
    """Read a study from a TOML file or from TOML text.

    Parameters
    ----------
    place : str or Path
        A path, or the text itself (a string with a line break). Files of truths are read relative to it.
    data : str or Path, optional
        Folder of the data sets named in the study. The default is WORKBENCH_DATA.
    store : str or Path, optional
        A store of the study. Its recorded folder is used if `data` and WORKBENCH_DATA are not set.

    Returns
    -------
    Study

    Raises
    ------
    WorkbenchError
        If the text cannot be used (the message names the nearest known key), or if the recorded folder no
        longer exists and a data set was not part of the last run.

    Notes
    -----
    If the recorded folder no longer exists, computed cells are identified by what the store records of each
    data set. `run` raises an error if cells are missing.

    Examples
    --------
    >>> study = read_study('''
    ... name = "tiny"
    ... seed = 1
    ... learners = ["cart", "prior"]
    ... [[sources]]
    ... generator = "tan"
    ... [design]
    ... replicates = 2
    ... sizes = [50]
    ... ''')
    >>> study.design
    FreshSamples(replicates=2, sizes=(50,), n_test=1000, training_sets=1, once=())
    >>> read_study(write_study(study)) == study
    True
    """
    from workbench.store.data_folder import remembered
    from workbench.study.toml import read_study as read

    return read(place, data=data, memory=None if data else remembered(store))


@brief_errors
def write_study(study: "Study") -> str:
    """Write a study as TOML text that `read_study` reads as an equal study.

    Parameters
    ----------
    study : Study

    Returns
    -------
    str

    Raises
    ------
    WorkbenchError
        If a learner has parameters that TOML cannot express.

    Examples
    --------
    >>> from workbench import Study
    >>> from workbench.study.learner_spec import LearnerSpec
    >>> from workbench.study.source import Source
    >>> study = Study("tiny", 1, (Source("tan", generator="tan"),), (LearnerSpec("nb", "nb"),))
    >>> print(write_study(study).splitlines()[0])
    name = "tiny"
    """
    from workbench.study.toml import write_study as write

    return write(study)


@brief_errors
def run(
    study: "Study",
    store: str | Path | None = None,
    *,
    n_jobs: int = 1,
    time_limit: float | None = None,
    retry: Collection[str] = (),
    isolate: bool = True,
    progress: "Progress | bool | None" = None,
) -> "Results":
    """Compute the missing cells of a study.

    Parameters
    ----------
    study : Study
    store : str, Path or None
        The file. None keeps everything in memory.
    n_jobs : int
        Worker processes. 1 computes in this process, -1 uses all cores. The results are bitwise equal. Unless
        this is 1, a backend set by `joblib.parallel_config` is used.
    time_limit : float, optional
        Wall time in seconds after which a cell is stopped and timed out, even inside compiled code. Cells
        then run in a worker process even if `n_jobs` is 1. Drawing the rows has the same limit. The first
        cells on a machine may include compilation.
    retry : collection of {"failed", "timed_out"}
        States whose cells are computed again.
    isolate : bool
        Whether learners from packages other than this project and scikit-learn get separate worker processes,
        also with one job, so that a crash costs only their own cells. Their trial on a few rows is stopped
        after 30 seconds, their cells only by `time_limit`. At most four such learners run at a time. Set
        False for debugging and for learners that cannot be pickled. A backend of joblib, and Dask, compute
        all learners in the same workers.
    progress : bool or Progress, optional
        How progress is reported. By default, and if True, a bar on a terminal or in a notebook. Elsewhere
        True prints lines on stderr and the default prints nothing. False shows nothing.

    Returns
    -------
    Results
        The results of the whole study, not only of this run.

    Raises
    ------
    WorkbenchError
        If the store is no store, belongs to another study, cannot be written, or is being written by another
        process. If it has scores of another metric under one of the study's keys. If a learner or a metric
        cannot be identified in a store later. If a generator cannot draw the first truth of its source. If a
        data set cannot be split, or its data folder no longer exists and cells are missing. If a worker of
        the user's backend dies.
    KeyboardInterrupt
        On Ctrl-C. Finished cells are kept, and the same call resumes.

    Warns
    -----
    FailedCells
        If cells of the study failed or timed out. A UserWarning.
    workbench.base.errors.NotReproducible
        For each learner from another package whose forecasts differ when it is refitted. A UserWarning.
    workbench.base.errors.SameTruths
        For each source with fewer truths than replicates. A UserWarning.
    workbench.base.errors.MissingScores
        If a metric for a fixed number of classes does not apply to the truths of some cells. A UserWarning.
    learners.tables.columns.IntegerColumnWarning
        Once for each data set with integer columns that may be codes. A UserWarning.

    Notes
    -----
    If a learner fails, its cell is stored as failed with the traceback, and the other cells are computed. A
    cell whose worker process is killed twice (for example by lack of memory) also fails. The process is
    replaced.

    Examples
    --------
    >>> study = read_study('''
    ... name = "tiny"
    ... seed = 1
    ... learners = ["cart", "truth"]
    ... [[sources]]
    ... generator = "tan"
    ... [design]
    ... replicates = 2
    ... sizes = [50]
    ... [scores]
    ... metrics = ["kl_divergence"]
    ... rows = ["exact"]
    ... ''')
    >>> run(study).table("kl_divergence///none").loc[("tan", "truth"), (50, "mean")]
    np.float64(0.0)
    """
    from workbench.engine.runner import run_study
    from workbench.results import Results

    found = run_study(
        study, store, n_jobs=n_jobs, time_limit=time_limit, retry=retry, isolate=isolate, progress=progress
    )
    return Results.of(found)


@brief_errors
def rescore(
    store: str | Path,
    metrics: "Sequence[str | Metric] | Mapping[str, str | Metric] | Metric | str",
    *,
    priors: Sequence[str] = (),
    cutoffs: Sequence[str] = (),
    data: str | Path | None = None,
    on: Any = None,
    groups: Any = None,
    progress: "Progress | bool | None" = None,
) -> "Rescored":
    """Score the stored predictions of a study by further metrics.

    The scores are bitwise equal to those of a study with these metrics from the start. Cells that already
    have them are skipped, so the same call resumes an interrupted one.

    Parameters
    ----------
    store : str or Path
        A store with the predictions of the study.
    metrics : str, Metric, sequence of these, or mapping of str to these
        As in `compare`. The key of a metric with options that the store describes names that metric.
    priors, cutoffs : sequence of str
        As in `workbench.study.scores.Scores`. The default is those of the study.
    data : str or Path, optional
        Folder of data sets. The default is WORKBENCH_DATA, otherwise the folder recorded in the store.
    on, groups : optional
        The arguments of `compare`, for sources that the store does not keep, such as rows.
    progress : bool or Progress, optional
        Reports progress. True is the display of `run`.

    Returns
    -------
    Rescored

    Raises
    ------
    WorkbenchError
        If there is no such store, metric, prior or cut-off, the store has scores of another metric under the
        same key, nothing can be added, or a data set, file or generator gives other test rows than in the
        study. Nothing is written then.

    Examples
    --------
    >>> import tempfile
    >>> from workbench import read_study, run
    >>> study = read_study('''
    ... name = "tiny"
    ... seed = 1
    ... learners = ["nb", "prior"]
    ... [[sources]]
    ... generator = "tan"
    ... [design]
    ... replicates = 2
    ... sizes = [50]
    ... [scores]
    ... metrics = ["accuracy"]
    ... rows = ["test"]
    ... ''')
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     before = run(study, f"{folder}/tiny.db")
    ...     added = rescore(f"{folder}/tiny.db", "log_loss")
    >>> added.n_scores, added.results.table("log_loss").shape
    (8, (2, 4))
    """
    from workbench.engine.rescoring import rescore_store
    from workbench.results import Results

    given = None if on is None else {source.key: source for source in _sources(on, data, store, groups)}
    found = rescore_store(
        store, metrics, priors=priors, cutoffs=cutoffs, data=data, on=given, progress=progress
    )
    return replace(found, results=Results.of(found.results))


def _sources(
    on: Any, data: str | Path | None, store: str | Path | None, groups: Any
) -> "tuple[AnySource, ...]":
    from workbench.store.data_folder import remembered
    from workbench.study.given_sources import given_sources, with_groups

    sources = given_sources(on, data, None if data else remembered(store))
    return tuple(_distinct(sources if groups is None else with_groups(sources, groups)))


def _distinct(sources: "Iterable[AnySource]") -> "Iterator[AnySource]":
    """Leave out data sets given again under another name, as ranks would count them twice."""
    from workbench.study.rows_source import RowsSource

    seen: dict[str, str] = {}
    for source in sources:
        own = source.facts.digest if isinstance(source, RowsSource) else f"truths {source.key}"
        if own in seen:
            why = f"source {source.key!r} has the rows of {seen[own]!r} and is left out"
            warnings.warn(why, LeftOutWarning, stacklevel=user_level())
        else:
            seen[own] = source.key
            yield source


def _design(sources: "tuple[AnySource, ...]", sizes: Any, n_test: Any, design: Any, cv: Any) -> "Design":
    """Return the design that the arguments ask for."""
    from workbench.base import catalogue
    from workbench.designs import FreshSamples, ScikitSplits
    from workbench.study.rows_source import RowsSource
    from workbench.study.study import usual_design

    on_datasets = any(isinstance(source, RowsSource) for source in sources)
    if cv is not None and (design is not None or not on_datasets):
        raise WorkbenchError(
            f"cv is {cv!r}, which splits data sets: "
            + ("leave out cv= or design=" if on_datasets else "for truths, set the sample sizes with sizes=")
        )
    design = ScikitSplits.of(cv) if cv is not None else design
    _check_unused(sizes, n_test, design, on_datasets)
    if isinstance(design, str):
        return catalogue.find("designs", design)()
    if design is not None or on_datasets:
        return design if design is not None else usual_design(sources)
    given: dict[str, Any] = {} if sizes is None else {"sizes": _several(sizes)}
    given |= {} if n_test is None else {"n_test": n_test}
    # one for each given truth; a generator draws as many as intervals need
    drawn = not any(getattr(source, "is_given", True) for source in sources)
    return FreshSamples(replicates=TRUTHS if drawn else 1, **given)


def _check_unused(sizes: Any, n_test: Any, design: Any, on_datasets: bool) -> None:
    """Raise WorkbenchError for numbers that would be ignored."""
    for name, value in (("sizes", sizes), ("n_test", n_test)):
        if value is not None and (on_datasets or design is not None):
            why = (
                "is for rows drawn from truths, but data sets are split"
                if on_datasets
                else "is for the design"
            )
            raise WorkbenchError(
                f"{name} is {value!r}, which {why}: leave it out and set it in the design, such as "
                + ("design=RandomSplits(train=0.5)" if on_datasets else f"design=FreshSamples({name}=...)")
            )


def _several(values: Any) -> Any:
    """Wrap a single value in a tuple."""
    if isinstance(values, Mapping):
        return values
    one = isinstance(values, str) or not isinstance(values, Iterable)
    return (values,) if one else tuple(values)
