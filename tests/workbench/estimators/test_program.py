"""Programs as learners: a fake one that learns as nb does, or fails in the ways in which programs fail."""

import json
import pickle
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import VotingClassifier

import workbench
from generators import altered, random_naive_bayes
from learners import NaiveBayesClassifier
from workbench import ProgramClassifier
from workbench.base.errors import WorkbenchError
from workbench.base.identity import learner_identity
from workbench.designs import RandomSplits

ONCE = RandomSplits(repeats=1)
pytestmark = pytest.mark.process
FAKE = str(Path(__file__).with_name("fake_program.py"))
#: What is said of each way to fail: of a program that writes CSV to a file, and of one that prints as Weka.
FAULTS = {
    "exit code": (r"exit code 3: run it by hand .*its last lines: warming up \| done \| no such option: -Z",)
    * 2,
    "crash": ("killed by SIGSEGV.*warming up",) * 2,
    "nothing": (r"wrote nothing to \{predictions\}", "printed nothing: expected its forecasts"),
    "fewer rows": (r"predictions\.csv has 19 rows: expected 20", "standard output has 19 rows: expected 20"),
    "more rows": (r"predictions\.csv has 21 rows: expected 20", "standard output has 21 rows: expected 20"),
    "other classes": (
        "columns 'other_0', 'other_1', 'other_2': expected .* called '0', '1' and '2'",
        "class . is 'other_.*",
    ),
    "a class less": ("columns '0', '1': expected", "names 3 classes, but standard output has 2 columns"),
    "NaN": (r"predictions\.csv, line 21: 'nan' stands for", "standard output, line 23: 'nan' stands for"),
    "infinite": ("line 21: 'inf' stands for", "line 23: 'inf' stands for"),
    "negative": ("line 21: -0.25 stands for.*from 0 to 1", "line 23: -0.25.* stands for"),
    "sums": ("line 21: the probabilities .* sum to 0.5", "line 23: the probabilities .* sum to 0.5"),
    "stderr": (r"exit code 1: .* out of ideas$",) * 2,
    "binary": (r"wrote nothing to \{predictions\}", "standard output, line 1: a byte is 0"),
    "text": (r"wrote nothing to \{predictions\}", "no header of Weka's predictions"),
    "endless": ("took longer than 2 s and was killed.*warming up",) * 2,
}


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """Let temporary folders stand where names have blanks and umlauts, and check that none is left."""
    place = tmp_path / "ä b ü"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("TMPDIR", str(place))  # of workers
    yield place
    assert eventually(lambda: not list(place.glob("program-*")))


@pytest.fixture
def pids(tmp_path, monkeypatch):
    """Return a function that waits until all processes that the fake has named are dead."""
    file = tmp_path / "pids"
    monkeypatch.setenv("FAKE_PIDS", str(file))

    def wait() -> int:
        found = file.read_text().split()
        assert eventually(lambda: not any(map(runs, found)))
        return len(found)

    return wait


def eventually(holds) -> bool:
    """Return whether something comes true, for which who tidies up has half a minute."""
    until = time.monotonic() + 30
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


def runs(pid: str) -> bool:
    """Return whether a process still runs; one that is dead and that nobody has asked about does not."""
    stat = Path("/proc", pid, "stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def rows():
    truth = altered(
        random_naive_bayes(n_attributes=3, n_classes=3, random_state=1), missing=0.1, random_state=1
    )
    X, y = truth.sample(60, random_state=2)
    return X[:40], y[:40], X[40:]


def fake(way="right", predictions="csv", **options):
    files = ["{train}", "{test}", *["{predictions}"] * (predictions == "csv")]
    return ProgramClassifier([sys.executable, FAKE, way, *files], predictions=predictions, **options)


@pytest.mark.parametrize("predictions", ["csv", "weka"])
@pytest.mark.parametrize("way", FAULTS)
def test_a_fault_is_said_with_the_last_lines_of_stderr(way, predictions, rows, pids):
    X, y, new = rows
    learner = fake(way, predictions, timeout=2 if way == "endless" else 60).fit(X, y)
    with pytest.raises(WorkbenchError, match=FAULTS[way][predictions == "weka"]) as raised:
        learner.predict_proba(new)
    assert str(raised.value).startswith(f"the program {sys.executable!r} ")
    assert len(str(raised.value)) <= 2000
    if way == "endless":
        assert pids() == 2


def test_a_failed_cell_shows_the_sentence_and_the_others_are_computed(rows, pids, capsys):
    """With -s, print the table of faults."""
    X, y, _ = rows
    learners = {way: fake(way, timeout=2 if way == "endless" else 60) for way in FAULTS}
    learners["not found"] = ProgramClassifier(["no-such-program", "{train}"])
    learners["no program"] = ProgramClassifier([str(Path(FAKE).parent), "{train}"])
    learners |= {"a lot of stderr": fake("a lot of stderr"), "children": fake("children"), "nb": "nb"}
    with pytest.warns(UserWarning, match="failed"):
        results = workbench.compare(learners, on=(X, y), design=ONCE, progress=False)
    cells = results.cells().set_index("learner")
    for way, message in cells["message"].items():
        print(f"| {way} | {message or 'done'} |")
    assert {*cells.index[cells["state"] == "failed"]} == {*FAULTS, "not found", "no program"}
    assert pids() == 4
    assert "cannot be started (No such file or directory): install it" in cells["message"]["not found"]
    assert "cannot be started (Permission denied): is it a program?" in cells["message"]["no program"]
    reward = results.scores("ir_b").set_index("learner")["value"]
    assert reward["children"] == pytest.approx(reward["nb"], abs=1e-12)
    assert reward["a lot of stderr"] == pytest.approx(reward["nb"], abs=1e-12)


@pytest.mark.parametrize("predictions", ["csv", "weka"])
def test_naive_bayes_as_a_program_forecasts_as_ours_does(rows, predictions):
    X, y, new = rows
    learner = pickle.loads(pickle.dumps(clone(fake(predictions=predictions)).fit(X, y)))
    ours = NaiveBayesClassifier().fit(X, y)
    np.testing.assert_allclose(learner.predict_proba(new), ours.predict_proba(new), rtol=0, atol=1e-14)
    assert learner.predict(new).tolist() == ours.predict(new).tolist()
    assert learner.predict_proba(new[:0]).shape == (0, 3)


FREQUENCIES = """import csv, sys
train, test = (list(csv.reader(open(path, encoding="utf-8")))[1:] for path in sys.argv[1:])
classes = sorted({row[-1] for row in train})
write = csv.writer(sys.stdout).writerow
write(classes)
for _ in test:
    write([row[-1] for row in train].count(one) / len(train) for one in classes)
"""


def test_a_class_without_training_rows_needs_no_column(tmp_path):
    (tmp_path / "frequencies.py").write_text(FREQUENCIES)
    command = [sys.executable, str(tmp_path / "frequencies.py"), "{train}", "{test}"]
    program = ProgramClassifier(command, train="csv", predictions="csv")
    X = pd.DataFrame({"a": pd.Categorical(list("xyxyx"))})
    y = pd.Series(pd.Categorical(["rare, one", "c", "c", "c", "c"], ["b", "c", "rare, one", "z"]))
    np.testing.assert_array_equal(program.fit(X, y).predict_proba(X[:2]), [[0, 0.8, 0.2, 0]] * 2)
    # and none where a single class is left
    np.testing.assert_array_equal(program.fit(X[1:], y[1:]).predict_proba(X[:1]), [[0, 1, 0, 0]])


def test_tables_of_a_forecast_have_the_columns_of_the_training_rows(rows):
    X, y, _ = rows
    with pytest.raises(WorkbenchError, match=r"no column 'x0'"):
        fake().fit(X, y).predict_proba(X.drop(columns="x0"))
    with pytest.raises(WorkbenchError, match=r"two columns '1'"):
        fake().fit(pd.DataFrame({1: [1, 2], "1": [3, 4]}), [0, 1])


def test_children_that_outlive_the_program_are_killed(rows, pids):
    X, y, new = rows
    fake("children").fit(X, y).predict_proba(new)
    assert pids() == 2


@pytest.mark.slow
def test_nothing_is_left_of_a_program_whose_worker_is_killed(rows, pids):
    """The time limit of a run kills the worker, which can tidy up no more."""
    X, y, _ = rows
    learners = {"endless": fake("endless", timeout=None), "nb": "nb"}
    with pytest.warns(UserWarning, match="failed"):
        results = workbench.compare(learners, on=(X, y), design=ONCE, n_jobs=2, time_limit=5, progress=False)
    assert results.cells().set_index("learner")["state"].to_dict() == {"endless": "timed_out", "nb": "done"}
    assert pids() == 2


def test_a_program_finds_what_is_declared_and_nothing_of_the_classes_to_forecast(rows, tmp_path):
    """Values that no row shows are declared, missing ones are "?", and unseen ones are missing."""
    X = pd.DataFrame({"so, so": pd.Categorical(["a", None], ["a", "b", "c d"]), "class": [0.1, np.nan]})
    y = pd.Series(pd.Categorical(["no", "yes"], ["yes", "no", "ü"]))
    new = pd.DataFrame({"so, so": pd.Categorical(["c d", "z"]), "class": [1e-300, 2]})
    kept = {}
    for train in ("arff", "csv"):
        copy = f"cp {{train}} {{test}} '{tmp_path}'; echo no,yes,ü; echo .5,.25,.25; echo .5,.25,.25"
        ProgramClassifier(["sh", "-c", copy], train, "csv").fit(X, y).predict_proba(new)
        kept[train] = [(tmp_path / f"{name}.{train}").read_text("utf-8") for name in ("train", "test")]
    declared = (
        "@attribute 'so, so' {a,b,'c d'}\n@attribute class numeric\n@attribute class_ {no,yes,'ü'}\n\n@data\n"
    )
    assert [text.partition("\n\n")[2] for text in kept["arff"]] == [
        f"{declared}a,0.1,no\n?,?,yes\n",
        f"{declared}'c d',1e-300,?\n?,2.0,?\n",
    ]
    assert kept["csv"] == [
        '"so, so",class,class_\na,0.1,no\n,,yes\n',
        '"so, so",class,class_\nc d,1e-300,\n,2.0,\n',
    ]


def test_seeds_come_from_random_state_and_fit_32_bits(rows):
    X, y, new = rows

    def seed(state):
        awk = """NR == 1 {print "0,1,2"} NR > 1 {print SEED / 2^31, 1 - SEED / 2^31, 0}"""
        one = ProgramClassifier(
            [
                "awk",
                "-v",
                "CONVFMT=%.17g",
                "-v",
                "OFMT=%.17g",
                "-v",
                "OFS=,",
                "-v",
                "SEED={seed}",
                awk,
                "{test}",
            ],
            "csv",
            "csv",
            random_state=state,
        )
        return round(one.fit(X, y).predict_proba(new)[0, 0] * 2**31)

    assert seed(7) == 7
    assert seed(2**31 + 5) == 5
    assert seed(np.random.default_rng(1)) == seed(np.random.default_rng(1)) != seed(None)


def test_files_of_the_user_are_found_from_the_folder_of_the_call(rows, monkeypatch):
    X, y, new = rows
    monkeypatch.chdir(Path(FAKE).parent)
    for place in ("fake_program.py", "./fake_program.py", "../estimators/fake_program.py"):
        command = [sys.executable, place, "right", "{folder}/{train}", "{test}", "{predictions}"]
        assert ProgramClassifier(command, predictions="csv").fit(X, y).predict_proba(new).shape == (20, 3)


def test_ensembles_of_scikit_learn_hold_programs(rows):
    X, y, _ = rows
    voting = VotingClassifier([("program", fake()), ("nb", NaiveBayesClassifier())], voting="soft")
    results = workbench.compare({"voting": voting}, on=(X, y), design=ONCE, progress=False)
    assert results.cells()["state"].tolist() == ["done"]


def test_a_study_file_names_a_program_and_the_store_its_version(rows, tmp_path):
    version = [sys.executable, "-c", "import sys; print('fake 1.5', 'more', sep=chr(10))"]
    study = workbench.read_study(
        f"""
        name = "programs"
        seed = 1
        [[learners]]
        key = "nb"
        learner = "nb"
        [[learners]]
        key = "fake"
        learner = "program"
        command = {json.dumps(fake().command)}
        predictions = "csv"
        version = {json.dumps(version)}
        [[sources]]
        generator = "tan"
        n_attributes = 3
        [design]
        replicates = 2
        sizes = [30]
        n_test = 20
        [scores]
        rows = ["test"]
        """
    )
    results = workbench.run(study, tmp_path / "store.db", progress=False)
    assert results.study.learners["fake"]["version"] == "fake 1.5"
    value = results.scores("ir_b").pivot_table(
        index=["replicate", "prior", "cutoff"], columns="learner", values="value"
    )
    np.testing.assert_allclose(value["fake"], value["nb"], rtol=0, atol=1e-12)
    assert workbench.read_study(workbench.write_study(study)) == study


def test_another_version_is_another_learner_and_the_time_limit_is_none():
    def identity(**options):
        return learner_identity(fake(**options))

    assert identity(version=["echo", "1"]) != identity(version=["echo", "2"]) != identity()
    assert identity(version=["echo", "1"]) == identity(version=["printf", "1\\n2"], timeout=5)
    assert identity(version=["false"])["version"] == "unknown"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("false", "unknown, as 'false' ended with exit code 1"),
        ("true", "'true' printed nothing"),
        ("no-such-program", "'no-such-program' cannot be started"),
    ],
)
def test_nothing_is_learned_by_a_program_of_unknown_version(command, said, rows):
    with pytest.raises(WorkbenchError, match=said):
        fake(version=[command]).fit(*rows[:2])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"command": "java -jar weka.jar"}, "command is 'java -jar weka.jar': expected a list of text"),
        ({"command": []}, "expected a list of text"),
        ({"command": ["", "{train}"]}, "expected a list of text"),
        ({"command": ["java", 1]}, "expected a list of text"),
        ({"command": ["java", "{tran}"]}, r"\{tran\}, which is unknown; did you mean 'train'"),
        ({"command": ["java"], "version": ["java", "{train}"]}, r"version has \{train\}.*none is known"),
        ({"command": ["java"], "train": "arf"}, "train of a program is 'arf'; did you mean 'arff'"),
        ({"command": ["java"], "predictions": "wekka"}, "did you mean 'weka'"),
        ({"command": ["java"], "timeout": 0}, "timeout is 0: expected"),
        ({"command": ["java"], "timeout": float("nan")}, "timeout is nan: expected"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_any_run(options, said):
    with pytest.raises(WorkbenchError, match=said):
        ProgramClassifier(**options)


def test_a_fit_without_a_command_and_with_weights_is_refused(rows):
    X, y, _ = rows
    with pytest.raises(WorkbenchError, match="a program is needed"):
        ProgramClassifier().fit(X, y)
    with pytest.raises(WorkbenchError, match="leave out sample_weight"):
        fake().fit(X, y, sample_weight=np.ones(len(y)))
    assert fake().fit(X, y, sample_weight=None).seed_ < 2**31
    braces = ProgramClassifier(["awk", "", "{print $1} {}", '{"a": {"b": 1}}'])
    assert clone(braces).command == braces.command
