"""Compare learners on truths or tables in one call."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:  # this module is imported by the package and stays light
    from workbench.designs import Design
    from workbench.results import Results
    from workbench.source import Source
    from workbench.table_source import TableSource

__all__ = ["compare"]


def compare(
    learners: Mapping[str, Any],
    *,
    on: Any,
    sizes: Sequence[int] | int = (50, 500, 5000),
    metrics: Sequence[str] | str = ("ir_b", "accuracy"),
    store: str | Path | None = None,
    n_jobs: int = 1,
    seed: int = 0,
    n_test: int = 1000,
    design: "Design | None" = None,
    data: str | Path | None = None,
) -> "Results":
    """Compare learners on truths, on tables, or on data sets.

    On truths learners are fitted to samples and scored against what is true; each truth is a replicate. A
    table is split into rows to learn from and rows to test on. Every learner meets the same rows.

    Parameters
    ----------
    learners : mapping of str to classifier
        Name to unfitted scikit-learn classifier, ours or any other; it is cloned, not changed.
    on : truth, sequence of truths, (X, y), name of a data set, or mapping of str to any of these
        Truths are Networks or Mixtures; a name is one that `workbench.datasets.load_dataset` knows, or the
        path of an ARFF, CSV, TSV or Parquet file; ``(path, class_name)`` says which column of a file is the
        class, the last by default. A mapping names several kinds of truth, or several tables; so does a
        list of data sets and files, which go by their own names. Text columns whose file or dtype declares
        no values have those that each training part shows; classes are those of all rows.
    sizes : int or sequence of int
        Numbers of training rows to draw from truths.
    metrics : str or sequence of str
        Keys of the catalogue: "ir_b", "accuracy", "kl_divergence", "log_loss".
    store : str or Path, optional
        A file that keeps what is computed; the same call then computes only what is missing. A learner counts
        as the same while its qualified name, its parameters and its class attribute `algorithm_version` are
        the same: raise that number when its results change. A learner with a lambda, a function made inside
        another or a bound method among its parameters cannot be recognized later, so it needs store=None.
    n_jobs : int
        Worker processes, -1 for one a core; the numbers do not depend on it.
    seed : int
        The rows derive from it.
    n_test : int
        Number of test rows for each truth; exact scores are given beside where the attribute space is small.
    design : Design, optional
        By default `FreshSamples` of `sizes` and `n_test` on truths, and `FiveByTwo` on tables.
    data : str or Path, optional
        Folder of data sets; by default the environment's WORKBENCH_DATA, else the one that `store` remembers.

    Returns
    -------
    Results
        `.table()` for means and intervals, `.frame()` for one row a cell and score.

    Raises
    ------
    WorkbenchError
        If `on` holds no truths, one of them has no class, two kinds share one, two files have the same name,
        a table cannot be split, or an argument cannot be used.

    Warns
    -----
    workbench.errors.FailedCells
        If a learner failed somewhere; a UserWarning.

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
    from workbench.designs import FiveByTwo, FreshSamples
    from workbench.learner_spec import LearnerSpec
    from workbench.runner import run
    from workbench.scores import Scores
    from workbench.study import Study
    from workbench.table_source import TableSource

    if not isinstance(learners, Mapping):
        raise WorkbenchError(
            f"learners is a {type(learners).__name__}: expected a mapping of names to classifiers"
        )
    sources = _sources(on, data, store)
    if design is None and any(isinstance(source, TableSource) for source in sources):
        design = FiveByTwo()
    study = Study(
        name="compare",
        seed=seed,
        sources=sources,
        learners=tuple(LearnerSpec(key, estimator=estimator) for key, estimator in learners.items()),
        design=design or FreshSamples(replicates=1, sizes=_several(sizes), n_test=n_test),
        scores=Scores(metrics=_several(metrics), cutoffs=("none", "2002")),
    )
    return run(study, store, n_jobs=n_jobs)


def _sources(
    on: Any, data: str | Path | None, store: str | Path | None
) -> "tuple[Source | TableSource, ...]":
    from workbench.source import Source
    from workbench.table_source import TableSource

    kinds = on if isinstance(on, Mapping) else _named(on)
    sources: list[Source | TableSource] = []
    for key, value in kinds.items():
        if _is_word(value):
            sources.append(_data_set(str(key), value, data, store))
        elif _is_table(value):
            sources.append(TableSource(str(key), rows=tuple(value)))
        else:
            sources.append(Source(str(key), truths=_truths(value)))
    return tuple(sources)


def _data_set(key: str, word: Any, data: str | Path | None, store: str | Path | None) -> "TableSource":
    from workbench.data_folder import remembered_folder
    from workbench.table_source import TableSource, is_file_name

    name, class_name = word if isinstance(word, tuple) else (word, None)
    if is_file_name(name):
        return TableSource(key, dataset=str(name), class_name=class_name)
    folder = data or remembered_folder(store)
    return TableSource(key, dataset=str(name), data=None if folder is None else str(folder))


def _named(on: Any) -> dict[str, Any]:
    """Name what was given without names: data sets by their own, rows and truths by what they are."""
    members = [on] if _is_word(on) else on
    if isinstance(members, list | tuple) and members and all(map(_is_word, members)):
        return dict(
            zip(_keys([str(m[0] if isinstance(m, tuple) else m) for m in members]), members, strict=True)
        )
    return {"rows" if _is_table(on) else "truths": on}


def _keys(names: list[str]) -> list[str]:
    """Give each data set its name, and each file so much of its path as tells it from the others."""
    from workbench.table_source import FILE_ENDINGS, is_file_name

    parts = []
    for name in names:
        ending = max((e for e in FILE_ENDINGS if name.lower().endswith(e)), key=len, default="")
        parts.append(Path(name[: len(name) - len(ending)]).parts if is_file_name(name) else (name,))
    keys = [own[-1] for own in parts]
    for depth in range(2, max(map(len, parts)) + 1):
        keys = [
            "/".join(own[-depth:]) if keys.count(key) > 1 else key
            for own, key in zip(parts, keys, strict=True)
        ]
    for i, key in enumerate(keys):
        if key in keys[:i]:
            raise WorkbenchError(
                f"`on` holds {names[keys.index(key)]!r} and {names[i]!r}, which would both go by the name "
                f"{key!r}: leave one out, or give names of your own, on={{name: data set}}"
            )
    return keys


def _is_word(value: Any) -> bool:
    """Tell the name of a data set, a path, or (path, class_name) from rows and truths."""
    from workbench.table_source import is_file_name

    if (
        isinstance(value, tuple)
        and len(value) == 2
        and isinstance(value[1], str)
        and not is_file_name(value[1])
    ):
        return isinstance(value[0], str | Path) and is_file_name(value[0])
    return isinstance(value, str | Path)


def _is_table(value: Any) -> bool:
    """Tell (X, y) from two truths."""
    return isinstance(value, tuple) and len(value) == 2 and not any(hasattr(v, "posterior") for v in value)


def _several(values: Any) -> tuple[Any, ...]:
    """Take one for a tuple of one."""
    one = isinstance(values, str) or not isinstance(values, Iterable)
    return (values,) if one else tuple(values)


def _truths(value: Any) -> tuple[Any, ...]:
    members = tuple(value) if isinstance(value, list | tuple) else (value,)
    for member in members:
        if not hasattr(member, "posterior"):
            raise WorkbenchError(
                f"`on` holds a {type(member).__name__}: expected truths such as generators.Network and "
                "generators.Mixture, a tuple (X, y), or the name of a data set"
            )
    if not members:
        raise WorkbenchError("`on` is empty: expected at least one truth, table or name of a data set")
    return members
