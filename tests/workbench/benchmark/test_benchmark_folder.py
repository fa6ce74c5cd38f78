"""Benchmarks with known truth: made, read back by every reader, checked, gone on with."""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from generators import Network, from_json, write_network
from generators.base.checksum import checksum
from generators.suites.suite import suite
from learners import NaiveBayesClassifier
from workbench import compare
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.benchmark import generate, load, making, verify
from workbench.benchmark.columns import FileColumn, RowsDigest, columns_of
from workbench.benchmark.plan import BenchmarkPlan
from workbench.cli.commands.generate import generate as command
from workbench.cli.options import one_sentence
from workbench.datasets import load_arff, load_table
from workbench.datasets.arff import save_arff
from workbench.engine.problem import DrawSpec, build_problem
from workbench.engine.progress import Silent
from workbench.study.source import Source

ROOT = Path(__file__).resolve().parents[3]
FORMS = ("parquet", "csv", "arff")
KINDS = catalogue.keys("generators")
FEW = {"n_attributes": 3}
ALTERED = {"n_attributes": 3, "missing": 0.2, "numeric": 1, "irrelevant": 1, "label_noise": 0.1}
HOSTILE = (
    "NA",
    "?",
    "",
    " left",
    "a,b",
    "it's",
    'say "x"',
    "50%",
    "{x}",
    "=1+1",
    "two\nlines",
    "ä|<b>",
    "\\",
    "-1",
)

app = typer.Typer()
app.command()(one_sentence(command))


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def small(folder: Path, source: str = "tan", form: str = "csv", **options):
    given = {"models": 2, "rows": 40, "test": 15, "seed": 3, "format": form}
    given |= ({"parameters": FEW} if source in KINDS else {}) | options
    return generate(source, folder, **given)


def plan_of(source: str = "tan", form: str = "csv", models: int = 2, parameters=FEW) -> BenchmarkPlan:
    """Return the plan of `small`."""
    return BenchmarkPlan(source, models, 40, 15, 3, form, dict(parameters))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Return a function that copies a small benchmark, which is made once, to a folder."""
    whole = tmp_path_factory.mktemp("whole") / "bench"
    small(whole)
    assert verify(whole) == ()
    return lambda folder: shutil.copytree(whole, folder)


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def read_by_our_readers(path: Path, columns) -> pd.DataFrame:
    if path.suffix == ".arff":
        X, y = load_arff(path)
    else:
        X, y = load_table(path, nominal=[c.label for c in columns if c.nominal])
    return pd.concat([X, y], axis=1)


def codes_of(column: pd.Series, labels) -> list[int]:
    places = {label: code for code, label in enumerate(labels)}
    return [-1 if pd.isna(value) else places[str(value)] for value in column]


# -- every kind in every format ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "form"),
    [("altered", "csv"), ("gaussian_naive_bayes", "parquet")]
    + [
        pytest.param(kind, FORMS[i % 3], marks=pytest.mark.slow)
        for i, kind in enumerate(["altered", *KINDS])
        if (kind, FORMS[i % 3]) != ("gaussian_naive_bayes", "parquet")
    ],
)
def test_what_is_written_is_what_the_truth_draws(kind, form, tmp_path) -> None:
    options = {"parameters": ALTERED} if kind == "altered" else {}
    source = "tan" if kind == "altered" else kind
    benchmark = small(tmp_path / "bench", source, form, **options)
    assert verify(tmp_path / "bench") == ()
    plan = plan_of(source, form, **({"parameters": FEW} | options))
    for number, model in enumerate(benchmark):
        truth = plan.origin.drawn(3, number).truth
        assert model.truth.to_json() == truth.to_json()
        X, y = truth.sample(15, plan.test_stream(number))
        pd.testing.assert_frame_equal(model.X_test, X)
        pd.testing.assert_series_equal(model.y_test, y)
        np.testing.assert_allclose(model.posterior, truth.posterior(X), atol=1e-12)
        assert model.X_train.shape == (40, len(truth.attribute_names))
        table = read_by_our_readers(tmp_path / "bench" / model.name / f"test.{form}", model.columns)
        for column in model.columns:
            drawn = y if column.name == y.name else X[column.name]
            if column.nominal:
                assert codes_of(table[column.label], column.labels) == drawn.cat.codes.tolist()
            else:
                np.testing.assert_array_equal(table[column.label].to_numpy(), drawn.to_numpy())


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_two_runs_give_the_same_bytes(form, tmp_path) -> None:
    for name in ("one", "two"):
        small(tmp_path / name, "aode", form)
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_codes_are_hashed_as_two_bytes_and_missing_ones_as_the_largest() -> None:
    digest = RowsDigest([FileColumn("a", "a", (0, 1), ("0", "1"))])
    digest.add([np.array([0, 1, -1])])
    assert digest.entry()["codes"] == hashlib.sha256(b"\x00\x00\x01\x00\xff\xff").hexdigest()


def test_truths_and_rows_are_those_of_a_study_with_the_seed(tmp_path) -> None:
    parameters = {"n_attributes": 4, "bayes_error": [0.1, 0.3]}
    model = list(small(tmp_path / "bench", parameters=parameters))[1]
    source = Source("tan", generator="tan", parameters=parameters)
    problem = build_problem(DrawSpec(source, seed=3, replicate=1, n_test=15, exact=False))
    pd.testing.assert_frame_equal(model.X_test, problem.test.X)
    pd.testing.assert_frame_equal(model.X_train, problem.training_rows(40, 0)[0])


@pytest.mark.slow
def test_rows_beyond_a_batch_are_those_of_the_batches(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("workbench.benchmark.columns.BATCH_ROWS", 16)
    [model] = small(tmp_path / "bench", form="parquet", models=1)
    plan = plan_of(models=1)
    parts = [
        X for X, _ in model.truth.sample_batches(40, batch_rows=16, random_state=plan.training_stream(0))
    ]
    expected = [row for X in parts for row in X.to_numpy().tolist()]
    assert model.X_train.to_numpy().tolist() == expected
    assert verify(tmp_path / "bench") == ()


def test_truths_are_written_as_bif_where_bif_can_say_them(tmp_path) -> None:
    for kind, names in {"tan": ["truth.bif"], "rules": []}.items():
        small(tmp_path / kind, kind, models=1)
        assert sorted(p.name for p in (tmp_path / kind).rglob("*.bif")) == names
    entry = json.loads((tmp_path / "rules" / "manifest.json").read_text())["models"][0]
    assert (entry["bif"], entry["why_no_bif"]) == (None, "BIF cannot express a truth of kind concept")
    [model] = small(tmp_path / "aode", "aode", models=1, parameters={"n_attributes": 3})
    parts = [Network.from_bif(path) for path in sorted((tmp_path / "aode").rglob("*.bif"))]
    assert [checksum(part) for part in parts] == [checksum(part) for part in model.truth.components]


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("tan", ["unaltered.bif", "unaltered.json"]),
        ("aode", [f"unaltered.component-0{i}.bif" for i in range(3)] + ["unaltered.json"]),
        ("rules", ["unaltered.json"]),
    ],
)
def test_an_altered_truth_is_written_without_its_alterations_too(kind, files, tmp_path) -> None:
    [model] = small(tmp_path / "bench", kind, models=1, parameters={"n_attributes": 3, "label_noise": 0.1})
    folder = tmp_path / "bench" / model.name
    assert sorted(path.name for path in folder.glob("*unaltered*")) == files
    assert not list(folder.glob("truth*.bif"))
    clean = model.truth.truth
    assert checksum(from_json((folder / "unaltered.json").read_text())) == checksum(clean)
    parts = {"tan": [clean], "aode": getattr(clean, "components", ()), "rules": []}[kind]
    found = [Network.from_bif(path) for path in sorted(folder.glob("*.bif"))]
    assert [checksum(part) for part in found] == [checksum(part) for part in parts]
    (entry,) = json.loads((tmp_path / "bench" / "manifest.json").read_text())["models"]
    assert (entry["bif"], sorted(entry["unaltered"])) == (None, files)
    text = (folder / "card.md").read_text()
    assert "`truth.json`" in text
    assert "label noise" in text
    assert verify(tmp_path / "bench") == ()
    (folder / "unaltered.json").write_text((folder / "truth.json").read_text())
    assert verify(tmp_path / "bench") == (f"{model.name}/unaltered.json is not what truth.json alters",)


def test_a_card_says_what_the_truth_is_like(tmp_path) -> None:
    [model] = small(tmp_path / "bench", models=1, parameters={"bayes_error": [0.1, 0.3]})
    assert model.card["ceiling_ir_b"]["value"] <= model.card["class_entropy"]
    assert 0.1 <= model.card["bayes_error"]["value"] <= 0.3
    assert model.card["asked_for"] == {"bayes_error": [0.1, 0.3]}
    assert model.card["found"]["bayes_error"] == model.card["bayes_error"]["value"]
    text = (tmp_path / "bench" / model.name / "card.md").read_text()
    assert f"| Bayes error | {model.card['bayes_error']['value']:.4f} |" in text


def test_python_of_the_readme_of_a_folder_runs(tmp_path, monkeypatch, capsys) -> None:
    for form in ("parquet", "csv"):
        small(tmp_path / form, "tan", form, parameters=ALTERED)
        monkeypatch.chdir(tmp_path / form)
        for block in re.findall(r"```python\n(.*?)```", Path("README.md").read_text(), flags=re.DOTALL):
            scope: dict = {}
            exec(compile(block, "README.md", "exec"), scope)
            if "train" in scope:
                dtypes = {str(dtype) for dtype in scope["train"].dtypes}
                assert dtypes in ({"category", "float64"}, {"str", "float64"}, {"object", "float64"})
        assert "tan-001 NumericAttributes(" in capsys.readouterr().out


def test_the_readme_of_a_folder_has_the_facts_of_each_model(tmp_path) -> None:
    for model in small(tmp_path / "bench", parameters={"n_attributes": [3, 5]}):
        card = model.card
        sizes = f"{len(card['attributes'])} | {len(card['class']['states'])}"
        errors = f"{card['prior_error']:.4f} | {card['bayes_error']['value']:.4f}"
        line = f"| {model.name} | {card['kind']} | none | {sizes} | {errors} |"
        assert line in (tmp_path / "bench" / "README.md").read_text()


def test_the_readme_says_which_sizes_were_refused(tmp_path, monkeypatch) -> None:
    draw = BenchmarkPlan.drawn
    refused = ({"n_attributes": 30}, {"n_attributes": 40})
    monkeypatch.setattr(BenchmarkPlan, "drawn", lambda *given: replace(draw(*given), refused=refused))
    small(tmp_path / "bench")
    text = (tmp_path / "bench" / "README.md").read_text()
    assert "4 of 6 drawn sizes no truth was within the bounds" in text
    assert "35.0 attributes on average" in text
    assert "| sizes rejected before this one | 2 |" in (tmp_path / "bench/tan-000/card.md").read_text()


def test_a_model_is_shown_in_one_line_and_found_by_name_or_place(bench, tmp_path) -> None:
    benchmark = load(bench(tmp_path / "bench"))
    line = repr(benchmark["tan-001"])
    assert "\n" not in line
    assert all(fact in line for fact in ("tan-001", "3 attributes", "class 'y'"))
    assert benchmark[1] == benchmark["tan-001"]


def test_a_folder_holds_several_difficulties(tmp_path) -> None:
    bounds = {"0.05-0.1": (0.05, 0.1), "0.2-0.3": (0.2, 0.3)}
    made = small(
        tmp_path / "bench",
        models=4,
        parameters={"n_attributes": 4, "bayes_error": [list(pair) for pair in bounds.values()]},
    )
    levels = list(bounds) * 2
    assert [model.name for model in made] == [f"tan-00{i}-bayes_error-{levels[i]}" for i in range(4)]
    for model, level in zip(made, levels, strict=True):
        assert model.source == f"tan-bayes_error-{level}"
        assert bounds[level][0] <= model.card["bayes_error"]["value"] <= bounds[level][1]
    assert {source: len(truths) for source, truths in made.truths.items()} == {
        f"tan-bayes_error-{level}": 2 for level in bounds
    }
    assert verify(tmp_path / "bench") == ()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"bayes_error": [[0.1, 0.2], [0.3, 0.2]]}, "low not above high"),
        (
            {"bayes_error": [[0.1, 0.2]], "ceiling": [[0.1, 0.2], [0.2, 0.3]]},
            "give several bounds for only one of them",
        ),
    ],
)
def test_wrong_difficulties_are_refused_before_anything_is_written(parameters, sentence, tmp_path) -> None:
    with pytest.raises(WorkbenchError, match=sentence):
        small(tmp_path / "bench", parameters=parameters)
    assert not (tmp_path / "bench").exists()


def test_progress_names_the_facts_of_each_model(tmp_path) -> None:
    class Heard(Silent):
        words: ClassVar[list[str]] = []

        def stage(self, words: str) -> None:
            self.words.append(words)

    making.make(plan_of(), tmp_path / "bench", Heard())
    assert list(dict.fromkeys(Heard.words)) == [
        f"{what} model {number} of 2" for number in (1, 2) for what in ("drawing", "facts of")
    ]
    assert Heard.words.count("facts of model 1 of 2") == 3  # pairs of attributes


# -- networks, suites, names ---------------------------------------------------------------------


def hostile_network() -> Network:
    n = len(HOSTILE)
    rows = np.full((n, 2), 0.5)
    return Network(("x,1", "y"), ((1, "1"), HOSTILE), ((1,), ()), (rows, np.full(n, 1 / n)), 1)


@pytest.mark.parametrize("form", ["csv", "arff"])
def test_hostile_names_come_back(form, tmp_path) -> None:
    truth = hostile_network()
    (tmp_path / "bad name; rm.json").write_text(truth.to_json())
    [model] = small(tmp_path / "bench", str(tmp_path / "bad name; rm.json"), form, models=1, rows=400)
    assert model.name == "bad_name_rm-000"
    assert verify(tmp_path / "bench") == ()
    assert model.truth.states == truth.states
    assert set(model.y_train) == set(HOSTILE)
    assert sorted({type(value).__name__ for value in model.X_train["x,1"]}) == ["int", "str"]
    path = tmp_path / "bench" / model.name / f"train.{form}"
    table = read_by_our_readers(path, model.columns)
    labels = columns_of(truth)[1].labels
    assert len(set(labels)) == len(HOSTILE)
    if form != "csv":  # whose reader takes the label -1 for a number
        assert codes_of(table["y"], labels) == model.y_train.cat.codes.tolist()


def test_a_network_in_bif_needs_a_class(tmp_path) -> None:
    network = Network(
        ("rain", "grass"), (("no", "yes"),) * 2, ((), (0,)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]])
    )
    path = tmp_path / "lawn.bif"
    path.write_text(network.to_bif())
    with pytest.raises(WorkbenchError, match="--class"):
        small(tmp_path / "bench", str(path))
    benchmark = small(tmp_path / "bench", str(path), class_name="rain")
    first, second = benchmark
    assert first.truth.to_json() == second.truth.to_json()
    assert first.X_train.to_numpy().tolist() != second.X_train.to_numpy().tolist()


def test_a_suite_is_written_with_its_own_names(tmp_path, monkeypatch) -> None:
    whole = suite("bias-v1")
    few = type(whole)(whole.name, whole.about, whole.truths[8:11])
    monkeypatch.setattr(sys.modules["generators.suites.suite"], "suite", lambda name: few)
    benchmark = small(tmp_path / "bench", "suite:bias-v1", models=None)
    assert [model.name for model in benchmark] == [entry.name for entry in few.truths]
    assert {source: len(truths) for source, truths in benchmark.truths.items()} == {
        "naive_bayes": 1,
        "tan": 2,
    }
    assert checksum(benchmark["tan-04-easy"].truth) == few.truths[1].checksum


def test_learners_are_compared_on_the_truths_of_a_benchmark(bench, tmp_path) -> None:
    benchmark = load(bench(tmp_path / "bench"))
    results = compare({"nb": NaiveBayesClassifier()}, on=benchmark.truths, sizes=50, n_test=20, rows="test")
    assert results.table("accuracy").shape[0] == 1


# -- verify --------------------------------------------------------------------------------------


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def set_a_cell(path: Path, line: int, word: str) -> None:
    lines = path.read_text().splitlines()
    lines[line] = ",".join([word, *lines[line].split(",")[1:]])
    path.write_text("\n".join(lines) + "\n")


def flip_a_cell(bench: Path) -> None:
    path = bench / "tan-001" / "train.csv"
    lines = path.read_text().splitlines()
    cells = lines[7].split(",")
    cells[0] = "1" if cells[0] == "0" else "0"
    lines[7] = ",".join(cells)
    path.write_text("\n".join(lines) + "\n")


def swap_two_posteriors(bench: Path) -> None:
    path = bench / "tan-000" / "posterior.csv"
    head, first, second, *rest = path.read_text().splitlines()
    path.write_text("\n".join([head, second, first, *rest]) + "\n")


def damage_probability(path: Path) -> None:
    (number,) = re.findall(r"table (0\.\d+)", path.read_text())[:1]
    edit(path, number, f"{float(number) + 1e-6!r}")


DAMAGE = {
    "a flipped cell": (flip_a_cell, "tan-001/train.csv was changed: its values of nominal columns are not"),
    "an undeclared value": (
        lambda b: set_a_cell(b / "tan-000/test.csv", 2, "zebra"),
        "tan-000/test.csv is damaged: test.csv has in line 3, column 'x0', the value 'zebra', which is not",
    ),
    "a probability that is none": (
        lambda b: set_a_cell(b / "tan-000/posterior.csv", 4, "much"),
        "tan-000/posterior.csv is damaged: posterior.csv has in line 5, column 'p_",
    ),
    "a row less": (
        lambda b: (b / "tan-000/train.csv").write_text(
            "\n".join((b / "tan-000/train.csv").read_text().splitlines()[:-1]) + "\n"
        ),
        "tan-000/train.csv has 39 rows, and the manifest states 40",
    ),
    "changed posteriors": (
        swap_two_posteriors,
        "tan-000/posterior.csv is not the truth's posterior of the test",
    ),
    "an edited BIF": (
        lambda b: damage_probability(b / "tan-000/truth.bif"),
        "tan-000/truth.bif",
    ),
    "another truth": (
        lambda b: (b / "tan-000/truth.json").write_text((b / "tan-001/truth.json").read_text()),
        "tan-000/truth.json",
    ),
    "an edited card": (
        lambda b: edit(b / "tan-000/card.md", "Bayes", "bayes"),
        "tan-000/card.md was changed",
    ),
    "a missing file": (lambda b: (b / "tan-001/test.csv").unlink(), "tan-001/test.csv is missing"),
    "an extra file": (
        lambda b: (b / "tan-001/more.csv").touch(),
        "tan-001/more.csv is not a file of the benchmark",
    ),
    "an edited manifest": (
        lambda b: edit(b / "manifest.json", '"seed": 3', '"seed": 4'),
        "manifest.json was changed: its checksum does not match its content",
    ),
    "a manifest of nothing": (lambda b: (b / "manifest.json").write_text("[]"), "manifest.json is damaged"),
    "a way out of the folder": (
        lambda b: edit(b / "manifest.json", '"name": "tan-000"', '"name": "../tan-000"'),
        "manifest.json is damaged",
    ),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_verify_finds_damage(what, bench, tmp_path) -> None:
    folder, (damage, line) = bench(tmp_path / "bench"), DAMAGE[what]
    damage(folder)
    found = verify(folder)
    assert any(finding.startswith(line) for finding in found), found
    assert not any("Traceback" in finding or "\n" in finding for finding in found)
    assert run("--verify", folder).exit_code == 1


@pytest.mark.parametrize("form", ["parquet", "arff"])
def test_verify_finds_damage_in_other_formats(form, tmp_path) -> None:
    bench = tmp_path / "bench"
    small(bench, form=form)
    path = bench / "tan-000" / f"posterior.{form}"
    path.write_bytes(path.read_bytes()[:-40])
    (bench / "tan-001" / f"train.{form}").write_bytes((bench / "tan-001" / f"test.{form}").read_bytes())
    found = verify(bench)
    assert any(line.startswith(f"tan-000/posterior.{form}") for line in found)
    assert any(line.startswith(f"tan-001/train.{form} ") for line in found)


# -- folders: resumed, refused -------------------------------------------------------------------


@pytest.mark.parametrize("torn", [False, True])
def test_an_interrupted_benchmark_goes_on(torn, tmp_path, monkeypatch) -> None:
    small(tmp_path / "whole", models=4)
    write, written = making.write_model, []

    def stops(plan, number, folder, tell):
        written.append(number)
        if number == 2 and len(written) == 3:
            (folder / "train.csv").write_text("half")
            raise KeyboardInterrupt
        return write(plan, number, folder, tell)

    monkeypatch.setattr(making, "write_model", stops)
    with pytest.raises(KeyboardInterrupt):
        small(tmp_path / "bench", models=4)
    with pytest.raises(WorkbenchError, match=r"has no manifest\.json"):
        load(tmp_path / "bench")
    if torn:  # the model is in its place, its line is not whole
        journal = tmp_path / "bench" / "unfinished.jsonl"
        journal.write_bytes(journal.read_bytes()[:-20])
    small(tmp_path / "bench", models=4)
    assert written[3:] == ([1, 2, 3] if torn else [2, 3])
    assert content(tmp_path / "bench") == content(tmp_path / "whole")


#: A program that makes a benchmark and stops in the middle of its fourth model.
HELD = """
import signal
from workbench.benchmark import generate, making

write = making.write_model

def held(plan, number, folder, tell):
    if number == 3:
        (folder / "train.csv").write_text("half")
        print("held", flush=True)
        signal.pause()
    return write(plan, number, folder, tell)

making.write_model = held
generate("tan", {folder!r}, models=6, rows=50, test=20, format="csv")
"""


@pytest.mark.process
def test_a_killed_benchmark_goes_on(tmp_path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", HELD.format(folder=str(tmp_path / "bench"))]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "held\n"
        child.send_signal(signal.SIGKILL)
    assert not (tmp_path / "bench" / "manifest.json").exists()
    generate("tan", tmp_path / "bench", models=6, rows=50, test=20, format="csv")
    generate("tan", tmp_path / "whole", models=6, rows=50, test=20, format="csv")
    assert content(tmp_path / "bench") == content(tmp_path / "whole")


def test_a_complete_benchmark_is_left_as_it_is(bench, tmp_path) -> None:
    bench(tmp_path / "bench")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "bench").rglob("*")}
    assert len(small(tmp_path / "bench")) == 2
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "bench").rglob("*")} == before


def test_a_folder_that_is_there_is_not_checked_and_says_so(bench, tmp_path) -> None:
    bench(tmp_path / "bench")
    options = "--models 2 --rows 40 --test 15 --seed 3 --format csv --set n_attributes=3"
    said = run("tan", "--out", tmp_path / "bench", *options.split())
    assert "and was not checked" in said.output


def test_a_function_of_a_file_draws_models_of_several_kinds(tmp_path, monkeypatch) -> None:
    (tmp_path / "mine_mixed.py").write_text(
        "import numpy as np\n"
        "from generators import random_naive_bayes, random_tan\n\n"
        "def mixed(n_attributes=4, random_state=None):\n"
        "    rng = np.random.default_rng(random_state)\n"
        "    kind = (random_tan, random_naive_bayes)[rng.integers(2)]\n"
        "    return kind(n_attributes=n_attributes, random_state=rng)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = generate("mine_mixed:mixed", tmp_path / "b", models=8, rows=5, test=5, format="csv")
    assert len({model.card["structure"].endswith("no arcs between them") for model in found}) == 2


def test_another_benchmark_is_refused(bench, tmp_path) -> None:
    bench(tmp_path / "bench")
    with pytest.raises(WorkbenchError, match="another benchmark"):
        small(tmp_path / "bench", seed=4)
    begun = tmp_path / "begun"
    begun.mkdir()
    head = {"made": plan_of().describe(), "versions": {"numpy": "1.0"}}
    done = [json.dumps(line) + "\n" for line in (head, {"name": "tan-000"})]
    (begun / "unfinished.jsonl").write_text("".join(done))
    (begun / "tan-000").mkdir()
    with pytest.raises(WorkbenchError, match="versions of python"):
        small(begun)
    with pytest.raises(WorkbenchError, match="contains another benchmark, unfinished"):
        small(begun, seed=4)


def test_processes_side_by_side_change_no_byte(tmp_path) -> None:
    parameters = {"n_attributes": [3, 6], "missing": 0.2}
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, n_jobs in zip(folders, (1, 2), strict=True):
        generate("tan", folder, models=3, rows=40, test=20, seed=5, parameters=parameters, n_jobs=n_jobs)
    assert content(folders[0]) == content(folders[1])
    assert not list(tmp_path.glob("*/unfinished*"))
    with pytest.raises(WorkbenchError, match="jobs is 0"):
        generate("tan", tmp_path / "none", n_jobs=0)


def test_nothing_of_others_is_touched(tmp_path) -> None:
    neighbor = tmp_path / "neighbor"
    neighbor.mkdir()
    (neighbor / "mine.txt").write_text("mine")
    with pytest.raises(WorkbenchError, match="other files"):
        small(neighbor)
    with pytest.raises(WorkbenchError, match="is a file: name a folder"):
        small(neighbor / "mine.txt")
    bench = tmp_path / "bench"
    bench.mkdir()
    head = {"made": plan_of().describe(), "versions": making.made_with()}
    (bench / "unfinished.jsonl").write_text(json.dumps(head) + "\n")
    (bench / "unfinished").symlink_to(neighbor)
    with pytest.raises(WorkbenchError, match="not a folder"):
        small(bench)
    assert content(neighbor) == {"mine.txt": b"mine"}


# -- the command ---------------------------------------------------------------------------------


def test_the_command_makes_and_checks(tmp_path) -> None:
    bench = tmp_path / "bench"
    words = ["tan", "--models", 2, "--rows", 30, "--test", 10, "--seed", 7, "--format", "csv", "--out", bench]
    made = run(*words, "--set", "n_attributes=[4,8]", "--set", "bayes_error=[0.1,0.2]")
    assert (made.exit_code, made.stdout.split(":")[0]) == (0, "2 models")
    again = run(*words, "--set", "n_attributes=[4, 8]", "--set", "bayes_error=[0.1, 0.2]")
    assert "already exists" in again.stdout
    checked = run("--verify", bench)
    assert (checked.exit_code, checked.stdout.strip()) == (0, f"{bench} is unchanged")
    (bench / "more\x1b[2J").touch()
    assert "\x1b" not in run("--verify", bench).stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tann"], "tann"),
        (["tan", "--models", "0"], "models is 0"),
        (["tan", "--format", "xlsx"], "xlsx"),
        (["tan", "--set", "n_attributes"], "'n_attributes'"),
        (["tan", "--set", "bayes_error=[0.99,1]", "--set", "tries=3"], "bayes_error"),
        (["suite:bias-v1", "--models", "3"], "suite:bias-v1 has 81 truths"),
        (["nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_input_is_one_sentence(words, sentence, tmp_path) -> None:
    done = run(*words, "--out", tmp_path / "bench")
    assert done.exit_code == 2, done.output
    assert sentence in done.stderr
    assert not (tmp_path / "bench").exists()
    assert len(done.stderr.strip().splitlines()) == 1


# -- networks and suites, altered ----------------------------------------------------------------


@pytest.fixture
def lawn(tmp_path) -> Path:
    network = Network(
        ("rain", "grass"), (("no", "yes"),) * 2, ((), (0,)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]])
    )
    for ending in (".bif", ".net"):
        write_network(network, tmp_path / f"lawn{ending}")
    (tmp_path / "lawn.json").write_text(network.with_class("rain").to_json())
    return tmp_path / "lawn"


@pytest.mark.parametrize("suffix", [".bif", ".net", ".json"])
def test_a_network_is_altered_otherwise_for_each_model(suffix, lawn, tmp_path) -> None:
    words = [f"{lawn}{suffix}", "--models", 3, "--rows", 30, "--test", 10, "--format", "csv"]
    words += ["--class", "rain"] if suffix != ".json" else []
    altered = ["--set", "irrelevant=2", "--set", "label_noise=0.1", "--out", tmp_path / "bench"]
    assert run(*words, *altered).exit_code == 0
    assert verify(tmp_path / "bench") == ()
    truths = [model.truth for model in load(tmp_path / "bench")]
    assert len({truth.to_json() for truth in truths}) == 3
    assert [truth.kind for truth in truths] == ["label_noise"] * 3
    assert "already exists" in run(*words, *altered).stdout
    clean = run(*words, "--out", tmp_path / "clean")
    assert clean.exit_code == 0
    assert len({model.truth.to_json() for model in load(tmp_path / "clean")}) == 1


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("bayes_error=[0.1,0.2]", "'bayes_error'"),
        ("label_noise=2", "the network 'lawn'"),
    ],
)
def test_what_cannot_be_done_to_a_network_is_one_sentence(word, sentence, lawn, tmp_path) -> None:
    done = run(f"{lawn}.json", "--set", word, "--out", tmp_path / "bench")
    assert (done.exit_code, sentence in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "bench").exists()


def test_kinds_are_those_of_the_truth_before_it_was_altered(tmp_path) -> None:
    kinds = {"tan": "network", "decision_tree": "concept"}
    for source, kind in kinds.items():
        [model] = small(tmp_path / source, source, models=1, parameters=ALTERED)
        steps = ["irrelevant_attributes", "label_noise", "missing_values", "numeric_cuts"]
        (entry,) = json.loads((tmp_path / source / "manifest.json").read_text())["models"]
        for described in (entry, model.card):
            assert (described["kind"], described["alterations"]) == (kind, steps)
        words = "irrelevant attributes, label noise, missing values, numeric cuts"
        assert f"| {model.name} | {kind} | {words} |" in (tmp_path / source / "README.md").read_text()
        card = (tmp_path / source / model.name / "card.md").read_text()
        assert f"| kind | {kind} |\n| alterations | {words} |\n" in card


@pytest.mark.parametrize("source", ["tan", "rules"])
def test_a_truth_that_is_not_altered_has_no_alterations(source, tmp_path) -> None:
    [model] = small(tmp_path / "bench", source, models=1)
    assert (model.card["kind"], model.card["alterations"]) == (model.truth.kind, [])


# -- what is checked before anything is written --------------------------------------------------


@pytest.mark.parametrize("half", [False, True])
def test_a_folder_without_a_finished_model_is_begun_anew(half, tmp_path, monkeypatch) -> None:
    def fails(plan, number, folder, tell):
        (folder / "train.csv").write_text("half")
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(making, "write_model", fails)
        with pytest.raises(OSError, match="no space left"):
            small(tmp_path / "bench", "aode", form="arff")
    journal = tmp_path / "bench" / "unfinished.jsonl"
    if half:
        journal.write_bytes(journal.read_bytes()[:-20])
    small(tmp_path / "bench")
    small(tmp_path / "whole")
    assert content(tmp_path / "bench") == content(tmp_path / "whole")


@pytest.mark.slow
def test_parquet_says_where_an_undeclared_value_is(tmp_path) -> None:
    small(tmp_path / "bench", form="parquet")
    path = tmp_path / "bench" / "tan-000" / "train.parquet"
    table = pd.read_parquet(path)
    table["x0"] = table["x0"].astype(object)
    table.loc[6, "x0"] = "zebra"
    table.to_parquet(path)
    assert (
        "tan-000/train.parquet is damaged: train.parquet has in row 7, column 'x0', the value 'zebra', which "
        "is not declared"
    ) in verify(tmp_path / "bench")


# -- ARFF written --------------------------------------------------------------------------------


def test_arff_that_is_written_is_read_back(tmp_path) -> None:
    values = [*HOSTILE, "\x85", "tab\there", "\u2028"]
    X = pd.DataFrame(
        {
            "it's {nominal}": pd.Categorical([*values, None], categories=[*values, "unseen"]),
            "numbers": [0.1 + 0.2, -1e-300, float("nan"), *np.arange(len(values) - 2)],
        }
    )
    y = pd.Series(pd.Categorical(["no"] * len(X), ["no", "yes"]), name="a class")
    X_back, y_back = load_arff(save_arff(X, y, tmp_path / "table.arff", relation="my 'table'"))
    pd.testing.assert_frame_equal(X_back, X)
    pd.testing.assert_series_equal(y_back, y)


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (pd.DataFrame({"a": ["x"]}), "expected categories or numbers"),
        (pd.DataFrame({"a": [float("inf")]}), "infinite number"),
        (pd.DataFrame({"y": [1.0]}), "two columns have the same name"),
        (pd.DataFrame({"a": pd.Categorical([1], [1, "1"])}), "two values that are the same as text"),
    ],
)
def test_what_arff_cannot_say_is_refused(X, sentence, tmp_path) -> None:
    y = pd.Series(pd.Categorical(["no"]), name="y")
    with pytest.raises(WorkbenchError, match=sentence):
        save_arff(X, y, tmp_path / "table.arff")


def test_two_processes_do_not_write_one_folder(tmp_path) -> None:
    plan = plan_of()
    head = {"made": plan.describe(), "versions": making.made_with()}
    with (
        making.Journal(tmp_path / "bench", head, plan.names),
        pytest.raises(WorkbenchError, match="another process is writing"),
    ):
        small(tmp_path / "bench")
    assert len(small(tmp_path / "bench")) == 2


def test_the_commands_of_the_guide_run(tmp_path, monkeypatch) -> None:
    guide = (ROOT / "docs" / "guides" / "benchmarks.md").read_text(encoding="utf-8")
    block = "".join(re.findall(r"```sh\n(.*?)```", guide, flags=re.DOTALL))
    monkeypatch.chdir(tmp_path)
    smaller = {"40": "2", "5000": "50", "1000": "20"}
    said = []
    for line in block.replace("\\\n", " ").splitlines():
        program, name, *words = shlex.split(line)
        assert (program, name) == ("workbench", "generate")
        done = run(*(smaller.get(word, word) for word in words))
        assert done.exit_code == 0, done.output
        said.append(done.stdout.strip())
    assert "bench is unchanged" in said
    assert all(0.1 <= m.card["bayes_error"]["value"] <= 0.2 for m in load("bench"))
