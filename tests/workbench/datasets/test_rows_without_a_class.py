"""Rows without a class, and files without rows, by every way into a study: a sentence that says where."""

import gzip

import pandas as pd
import pytest
from typer.testing import CliRunner

from workbench import compare
from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.datasets import load_table

HOLES = "a,b,play\n1,x,yes\n\n2,y,\n3,x,no\n4,y,?\n5,x,yes\n"
MANY = "a,play\n" + "1,?\n" * 9 + "2,no\n3,yes\n"
FILES = {
    "holes.csv": (HOLES, "holes.csv has 2 rows without a class (lines 4, 6): drop rows without one"),
    "holes.csv.gz": (HOLES, "holes.csv.gz has 2 rows without a class (lines 4, 6): drop rows without one"),
    "many.csv": (MANY, "many.csv has 9 rows without a class (lines 2, 3, 4, ...): drop rows without one"),
    "holes.arff": (
        "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2,?\n",
        "holes.arff has 1 row without a class (row 2): drop rows without one",
    ),
    "header.csv": (
        "a,b,play\n",
        "header.csv has a header and no rows: expected a row of values on each line below",
    ),
    "empty.csv": ("", "empty.csv names no columns: expected their names on its first line"),
}
STUDY = """
name = "two"
seed = 1
learners = ["nb"]
[[sources]]
dataset = "{}"
[design]
kind = "random_splits"
[scores]
metrics = ["accuracy"]
rows = ["test"]
"""


@pytest.fixture(params=FILES)
def written(request, tmp_path, monkeypatch) -> tuple[str, str]:
    """Write a file in the current folder; return its name and what is said of it."""
    monkeypatch.chdir(tmp_path)
    content, sentence = FILES[request.param]
    with (gzip.open if request.param.endswith(".gz") else open)(request.param, "wt") as file:
        file.write(content)
    return request.param, sentence


def test_are_reported_by_compare(written):
    name, sentence = written
    with pytest.raises(WorkbenchError) as caught:
        compare(["nb"], on=name, metrics="accuracy", store="s.db")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("options", [("--store", "s.db"), ("--dry-run",)], ids=lambda one: one[0])
def test_are_reported_by_the_command_line(written, tmp_path, options):
    name, sentence = written
    (tmp_path / "two.toml").write_text(STUDY.format(name))
    done = CliRunner().invoke(app, ["run", "two.toml", *options])
    assert done.exit_code == 2
    assert done.stderr.strip().splitlines()[-1] == f"workbench: {sentence}"
    assert not (tmp_path / "s.db").exists()


def test_of_a_frame_are_counted_from_one():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]}, index=list("wxyz"))
    y = pd.Series(["x", None, "y", None], index=list("wxyz"))
    with pytest.raises(WorkbenchError, match=r"has 2 rows without a class \(rows 2, 4\)"):
        compare(["nb"], on=(X, y), metrics="accuracy")


def test_new_rows_are_read_as_the_training_rows_were(tmp_path):
    training, new = tmp_path / "training.csv", tmp_path / "new.csv"
    training.write_text("code,size,play\n007,1.5,yes\n012,2.5,no\n")
    new.write_text("code,size\n012,?\n007,1.5\n")
    X, _ = load_table(training, class_name="play", nominal=["code"])
    rows, y = load_table(new, class_name=False, nominal=["code"])
    assert y is None
    assert rows["code"].tolist() == ["012", "007"]
    assert rows.dtypes.tolist() == X.dtypes.tolist()
    assert rows["size"].isna().tolist() == [True, False]
    new.write_text("code,size\n?,?\n007,1.5\n,\n")
    assert load_table(new, class_name=False, missing=["007"])[0]["size"].notna().tolist() == [
        False,
        True,
        False,
    ]
    with pytest.raises(WorkbenchError, match="drop names all columns"):
        load_table(new, class_name=False, drop=["code", "size"])
    for no_name in (0, ""):
        with pytest.raises(WorkbenchError, match="has no column"):
            load_table(training, class_name=no_name)
    parquet = tmp_path / "new.parquet"
    X.to_parquet(parquet)
    assert load_table(parquet, class_name=False)[0].columns.tolist() == ["code", "size"]
