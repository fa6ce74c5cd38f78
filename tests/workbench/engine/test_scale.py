"""What lets a study have 100,000 cells: work that grows with them and no faster, pages that stay short."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import workbench
from generators import random_tan
from learners import PriorClassifier
from workbench import Study, load, read_study, rescore, run
from workbench.base import cell
from workbench.base.errors import FailedCells, MissingScores
from workbench.base.seeds import digest
from workbench.cli.score_lines import added_lines, missing_lines
from workbench.designs import FreshSamples, RepeatedFolds, StudyOutline
from workbench.figures import exact_against_sampled
from workbench.report.content import MOST_LINES, MOST_ROWS, kept_short
from workbench.report.document import Document, Picture, Section, Text
from workbench.report.renderers.pictures import inline_svg
from workbench.report.table import Number, Table
from workbench.store import counts as stored_counts
from workbench.store import schema
from workbench.store.counts import read_counts
from workbench.store.failures import failure_lines, failures_of
from workbench.store.reading import CELLS, KEYS, SCORES
from workbench.store.writing import Store
from workbench.study import study
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.source import Source

ROOT = Path(workbench.__file__).resolve().parents[1]

TOML = """
name = "some"
seed = 3
learners = [
    "prior",
    { key = "stump", learner = "cart", max_depth = 1 },
    { key = "bad", learner = "cart", max_depth = 0 },
]
[[sources]]
generator = "tan"
n_attributes = 2
[[sources]]
generator = "naive_bayes"
n_attributes = [2, 3]
[design]
replicates = 2
sizes = [20, 40]
n_test = 30
training_sets = 2
[scores]
metrics = ["ir_b", "accuracy"]
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a store with failures, cells of an earlier version, a missing score and an added one."""
    place = tmp_path_factory.mktemp("some") / "some.db"
    with pytest.warns(FailedCells):
        run(read_study(TOML.replace("replicates = 2", "replicates = 3")), place)
    rescore(place, "auc")
    with pytest.warns(FailedCells), pytest.warns(MissingScores):
        run(read_study(TOML.replace('"accuracy"]', '"accuracy", "log_loss"]')), place)
    return place


def cells_of(some):
    sources = {source.key: source.n_truths for source in some.sources}
    n_rows = {source.key: source.n_rows for source in some.sources if isinstance(source, DatasetSource)}
    (cells,) = some.design.rounds(
        StudyOutline(sources, tuple(spec.key for spec in some.learners), list, n_rows)
    )
    return cells


# Identities


def studies():
    learners = (
        LearnerSpec("prior", estimator=PriorClassifier()),
        LearnerSpec("cart", estimator=DecisionTreeClassifier(max_depth=2)),
    )
    yield read_study(TOML)
    truths = tuple(random_tan(n_attributes=2, random_state=i) for i in range(3))
    yield Study("given", 5, (Source("truths", truths=truths),), learners, FreshSamples(replicates=2))
    table = DatasetSource("iris", rows=load_iris(return_X_y=True, as_frame=True))
    yield Study("table", 7, (table,), learners, RepeatedFolds(repeats=2, folds=3))


@pytest.mark.parametrize("some", list(studies()), ids=lambda some: some.name)
def test_an_identity_is_the_hash_of_all_that_decides_the_cell(some):
    design = some.design.describe()
    cells = cells_of(some)
    for one in cells:
        place = (one.replicate, one.n_train, one.training_set, one.fold, one.n_test)
        source = some.source(one.source).identity(one.replicate)
        learner = some.learner(one.learner).identity
        assert some.identify(one) == digest(
            [source, some.seed, *place, learner, *([design] if design else [])]
        )
    assert len({some.identify(one) for one in cells}) == len(cells)


@pytest.mark.parametrize("replicates", [2])
def test_a_cell_is_hashed_once_and_texts_are_written_once_a_study(monkeypatch, replicates):
    some = read_study(TOML.replace("replicates = 2", f"replicates = {replicates}"))
    hashes, texts = [], []
    real_hash, real_text = cell.hashed, study.canonical
    monkeypatch.setattr(cell, "hashed", lambda text: hashes.append(text) or real_hash(text))
    monkeypatch.setattr(study, "canonical", lambda value: texts.append(value) or real_text(value))
    cells = cells_of(some)
    for one in cells:
        some.identify(one)
    assert len(hashes) == len(cells) == 24 * replicates
    assert len(texts) == len(some.sources) + len(some.learners) + 1  # the seed


# The store


def statements(connection, work, *arguments):
    """Count the statements that SQLite runs meanwhile."""
    found = []
    connection.set_trace_callback(found.append)
    work(*arguments)
    connection.set_trace_callback(None)
    return len(found)


def hand_out_one_by_one(store, identified):
    for identity, _ in identified:
        store.hand_out([identity])


def test_statements_of_the_store_grow_with_the_cells_and_no_faster():
    planned, handed_out = [], []
    for replicates in (2, 4, 6):
        some = read_study(TOML.replace("replicates = 2", f"replicates = {replicates}"))
        identified = [(some.identify(one), one) for one in cells_of(some)]
        with Store.open(None, some.name, some.seed) as store:
            planned.append(statements(store.connection, store.plan, identified))
            handed_out.append(statements(store.connection, hand_out_one_by_one, store, identified))
    for few, more, most in (planned, handed_out):
        assert most - more == more - few > 0


def test_status_reads_no_value_of_a_score(path, monkeypatch):
    read, real = set(), schema.read_only

    def watched(place):
        connection = real(place)
        connection.set_authorizer(lambda action, table, column, *_: read.add((action, table, column)) or 0)
        return connection

    monkeypatch.setattr(stored_counts.schema, "read_only", watched)
    read_counts(path)
    columns = {column for action, table, column in read if (action, table) == (sqlite3.SQLITE_READ, "scores")}
    assert columns == {"cell", "metric", "prior", "rows", "cutoff"}  # counted by them
    texts = {column for _, table, column in read if table == "cells"}
    assert texts.isdisjoint({"traceback", "identity", "test_digest"})


def test_status_tells_what_the_results_tell(path):
    counts, results = read_counts(path), load(path)
    cells = results.cells()
    assert counts.states == cells["state"].value_counts().to_dict() == {"done": 32, "failed": 16}
    assert (counts.n_cells, counts.n_runs, counts.n_earlier) == (48, 2, 24)
    assert counts.changes == ("the design has changed",)
    assert counts.study == results.study
    assert counts.missing_scores() == results.missing_scores() != {}
    assert list(failure_lines(counts.ended)) == list(failures_of(results))
    assert list(missing_lines(counts, path)) == list(missing_lines(results, path))
    frame = results.frame()
    assert counts.scores == frame.groupby(["metric", "prior", "rows", "cutoff"]).size().to_dict()
    n = len(frame.loc[frame["metric"] == "auc", list(KEYS)].drop_duplicates())
    assert list(added_lines(counts, path)) == [
        f"{n} of 32 done cells have auc, which the study does not ask for"
    ]


@pytest.mark.process
def test_status_starts_without_pandas(path):
    words = (
        "import sys; from workbench.cli.app import app; app(sys.argv[1:], standalone_mode=False); "
        "assert not {'pandas', 'sklearn', 'matplotlib'} & {*sys.modules}, 'heavy'"
    )
    done = subprocess.run(
        [sys.executable, "-c", words, "status", str(path)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:3] == [
        "study some, seed 3: 48 cells, 2 runs",
        "  32 done",
        "  16 failed",
    ]


# What is loaded


def plain_frame(path):
    """Read the rows of `Results.frame` in one piece: the plain twin of how they are read."""
    names = (*KEYS, *SCORES)
    with closing(sqlite3.connect(path)) as connection:
        query = (
            f"SELECT {', '.join(names)} FROM scores JOIN cells USING (cell) WHERE planned"
            " ORDER BY cell, metric, prior, rows, cutoff"
        )
        frame = pd.DataFrame(connection.execute(query).fetchall(), columns=list(names))
    for name, order in (("source", ["tan", "naive_bayes"]), ("learner", ["prior", "stump", "bad"])):
        frame[name] = pd.Categorical(frame[name], order, ordered=True)
    for name in SCORES[:4]:
        frame[name] = frame[name].astype("str")
    return frame.sort_values(list(KEYS), kind="stable").reset_index(drop=True)


def test_scores_that_are_read_one_by_one_make_the_same_frame(path):
    results, expected = load(path), plain_frame(path)
    assert len(expected) > 200
    pd.testing.assert_frame_equal(results.frame(), expected)
    for key in results.score_keys:
        own = expected[(expected[list(key._fields)] == list(key)).all(axis=1)]
        pd.testing.assert_frame_equal(results.scores(key), own)


def test_cells_are_read_as_they_are_stored_whatever_is_taken_at_once(path, monkeypatch):
    whole = load(path).cells()
    with closing(sqlite3.connect(path)) as connection:
        query = f"SELECT {', '.join(CELLS)} FROM cells WHERE planned"
        stored = {row[-1]: row for row in connection.execute(query)}
    plain = whole.astype(object).where(whole.notna(), None)
    assert [tuple(row) for row in plain.itertuples(index=False)] == [
        stored[identity] for identity in whole["identity"]
    ]
    monkeypatch.setattr("workbench.store.reading.AT_ONCE", 7)
    pd.testing.assert_frame_equal(load(path).cells(), whole)


def test_what_is_read_is_of_one_moment(path, tmp_path, monkeypatch):
    from workbench.store import reading as stored

    place = tmp_path / "moving.db"
    place.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        real = stored._scores

        def meanwhile(connection):
            writer.execute("DELETE FROM scores")
            writer.commit()
            return real(connection)

        monkeypatch.setattr(stored, "_scores", meanwhile)
        assert len(load(place).frame()) == len(load(path).frame())


def test_a_table_is_computed_once_and_nobody_can_spoil_it_for_others(path, monkeypatch):
    results = load(path)
    first = results.table("accuracy")
    first.iloc[:] = 0.0
    monkeypatch.setattr("workbench.store.results.over_truths", lambda scores: pytest.fail("computed again"))
    again = results.table("accuracy")
    assert (again.xs("n", axis=1, level=1) == 2).all(axis=None)


# The report


def document(*parts):
    return Document("s", "", "", (), "", (), (), "", (Section("Parts", parts),), "")


def test_a_long_table_is_cut_and_says_so():
    rows = tuple((f"pair {i}", Number(i)) for i in range(MOST_ROWS + 234))
    (short,) = kept_short(document(Table("Pairs", ("pair", "n"), rows, "Note."))).sections[0].parts
    assert short.rows == rows[:MOST_ROWS]
    assert short.note.startswith("Note. The first 1,000 of 1,234 rows")


def test_a_long_text_as_typed_is_cut_and_says_so():
    lines = [f"line {i}" for i in range(MOST_LINES + 100)]
    (short,) = kept_short(document(Text("\n".join(lines), verbatim=True))).sections[0].parts
    *kept, last = short.content.split("\n")
    assert kept == lines[:MOST_LINES]
    assert "400 of 500 lines" in last


@pytest.mark.parametrize("most", [3])
def test_many_points_are_pixels_of_one_picture_that_covers_no_learner(path, monkeypatch, most):
    monkeypatch.setattr(exact_against_sampled, "MANY", most)
    display = load(path).plot(
        "exact_against_sampled", source="tan", score="accuracy", learners=["stump", "prior"]
    )
    n, many = len(display.sampling.table), len(display.sampling.table) > most
    assert n == 16
    drawn = [line for line in display.ax_.lines if line.get_label() in ("decision stump", "class prior")]
    assert [len(line.get_xdata()) for line in drawn] == ([0, 0] if many else [8, 8])
    svg = inline_svg(Picture("p", "", "", display.sketch), 1)
    assert svg.count("<image") == many
    if many:
        (cloud,) = display.ax_.collections
        assert len(cloud.get_offsets()) == n
        colors = [tuple(color) for color in cloud.get_facecolors()]
        assert len(set(colors[:8])) == 2  # truth by truth: the first holds both learners


# The benchmark
