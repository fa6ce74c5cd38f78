"""What comes from others is looked at and never run, never leaves its place, and shows as what it is."""

import contextlib
import csv
import io
import json
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from typer.testing import CliRunner

from generators import random_aode, random_tan
from learners import NaiveBayesClassifier, PriorClassifier
from workbench import Study, compare, load, read_study, rescore, run
from workbench.base import catalogue
from workbench.base.errors import FailedCells, WorkbenchError
from workbench.base.text import sentence
from workbench.cli.app import app
from workbench.datasets import load_dataset
from workbench.designs import FreshSamples
from workbench.store.schema import connect, read_only
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source
from workbench.study.toml import default_store


@pytest.fixture
def plan(tiny_toml) -> Study:
    """Return a study of 18 cells."""
    return read_study(tiny_toml.replace('"prior"', '"nb"'))


@pytest.fixture(scope="module")
def finished() -> list[bytes]:
    """Keep the bytes of the store of that study."""
    return []


@pytest.fixture
def store(tmp_path, plan, finished) -> Path:
    """Return the store of that study, finished."""
    path = tmp_path / "tiny.db"
    if not finished:
        run(plan, path)
        finished.append(path.read_bytes())
    path.write_bytes(finished[0])
    return path


@pytest.fixture
def invoke():
    """Return a function that runs a command: (exit code, stdout, stderr); no error but ours may escape."""

    def call(*words: object) -> tuple[int, str, str]:
        done = CliRunner().invoke(app, [str(word) for word in words])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout, done.stderr

    return call


def commands(store: Path, folder: Path, ending: str) -> tuple[tuple[object, ...], ...]:
    """Return commands on a store; the first three only read it."""
    return (
        ("status", store),
        ("report", store, "--to", folder / f"page.{ending}"),
        ("compare", store, "--base", "cart", "--score", "accuracy"),
        ("score", store, "--metric", "log_loss"),
        ("export", store, "--to", folder / "o.csv"),
        ("export", store, "--to", folder / "o.tex"),
    )


@contextlib.contextmanager
def edited(path: Path):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


EVIL = """
from pathlib import Path
Path(__file__).with_name("was_run").touch()

def draw(*, random_state=None, **options):
    raise AssertionError

class Learner:
    def fit(self, X, y):
        return self
"""


@pytest.fixture
def evil(tmp_path, monkeypatch) -> Path:
    """Put a module within reach of an import, and give the file that it makes when it is imported."""
    folder = tmp_path / "reach"
    folder.mkdir()
    (folder / "evil_module.py").write_text(EVIL)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "evil_module", raising=False)
    catalogue.find.cache_clear()
    return folder / "was_run"


def test_a_study_file_is_code_where_it_says_module_and_class(evil):
    with pytest.raises(WorkbenchError):
        read_study('name = "x"\nseed = 1\nlearners = ["evil_module:Nothing"]\nsources = []\n')
    assert evil.exists()  # so that the tests below could fail


def with_learner(text: str) -> str:
    return text.replace('"cart"', '{"key": "cart", "learner": "evil_module:Learner"}', 1)


def with_generator(text: str) -> str:
    return text.replace('"generator": "tan"', '"generator": "evil_module:draw"', 1)


@pytest.mark.slow
@pytest.mark.parametrize("change", [with_learner, with_generator])
def test_code_that_a_store_names_in_its_study_is_not_imported_or_called(
    change, store, evil, invoke, tmp_path, sketched
):
    with edited(store) as connection:
        (text,) = connection.execute("SELECT study FROM runs").fetchone()
        changed = change(text)
        assert changed != text
        connection.execute("UPDATE runs SET study = ?", (changed,))
    for words in commands(store, tmp_path, "html"):
        code, _, err = invoke(*words)
        assert code == 0 or (code == 2 and "which is code" in err)
    assert not evil.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "old, new",
    [
        ('"ir_b"', '"evil_module:metric"'),
        ("sklearn.tree._classes:DecisionTreeClassifier", "evil_module:Learner"),
    ],
)
def test_code_that_a_store_names_in_its_record_is_not_imported(
    old, new, store, evil, invoke, tmp_path, sketched
):
    with edited(store) as connection:
        connection.execute("UPDATE runs SET study = replace(study, ?, ?)", (old, new))
        connection.execute("UPDATE scores SET metric = ? WHERE metric = ?", (new.strip('"'), old.strip('"')))
        assert new in connection.execute("SELECT study FROM runs").fetchone()[0]
    for words in commands(store, tmp_path, "md"):
        code, _, err = invoke(*words)
        assert code == 0 or (code == 2 and len(err.splitlines()) == 1)
    assert not evil.exists()


@pytest.mark.parametrize("place", ["evil_module:Metric", "os:system"])
def test_the_class_of_a_metric_is_not_imported_because_a_store_says_so(place, tmp_path, tiny_toml, evil):
    path = tmp_path / "metrics.db"
    own = '{key = "e", metric = "expected_calibration_error", n_bins = 7}'
    run(read_study(tiny_toml.replace('"accuracy"', own)), path)
    assert rescore(path, ["e"]).n_scores == 0
    with edited(path) as connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'metrics'").fetchone()
        known = json.loads(text)
        known["e"]["class"] = place
        connection.execute("UPDATE meta SET value = ? WHERE key = 'metrics'", (json.dumps(known),))
    with pytest.raises(WorkbenchError, match=r"names the metric .*"):
        rescore(path, ["e"])
    assert not evil.exists()


def test_a_generator_that_is_imported_already_may_be_named_by_a_store(tmp_path, tiny_toml):
    path = tmp_path / "own.db"
    run(read_study(tiny_toml.replace('"tan"', '"generators:random_tan"')), path)
    assert rescore(path, "log_loss").n_scores == 36


@pytest.mark.parametrize("place", ["workbench:sample_parquet"])
def test_a_function_of_another_package_is_not_called_because_a_store_says_so(place, tmp_path, tiny_toml):
    path = tmp_path / "own.db"
    run(read_study(tiny_toml.replace('"tan"', '"generators:random_tan"')), path)
    with edited(path) as connection:
        connection.execute("UPDATE runs SET study = replace(study, 'generators:random_tan', ?)", (place,))
    with pytest.raises(WorkbenchError, match="which is code, and stores are not trusted"):
        rescore(path, "log_loss")


def test_a_study_of_too_many_cells_is_refused(tiny_toml):
    with pytest.raises(WorkbenchError, match="cells, more than 10,000,000"):
        read_study(tiny_toml.replace("replicates = 3", "replicates = 999999999"))


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            '"cart"',
            '{learner = "recalibrated", of = {learner = "nb", alfa = 1}}',
            "unknown parameter 'alfa' of learner 'nb'; did you mean 'alpha'",
        ),
        ("replicates = 3", "replicates = 10000000000", "= 10000000000: expected at most 1000000000"),
        ("[design]", '[design]\nkind = "os:system"', "kind = 'os:system'"),
        ('"cart"', '"os:system"', "os:system.* cannot be made"),
        ('name = "tiny"', 'name = "a\\u001b[31m"', r"'a\\x1b\[31m': expected one line"),
        ('name = "tiny"', f"name = {'[' * 5000}", "nested too deeply"),
        ("seed = 1", f"seed = {'9' * 5000}", "is not TOML"),
    ],
)
def test_what_a_study_file_says_wrongly_is_one_sentence(old, new, message, tiny_toml):
    assert old in tiny_toml
    with pytest.raises(WorkbenchError, match=message) as caught:
        read_study(tiny_toml.replace(old, new, 1))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..", "c:x"])
def test_the_default_store_stays_in_the_working_folder(name):
    with pytest.raises(WorkbenchError, match="is not a file name"):
        default_store(f'name = "{name}"\n')


HARMFUL = {
    "a\nb": "one line", "a\x1b[31m": "one line", "a\u202eb": "one line", "\ud800": "one line",
    "  ": "a word", "x" * 10_000: "of 10000 characters", "=1+1": "formulas", "@x": "formulas",
}  # fmt: skip


@pytest.mark.parametrize("name", HARMFUL, ids=range(len(HARMFUL)))
def test_names_that_no_table_can_show_are_refused_wherever_they_come_from(name, store):
    X, y = np.zeros((20, 1)), np.arange(20) % 2
    with pytest.raises(WorkbenchError, match=HARMFUL[name]):
        compare({name: DummyClassifier()}, on={"rows": (X, y)})
    with pytest.raises(WorkbenchError, match=HARMFUL[name]):
        compare({"dummy": DummyClassifier()}, on={name: (X, y)})
    if "\ud800" in name:
        return  # no file can say it
    with edited(store) as connection:
        (text,) = connection.execute("SELECT study FROM runs").fetchone()
        study = json.loads(text)
        first = study["content"]["learners"][0]
        study["learners"][name] = study["learners"].pop(first)
        study["content"]["learners"] = [{"key": key} for key in study["learners"]]
        connection.execute("UPDATE runs SET study = ?", (json.dumps(study),))
    with pytest.raises(WorkbenchError, match=HARMFUL[name]):
        load(store)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a\0b", "x/../iris"])
def test_the_name_of_a_data_set_is_looked_up_and_never_made_a_path(name, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    (tmp_path / "datasets").mkdir()
    (tmp_path.parent / "passwd.arff").write_text("@relation r\n@attribute a {x}\n@data\nx\n")
    with pytest.raises(WorkbenchError, match="is neither a data set of the registry"):
        load_dataset(name)


NASTY = (
    "<script>alert(1)</script>", '"onload="alert(1)', "]]>", "a | b", "`id`", "\\input{/etc/passwd}",
    "$\\alpha$", "[red]x[/red]", "# head", "1. one", "<!-- end -->", "![a](http://b)", "</pre>",
    "${7*7} {{7*7}}",
)  # fmt: skip
MESSAGE = "<script>alert(2)</script> \x1b[31m \u202e \\input{/etc/passwd} | ` \x07 [red]" + "x" * 10_000


class Failing(PriorClassifier):
    """It fails with a message that nobody would choose."""

    def fit(self, X, y):
        raise ValueError(f"{MESSAGE}\nsecond line")


@pytest.fixture(scope="module")
def nasty(tmp_path_factory) -> Path:
    """Run a study whose names are what formats take for their own, with a learner that fails."""
    path = tmp_path_factory.mktemp("nasty") / "nasty.db"
    learners = {name: NaiveBayesClassifier(alpha=1 + i / 10) for i, name in enumerate(NASTY)}
    truths = {
        NASTY[i]: tuple(random_tan(n_attributes=2, random_state=seed) for seed in (i, i + 1)) for i in (0, 3)
    }
    study = Study(
        NASTY[0],
        1,
        tuple(Source(key, truths=own) for key, own in truths.items()),
        (
            *(LearnerSpec(key, estimator=own) for key, own in learners.items()),
            LearnerSpec("[bold]failing", estimator=Failing()),
        ),
        FreshSamples(replicates=1, sizes=(20,), n_test=10),
        Scores(("ir_b",), ("training",), ("test",), ("none",)),
    )
    with pytest.warns(FailedCells):
        run(study, path, isolate=False)
    return path


@pytest.mark.slow
def test_the_terminal_shows_nasty_names_as_they_are(nasty, invoke, tmp_path):
    from rich.console import Console

    from workbench.report.terminal.summary import print_summary

    out = io.StringIO()
    print_summary(load(nasty), Console(file=out, width=200, force_terminal=True, color_system=None))
    printed = out.getvalue()
    assert "[red]x[/red]" in printed
    assert "[bold]failing" in printed
    for words in (
        ("status", nasty),
        ("compare", nasty, "--base", NASTY[1]),
        ("export", nasty, "--to", tmp_path / "o.csv"),
    ):
        code, out, err = invoke(*words)
        assert code == 0, err
        printed += out
    assert "\x1b[31m" not in printed
    assert "\u202e" not in printed
    assert "\x07" not in printed
    assert max(map(len, printed.splitlines())) < 5000


def test_csv_holds_names_as_they_are_and_no_formula(nasty, invoke, tmp_path):
    assert invoke("export", nasty, "--to", tmp_path / "o.csv")[0] == 0
    with open(tmp_path / "o.csv", newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    assert {row[head.index("learner")] for row in rows} == set(NASTY)
    texts = {
        row[i]
        for row in rows
        for i, name in enumerate(head)
        if name not in ("value", "n_infinite", "mc_error")
    }
    assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in texts)


def test_errors_are_one_line_that_commands_no_terminal():
    assert str(WorkbenchError("a\nb\x1b[2J\u202e" + "x" * 9999)).startswith("a b\\x1b[2J\\u202exxx")
    assert len(str(WorkbenchError("x" * 10**6))) == 2000
    assert sentence("plain") == "plain"


@pytest.mark.parametrize("opened", [connect, read_only])
def test_sqlite_does_not_trust_what_a_store_defines(opened, store):
    with contextlib.closing(opened(store)) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)


@pytest.mark.slow
def test_reading_writes_nothing(store, invoke, tmp_path):
    before = store.read_bytes()
    for words in commands(store, tmp_path, "md")[:3]:
        assert invoke(*words)[0] == 0
    assert store.read_bytes() == before


def test_predictions_that_cannot_be_unpacked_are_reported_by_who_asks_for_them(store, invoke):
    with edited(store) as connection:
        connection.execute("UPDATE predictions SET content = ?", (b"no zlib",))
    results = load(store)
    with pytest.raises(WorkbenchError, match="restore a copy"):
        results.predictions(results.cells()["identity"].iloc[0])
    code, _, err = invoke("score", store, "--metric", "log_loss")
    assert code == 2
    assert "predictions in the store cannot be unpacked" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "draw, options, message",
    [
        (random_tan, {"n_attributes": 10**9}, "goes up to 1000000000: expected 1,000,000 at most"),
        (random_tan, {"n_attributes": 2, "arity": 10**5}, "would have .* entries, .*: lower the number"),
        (random_aode, {"n_attributes": 10**5}, "would have .* entries, .*: lower the number"),
    ],
)
def test_a_truth_that_no_memory_holds_is_refused_before_it_is_drawn(draw, options, message):
    with pytest.raises(ValueError, match=message):
        draw(**options, random_state=1)
