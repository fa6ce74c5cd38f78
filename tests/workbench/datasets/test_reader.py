"""What the reader of delimited text makes of files that once misled it."""

import os
import shutil

import numpy as np
import pandas as pd
import pytest

from workbench import compare
from workbench.base.errors import WorkbenchError
from workbench.cli.options import as_typed
from workbench.datasets import ReadAsWarning, load_table
from workbench.forecasts.files import read_predictions

pytestmark = pytest.mark.filterwarnings("ignore::workbench.datasets.TableWarning")


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="t.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def test_a_row_that_begins_with_a_hash_is_a_row(written):
    X, _ = load_table(written("# palette\ncol,x,c\n#ff0000,1,a\n#00ff00,2,b\nred,3,a\n"))
    assert X["col"].tolist() == ["#ff0000", "#00ff00", "red"]
    X, _ = load_table(written("# made by hand\na,b,c\n1,2,p\n# a remark\n3,4,q\n"))
    assert X["a"].tolist() == [1, 3]


def test_codes_too_long_for_a_number_keep_their_digits(written):
    rows = "".join(f"1234567890123456789{i},{i},{'pq'[i % 2]}\n" for i in range(10))
    X, _ = load_table(written(f"id,a,c\n{rows}"))
    assert X["id"].nunique() == 10
    assert X["id"].iloc[3] == "12345678901234567893"
    X, _ = load_table(written("a,b,c\n1e300,1.5,p\n2e300,2.5,q\n"))
    assert X["a"].tolist() == [1e300, 2e300]


@pytest.mark.parametrize("header", ["400,402,404,class", "0.1,0.5,1.0,outcome", "7,8,12,kind"])
def test_numbers_name_columns_above_a_class_that_recurs(written, header):
    rows = "".join(f"{i}.5,{i},{2 * i},{'pq'[i % 2]}\n" for i in range(12))
    X, y = load_table(written(f"{header}\n{rows}"))
    assert (X.shape, y.name) == ((12, 3), header.rpartition(",")[2])


def test_labels_below_the_names_are_refused(written):
    rows = "".join(f"{i},{i}.5,{'pq'[i % 2]}\n" for i in range(12))
    with pytest.raises(WorkbenchError, match="line 2: 'years' and 'euros' where all other rows have num"):
        load_table(written(f"age,income,class\nyears,euros,group\n{rows}"))


def test_points_between_thousands_are_doubted(written):
    rows = "".join(f"{i + 1}.{100 + 7 * i};{'pq'[i % 2]}\n" for i in range(12))
    with pytest.warns(ReadAsWarning, match=r"with '1\.100' in 'pop' as a fraction; .* decimal"):
        X, _ = load_table(written(f"pop;c\n{rows}"))
    assert X["pop"].iloc[0] == 1.1
    X, _ = load_table("t.csv", decimal=",")
    assert X["pop"].iloc[0] == 1100


def test_what_is_left_out_is_not_looked_at(written):
    X, _ = load_table(written("x,a,c\ninf,1,p\n2,2,q\n"), drop=["x"])
    assert list(X) == ["a"]
    with pytest.raises(WorkbenchError, match="no column 'y' to leave out"):
        load_table("t.csv", drop=["y"])
    with pytest.raises(WorkbenchError, match="drop is 'x': expected a list of names"):
        load_table("t.csv", drop="x")


def test_empty_rows_leave_whole_numbers_whole(written):
    X, _ = load_table(written("a,b,c\n1,2,p\n,,\n3,4,q\n,,\n"))
    assert X.dtypes.astype(str).tolist() == ["int64", "int64"]


def test_a_code_among_amounts_is_a_number(written):
    rows = "".join(f"1.{100 + i},50 \u20ac;{'pq'[i % 2]}\n" for i in range(12))
    X, _ = load_table(written(f"pay;c\n-9;p\n{rows}"))
    assert X["pay"].iloc[:2].tolist() == [-9.0, 1100.5]


def test_a_file_that_replaced_another_of_its_size_and_time_is_read_anew(written):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = np.where(x > 0, "p", "q")

    def accuracy(numbers):
        pd.DataFrame({"x": [f"{value:+.4f}" for value in numbers], "c": y}).to_csv("new.csv", index=False)
        os.utime("new.csv", ns=(10**18, 10**18))
        shutil.move("new.csv", "t.csv")
        return float(compare(["nb"], on=("t.csv", "c"), cv=5, metrics="accuracy").table()["mean"].iloc[0])

    assert accuracy(x) > 0.9
    assert accuracy(rng.permutation(x)) < 0.7


def test_files_of_other_programs_are_refused_by_their_names(written, tmp_path):
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04 cut off")
    (tmp_path / "t.sav").write_bytes(b"$FL2 ...")
    with pytest.raises(WorkbenchError, match=r"t\.xlsx is a zip archive"):
        compare(["nb"], on="t.xlsx")
    with pytest.raises(WorkbenchError, match=r"t\.sav is SPSS's: read it with pandas\.read_spss"):
        compare(["nb"], on=("t.sav", "c"))


def test_options_hold_for_a_list_of_files(written):
    for name in ("a.csv", "b.csv"):
        written(
            "id;x;c\n"
            + "".join(f"{i};{i % 7},{len(name) + ord(name[0])};{'pq'[i % 2]}\n" for i in range(40)),
            name,
        )
    on = {"dataset": ["a.csv", "b.csv"], "class": "c", "drop": ["id"], "decimal": ","}
    results = compare(["prior"], on=on, cv=2, metrics="accuracy")
    assert results.study.source_keys == ["a", "b"]
    with pytest.raises(WorkbenchError, match="'datset': expected 'dataset'"):
        compare(["prior"], on={"mine": {"datset": "a.csv", "class": "c"}})


def test_a_column_of_the_other_class_is_no_probability(written):
    for text in ("y_true,p0\n1,.1\n0,.8\n", "y_true,predicted\n1,1\n0,0\n"):
        with pytest.raises(WorkbenchError, match="name the column with the probabilities"):
            read_predictions(written(text), positive=1)
    assert read_predictions(written("y_true,p1\n1,.9\n0,.2\n"), positive=1).y_prob[:, 1].tolist() == [
        0.9,
        0.2,
    ]


def test_options_are_written_as_commands_take_them():
    said = 'leave it out (drop = ["day", "an id"]), groups = "who", missing = ["-9"]'
    assert as_typed(said) == "leave it out (--drop 'day,an id'), --groups who, --missing -9"
