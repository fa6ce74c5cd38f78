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

    A truth is a generating model with known probabilities. Learners are fitted to samples drawn from each
    truth and scored against its true distribution. Each truth is one replicate. A data set is split into
    training and test rows. All learners get the same training and test rows.

    Parameters
    ----------
    learners : list of classifiers, or mapping of str to classifier
        Unfitted scikit-learn classifiers, from this project or any other package. They are cloned and not
        changed. The key of a learner of this project, such as "nb", can be given in place of an object. In a
        list, learners of this project are named by their keys, and other learners by their classes.
    on : truth, sequence of truths, (X, y), name of a data set, or mapping of str to any of these
        Truths are Networks, Mixtures or other generating models. A name is that of a data set that
        `workbench.datasets.load_dataset` knows, or the path of an ARFF, Parquet or text file, or of a folder
        of files. ``(path, class_name)`` names the class column of a file (by default the last column), and
        ``(frame, class_name)`` the class column of a DataFrame. A `DatasetSource` or `Source` is used as
        given. A source with a generator draws ten truths. A dictionary has the options of `DatasetSource`:
        ``{"dataset": path, "class": name, "nominal": [names], "drop": [names], "sep": ";"}`` and so on.
        Options of a text file that are not given are detected. A mapping gives names to several kinds of
        truth or to several data sets. Data sets and files in a list keep their own names. If neither the file
        nor the dtype declares the values of a text column, the values are read from each training set. The
        classes are those of all rows.
    sizes : int or sequence of int, optional
        Numbers of training rows to draw from each truth. The default is 50, 500 and 5000. Not allowed
        together with a design.
    metrics : str, Metric, sequence of these, or mapping of str to these
        Keys of the catalogue, such as "ir_b", "accuracy" and "kl_divergence", or metric objects with options,
        such as ``InformationReward(base=math.e, name="ir_b_nats")``. A mapping sets the names used in tables:
        ``{"ece_10": CalibrationError(n_bins=10)}``.
    store : str or Path, optional
        A file that keeps the results. The same call then computes only missing cells (a cell is one learner
        fitted on one training set). A learner is identified by its qualified name, its parameters and its
        class attribute `algorithm_version`. Raise that number when the learner's results change. A learner
        with a lambda, a nested function or a bound method among its parameters cannot be identified in a
        later run and needs store=None.
    n_jobs : int
        Number of worker processes, -1 for one per core. The results do not depend on it.
    time_limit : float, optional
        Largest wall time of a cell in seconds. A cell that takes longer is stopped and counts as timed out.
        By default there is no limit. See `workbench.run`.
    seed : int
        Seed from which all random draws of rows and splits derive.
    n_test : int, optional
        Number of test rows for each truth, 1000 by default. If the attribute space of a truth is small, exact
        expected scores are computed as well. Not allowed together with a design.
    rows : sequence of {"test", "exact", "training"}
        The rows to score: "test" for the test rows, "training" for the training rows, or "exact" for the
        exact expectation over all possible rows where the attribute space is small.
    design : Design or str, optional
        A design (the plan of training and test sets), or the key of a design with default options, such as
        "repeated_folds". The default on truths is `FreshSamples` with `sizes` and `n_test`. The default on
        data sets is `FiveByTwo`, or five-fold cross-validation if rows have groups.
    cv : int or splitter of scikit-learn, optional
        A cross-validation of data sets, in place of `design`: a number of stratified folds, or a splitter
        such as ``RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)``. The folds are the same
        as in `sklearn.model_selection.cross_val_score`.
    groups : str or array-like of shape (n_rows,), optional
        The group of each row, such as the patient, or the name of the column with the groups. That column is
        then not used as an attribute. Only for one data set. No group is split between training and test
        rows, and tests count groups instead of rows. For several data sets, give each a `DatasetSource` with
        its groups.
    input : str, or mapping of str to str, optional
        The form in which learners from other packages receive the rows, for all learners or by the name of a
        learner: "categories" (a DataFrame with categorical columns), "table" (the DataFrame as given),
        "one_hot" or "codes" (arrays). By default the form suits the learner. A pipeline gets the input of its
        first step, and a meta-estimator the input of the estimator it wraps. An estimator that accepts
        categories gets categories, and all other estimators get one-hot columns. `progress` and the report
        show the form that each learner received.
    data : str or Path, optional
        Folder of data sets. The default is the environment variable WORKBENCH_DATA, otherwise the folder
        recorded in `store`.
    retry, isolate, progress : optional
        As in `run`. By default progress is shown on a terminal and in a notebook.

    Returns
    -------
    Results
        `.table()` returns means and intervals, `.frame()` one row per cell and score.

    Raises
    ------
    WorkbenchError
        If `on` contains no truths, a truth has no class, two kinds share a truth, two files have the same
        name, or a data set cannot be split. Also if an argument does not apply, such as `sizes` and `n_test`
        with data sets or with a design.

    Warns
    -----
    workbench.base.errors.FailedCells
        If a learner failed on a cell. A UserWarning.
    workbench.base.errors.NotReproducible
        For each learner whose forecasts differ when it is refitted to the same rows. Learners of this project
        and of scikit-learn are not checked.
    workbench.base.errors.OrderOfClasses
        If costs are given without the names of the classes, although the classes have names.
    workbench.base.errors.RareClass
        For each data set with a class that has fewer rows than the design has folds.
    workbench.base.errors.OneClass
        If a learner rejected training rows that all have the same class.
    workbench.base.errors.LeftOutWarning
        For each file of a folder that cannot be read or split. Also for truths and data sets that are given
        twice: they count once.
    workbench.datasets.TableWarning
        For each property of a data set that makes scores misleading, such as a column that identifies rows.
        Each property has its own subclass.
    workbench.base.errors.Interrupted
        On Ctrl-C, if at least one cell is done. The results then contain the finished cells. If no cell is
        done, KeyboardInterrupt is raised.

    See Also
    --------
    workbench.run : runs studies with more options, from Python or TOML.

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
        A path, or the TOML text itself (a string with a line break). Paths of truths in the study are
        relative to the folder of the file.
    data : str or Path, optional
        Folder of the data sets named in the study. The default is the environment variable WORKBENCH_DATA.
    store : str or Path, optional
        A store (the file with the results of a study). If `data` and WORKBENCH_DATA are not set, the folder
        recorded in the store is used.

    Returns
    -------
    Study

    Raises
    ------
    WorkbenchError
        If the text is not a valid study: the message names the nearest known key. Also if the folder recorded
        in the store no longer exists and a data set was not part of the last run.

    Notes
    -----
    If the recorded folder no longer exists, computed cells are identified by the properties of each data set
    that the store records. `run` raises an error if cells are missing.

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
    """Return a study as TOML text, from which `read_study` reads an equal study.

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
    >>> print(write_study(study).splitlines()[1])
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
    """Run a study: compute the cells that its store lacks.

    Parameters
    ----------
    study : Study
    store : str, Path or None
        The file of results, created if needed. None keeps the results in memory.
    n_jobs : int
        Number of worker processes. 1 computes in this process, -1 uses all cores. The results are bitwise
        equal for any number. With any number other than 1, a backend set by `joblib.parallel_config` is used.
    time_limit : float, optional
        Largest wall time of a cell in seconds. A cell that takes longer is stopped, even inside compiled
        code, and counts as timed out. With a limit, cells run in a worker process even if `n_jobs` is 1. The
        limit also applies to drawing the rows. The first cells on a machine may include the time of
        compilation.
    retry : collection of {"failed", "timed_out"}
        Cells in these states are computed again.
    isolate : bool
        Whether learners from packages other than this project and scikit-learn get separate worker processes,
        also with `n_jobs` of 1. If such a learner crashes, only its own cells fail. Before the run each such
        learner is tried on a few rows, for at most 30 seconds. Its cells are limited only by `time_limit`. At
        most four such learners run at a time. Set False for debugging and for learners that cannot be
        pickled. With a backend of joblib or Dask, all learners run in the same workers.
    progress : bool or Progress, optional
        How progress is reported. By default, and if True, a bar is shown on a terminal or in a notebook. In
        other environments, True prints lines on stderr and the default prints nothing. False shows nothing.

    Returns
    -------
    Results
        The results of the whole study, not only of this run.

    Raises
    ------
    WorkbenchError
        If the store is not a valid store, belongs to another study, cannot be written, or is being written by
        another process. If the store has scores of another metric under one of the study's keys. If a learner
        or a metric cannot be identified in later runs. If a generator cannot draw the first truth of its
        source. If a data set cannot be split, or its data folder no longer exists and cells are missing. If a
        worker of the user's backend dies.
    KeyboardInterrupt
        On Ctrl-C. Finished cells are kept, and the same call computes the remaining cells.

    Warns
    -----
    FailedCells
        If cells of the study failed or timed out. A UserWarning.
    workbench.base.errors.NotReproducible
        For each learner from another package whose forecasts differ when it is refitted to the same rows. A
        UserWarning.
    workbench.base.errors.SameTruths
        For each source with fewer truths than replicates. A UserWarning.
    workbench.base.errors.MissingScores
        If a metric for a fixed number of classes does not apply to the truths of some cells. A UserWarning.
    learners.tables.columns.IntegerColumnWarning
        Once for each data set with integer columns that may be codes. A UserWarning.

    Notes
    -----
    If a learner fails on a cell, the cell is stored as failed with the traceback, and the other cells are
    computed. A worker process that is killed (for example by lack of memory) is replaced. A cell whose worker
    process is killed twice also fails.

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
    """Compute further metrics from the stored predictions of a study.

    The scores are bitwise equal to those of a study that had these metrics from the start. Cells that already
    have the scores are skipped, so the same call resumes an interrupted call.

    Parameters
    ----------
    store : str or Path
        A store with the predictions of the study.
    metrics : str, Metric, sequence of these, or mapping of str to these
        As in `compare`. The key of a metric with options can be given if the store describes that metric.
    priors, cutoffs : sequence of str
        As in `workbench.study.scores.Scores`. The default is the priors and cut-offs of the study.
    data : str or Path, optional
        Folder of data sets. The default is the environment variable WORKBENCH_DATA, otherwise the folder
        recorded in the store.
    on, groups : optional
        As in `compare`, for sources that the store does not keep, such as rows passed in Python.
    progress : bool or Progress, optional
        Whether and how progress is reported, as in `run`. True shows the display of `run`.

    Returns
    -------
    Rescored

    Raises
    ------
    WorkbenchError
        If there is no such store, metric, prior or cut-off. If the store has scores of another metric under
        the same key. If there is nothing to add. If a data set, file or generator gives other test rows than
        in the study. In all these cases nothing is written.

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
            why = f"source {source.key!r} has the same rows as {seen[own]!r} and is left out"
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
            f"cv is {cv!r}, "
            + (
                "and design= is also given: leave out one of the two"
                if on_datasets
                else "but it only splits data sets: for truths, set the sample sizes with sizes="
            )
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
            why = "only applies to rows drawn from truths" if on_datasets else "but a design is also given"
            curve = ", with one call for each point of a learning curve" if name == "sizes" else ""
            instead = (
                f"set the share of training rows in the design, such as design=RandomSplits(train=0.5){curve}"
                if on_datasets
                else f"set it in the design, such as design=FreshSamples({name}=...)"
            )
            raise WorkbenchError(f"{name} is {value!r}, {why}: leave it out and {instead}")


def _several(values: Any) -> Any:
    """Wrap a single value in a tuple."""
    if isinstance(values, Mapping):
        return values
    one = isinstance(values, str) or not isinstance(values, Iterable)
    return (values,) if one else tuple(values)
