"""Who takes part on real tables, and on which: learners by key, and the tables of a folder."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from learners.tables.columns import holds_few_integers
from workbench.arena.entering import named
from workbench.base import catalogue
from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import and_of, count_of, error_line
from workbench.datasets.arff import read_arff
from workbench.datasets.folder import data_files
from workbench.datasets.registry import BY_NAME
from workbench.designs import RepeatedFolds
from workbench.profiles.entrants import ENTRANTS, OTHERS, Entrant, entrants_of_file
from workbench.study.dataset_source import FILE_ENDINGS, DatasetSource
from workbench.study.scores import Scores
from workbench.study.study import Study

__all__ = ["DESIGN", "METRICS", "SEED", "YARDSTICK", "TableFolder", "contestants", "study_of", "tables_of"]

#: Learners that take part unless others are named.
USUAL = (
    "nb", "tan", "aode", "a2de", "kdb", "selective_kdb", "bn_ensemble", "mml_tree", "c45", "c50_boosted",
    "random_forest", "extra_trees", "boosting", "logistic", "logistic_tuned", "knn",
)  # fmt: skip
#: What learners are compared with, and what stands in where they fail: the class frequencies.
YARDSTICK = "prior"
#: Entrants that refuse missing numbers, and to most of which the scales of numbers matter.
PREPARED = ("logistic", "logistic_tuned", "knn", "knn_tuned", "mlp", "svc", "gaussian_nb")
HOW_PREPARED = "missing numbers are medians, and numbers scaled, by the training rows"
#: Learners that need a truth.
OF_TRUTHS = ("truth", "optimal")

SEED = 1
DESIGN = RepeatedFolds(folds=2, repeats=2, stratified=True)
METRICS = ("log_loss", "ir_b", "quadratic_loss", "accuracy", "expected_calibration_error")


@dataclass(frozen=True)
class TableFolder:
    """The tables of a folder.

    Attributes
    ----------
    name : str
        Of the folder, without the path.
    sources : tuple of DatasetSource
        Tables that can be read and split.
    left_out : tuple of str
        Which tables are left out and why, in sentences.
    doubts : tuple of str
        Where a column is taken as the class because it is the last.
    """

    name: str
    sources: tuple[DatasetSource, ...]
    left_out: tuple[str, ...]
    doubts: tuple[str, ...]


def contestants(
    keys: Sequence[str] = (), added: Sequence[str] = (), file: str | Path | None = None
) -> dict[str, Entrant]:
    """Return the learners that take part, the class frequencies first.

    Parameters
    ----------
    keys : sequence of str
        Of entrants or of the catalogue, instead of the usual ones.
    added : sequence of str
        Further ones: such keys, or ``"module:Class"``.
    file : str or Path, optional
        A TOML file of further ones.

    Raises
    ------
    WorkbenchError
        If a key is unknown or there twice, the file cannot be read, a learner cannot be made, or there are
        fewer than two besides the class frequencies.
    """
    found = {YARDSTICK: ENTRANTS[YARDSTICK]}
    own = [_of_key(key) for key in keys or USUAL if key != YARDSTICK]
    own += entrants_of_file(file).values() if file else ()
    own += [named(word) if ":" in word else _of_key(word) for word in added]
    for entrant in own:
        if entrant.key in found:
            raise WorkbenchError(
                f"the learner {entrant.key!r} is there twice: name it once, or give yours another key in a "
                "file of entrants"
            )
        found[entrant.key] = entrant
    if len(found) < 3:
        n = count_of(len(found) - 1, "learner")
        raise WorkbenchError(
            f"there is {n} besides the class frequencies: expected at least two to rank, such as "
            "--learners nb,tan"
        )
    for entrant in found.values():
        entrant.spec  # noqa: B018 - one that cannot be made is refused before tables are read
    return found


def _of_key(key: str) -> Entrant:
    if key in ENTRANTS and key not in OF_TRUTHS:
        return _prepared(ENTRANTS[key]) if key in PREPARED else ENTRANTS[key]
    keys = [*ENTRANTS, *catalogue.keys("learners")]
    if key not in keys:
        raise WorkbenchError(f"unknown learner {key!r}; {nearest(key, keys)}")
    return Entrant(key, key, OTHERS, key)


def _prepared(entrant: Entrant) -> Entrant:
    """Put a step in front of an entrant that fills in and scales numbers, which generated truths need not."""
    note = "; ".join(filter(None, (entrant.note, HOW_PREPARED)))
    return replace(entrant, learner=functools.partial(_pipeline, entrant), parameters=None, note=note)


def _pipeline(entrant: Entrant) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # A column without a number in the training rows stays, as the test rows have it.
    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    return make_pipeline(filled, StandardScaler(), entrant.spec.build())


def tables_of(folder: str | Path) -> TableFolder:
    """Find the tables of a folder, and leave out with a sentence what cannot be read or split.

    They are its files, and those of a folder ``datasets`` in it, with the endings that studies read. The
    class is the column that INDEX.csv or the registry of data sets names, or else the last one.

    Raises
    ------
    WorkbenchError
        If there is no such folder, it has no such files, or none of them can be used.
    """
    place = Path(folder).expanduser()
    if not place.is_dir():
        raise WorkbenchError(
            f"--data names {str(folder)!r}, which is not a folder: name one with tables, {_endings()}"
        )
    files = [path for own in (place, place / "datasets") if own.is_dir() for path in _files(own)]
    if not files:
        raise WorkbenchError(f"the folder {place} has no tables: put files into it, {_endings()}")
    found: dict[str, DatasetSource] = {}
    left_out: list[str] = []
    for path, class_name in files:
        try:
            source = _source(path, class_name, found)
            _check(source, found.values())
        except WorkbenchError as error:
            left_out.append(_why(path, str(error)))
        except Exception as error:  # of a reader, whose file must not lose the scores of the others
            left_out.append(_why(path, error_line(error)))
        else:
            found[source.key] = source
    if not found:
        raise WorkbenchError(f"no table of the folder {place} can be used: {left_out[0].rstrip('.')}")
    name = place.resolve().name
    return TableFolder(name, tuple(found.values()), tuple(left_out), tuple(_doubts(found.values())))


def study_of(tables: TableFolder, entrants: Mapping[str, Entrant]) -> Study:
    """Return the study of learners on tables: stratified halves, twice."""
    scores = Scores(METRICS, priors=("training",), rows=("test",), cutoffs=("2002",))
    learners = tuple(entrant.spec for entrant in entrants.values())
    return Study("arena_tables", SEED, tables.sources, learners, DESIGN, scores, keep_predictions=False)


def _endings() -> str:
    return f"which end in {', '.join(FILE_ENDINGS[:-1])} or {FILE_ENDINGS[-1]}"


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of tables, with the name of the class where it is known."""
    known = {file.path: file for file in data_files(folder)}
    for path in sorted(folder.iterdir()):
        is_table = path.name.lower().endswith(FILE_ENDINGS) and not path.name.startswith(".")
        if not is_table or not path.is_file() or path.name == "INDEX.csv":
            continue
        entries = [BY_NAME[name] for name in known[path].names if name in BY_NAME] if path in known else []
        usual = entries[0].class_name if entries else ""
        yield path, (known[path].class_name if path in known else "") or usual


def _source(path: Path, class_name: str, found: Mapping[str, DatasetSource]) -> DatasetSource:
    """Make the source of a file: called by its name without the ending, if no other one has that."""
    ending = max((one for one in FILE_ENDINGS if path.name.lower().endswith(one)), key=len)
    stem = path.name[: -len(ending)]
    key = next((one for one in (stem, path.name) if one not in found), str(path.relative_to(path.parents[1])))
    check_name(key, "its name")
    if class_name and class_name not in read_arff(path).frame:
        class_name = ""  # that of another table of this name
    return DatasetSource(key, str(path), class_name=class_name or None)


def _check(source: DatasetSource, others: Iterable[DatasetSource]) -> None:
    """Raise WorkbenchError for a table that cannot be read or split, or that is there already."""
    rows = source.content
    DESIGN.check("it", rows.codes, rows.classes)
    same = [other.key for other in others if other.facts.digest == source.facts.digest]
    if same:
        raise WorkbenchError(f"it is the same as {same[0]}")


def _why(path: Path, reason: str) -> str:
    # Pages are for others, too, who need not know where the folder is.
    return f"{path.name} is left out: {reason.replace(str(path), path.name).rstrip('.')}."


def _doubts(sources: Iterable[DatasetSource]) -> Iterator[str]:
    """Say what is guessed of files that declare little."""
    content = {source.key: source.content for source in sources}
    guessed = [f"{source.key} ({content[source.key].y.name})" for source in sources if source.doubt_of_class]
    if guessed:
        yield f"The last column is taken as the class, as nothing names it, of {and_of(guessed)}."
    whole = [
        key for key, rows in content.items() if any(holds_few_integers(rows.X[name].array) for name in rows.X)
    ]
    if whole:
        yield (
            f"Columns of few whole numbers are taken as numbers in {and_of(whole)}: where they are codes, "
            "declare their values in an ARFF file."
        )
