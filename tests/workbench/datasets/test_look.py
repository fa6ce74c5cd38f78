"""One look at a table: each finding is a warning of its own type, with the way out."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench import DatasetSource, compare, load, read_study, write_study
from workbench.base.errors import WorkbenchError
from workbench.datasets import (
    CodesForMissingWarning,
    GiveawayColumnWarning,
    LargeGroupWarning,
    NumbersAsTextWarning,
    OrderedColumnWarning,
    RepeatedRowsWarning,
    RowNamesWarning,
    SingleRowClassWarning,
    TableWarning,
    UninformativeColumnWarning,
    WordsAmongNumbersWarning,
    load_dataset,
)
from workbench.datasets.dataset import Dataset

N = 120
RNG = np.random.default_rng(0)
NUMBER = RNG.normal(size=N).round(3)
PLAIN = pd.DataFrame({"number": NUMBER, "town": RNG.choice(["Bonn", "Trier", "Ulm"], N)})
Y = RNG.choice(["yes", "no"], N)
SURVEY = "id;age;income;town;member\n" + "".join(
    f"{i};{-9 if i % 9 == 0 else 20 + 37 * i % 41};{i % 7},{i % 10}5;{'Köln' if i % 3 else 'Bonn'};"
    f"{'yes' if i % 4 else 'no'}\n"
    for i in range(80)
)


def found(
    X: pd.DataFrame | np.ndarray, y: object = Y, *, of_file: bool = True, groups: object = None
) -> list[tuple[type[TableWarning], str]]:
    rows = Dataset.of(X, y, what="t", of_file=of_file, groups=groups)
    return [(one.kind, one.sentence) for one in rows.findings]


def text_numbers() -> list[str]:
    return [f"{value:.1f}" for value in 10 * NUMBER]


@pytest.mark.parametrize(
    ("name", "column", "kind", "said"),
    [
        ("Id", np.arange(N), RowNamesWarning, "column 'Id' identifies rows.*drop = [\"Id\"]"),
        ("case", np.arange(1, N + 1), RowNamesWarning, "'case' identifies rows"),
        ("customer_id", RNG.permutation(N) * 7 + 10_000, RowNamesWarning, "'customer_id' identifies rows"),
        ("who", [f"P{i}" for i in range(N)], RowNamesWarning, "'who' identifies rows"),
        ("day", pd.date_range("2024-01-01", periods=N).astype(str), RowNamesWarning, "holds dates"),
        ("day", [f"{i % 28 + 1:02d}.0{i % 3 + 1}.2024" for i in range(N)], RowNamesWarning, "holds dates"),
        ("a", [*text_numbers()[:-3], "-", "-", "."], WordsAmongNumbersWarning, 'missing = ["-", "."]'),
        ("a", text_numbers(), NumbersAsTextWarning, "column 'a' has numbers written as"),
        ("a", [-9.0] * 5 + list(range(5, N)), CodesForMissingWarning, "has -9 in 5 rows.*(5 to 119)"),
        ("a", [999] * 4 + list(range(4, N)), CodesForMissingWarning, 'missing = ["999"]'),
        (
            "a",
            pd.Categorical(RNG.choice(["low", "high"], N), ["low", "high"], ordered=True),
            OrderedColumnWarning,
            "'a' has ordered categories",
        ),
        ("q", np.where(RNG.random(N) < 0.1, -9, RNG.integers(1, 6, N)), CodesForMissingWarning, "(1 to 5)"),
        ("q", np.where(RNG.random(N) < 0.1, 99, RNG.integers(1, 8, N)), CodesForMissingWarning, '["99"]'),
        ("age", [-8, -9, *range(18, N + 16)], CodesForMissingWarning, 'has -9 and -8 in 2.*["-9", "-8"]'),
        ("age", [998, 999, 999, *range(18, N + 15)], CodesForMissingWarning, '["998", "999"]'),
        ("serial", 10_001.0 + np.arange(N), RowNamesWarning, "'serial' identifies rows"),
        ("caseid", RNG.permutation(N) * 7, RowNamesWarning, "'caseid' identifies rows"),
        ("day", [20_240_101 + 100 * (i % 12) + i % 28 for i in range(N)], RowNamesWarning, "holds dates"),
        ("q", RNG.choice(["1", "2", "3", "k.A."], N), WordsAmongNumbersWarning, 'missing = ["k.A."]'),
        ("q", pd.Series([*range(N - 2), "refused", "refused"]), WordsAmongNumbersWarning, "refused"),
        ("h", [f"{150 + i} cm" for i in range(N)], NumbersAsTextWarning, "written as '150 cm'"),
        ("a", ["x"] * N, UninformativeColumnWarning, "'a' has a single value"),
        ("a", [np.nan] * N, UninformativeColumnWarning, "'a' has no value"),
        ("a", [f"{one}1" for one in Y], GiveawayColumnWarning, "'a' predicts the class"),
        ("a", np.where(Y == "yes", NUMBER + 9, NUMBER), GiveawayColumnWarning, "'a' predicts"),
        ("patient", np.arange(N) // 6, RepeatedRowsWarning, '20 values in 120 rows.*groups = "patient"'),
    ],
)
def test_a_column_that_misleads_is_found_and_nothing_else(name, column, kind, said):
    ((own, sentence),) = found(PLAIN.assign(**{name: column}))
    assert own is kind
    for part in said.split(".*"):
        assert part in sentence, sentence


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("year", 1990 + RNG.integers(0, 30, N)),
        ("count", RNG.integers(0, 400, N)),
        ("id", RNG.choice(["a", "b"], N)),
        ("code", RNG.choice(["0", "1", "2", "3+"], N)),
        ("scale", RNG.integers(-2, 3, N)),
        ("change", RNG.integers(-1, 30, N)),
        ("acid", RNG.integers(0, 30, N)),
        ("a", np.where(RNG.random(N) < 0.1, -9, RNG.integers(-20, 40, N))),
        ("a", np.where(RNG.random(N) < 0.1, 99, RNG.integers(0, 98, N))),
        ("a", [None] * 100 + ["x"] * 20),
        ("a", np.where(RNG.random(N) < 0.1, "no", Y)),
        ("words", RNG.choice(["12 kg", "13 kg", "a-4"], N)),
    ],
)
def test_nothing_is_said_of_ordinary_columns(name, column):
    assert found(PLAIN.assign(**{name: column})) == []


def test_classes_of_one_row_and_copies_are_found():
    y = Y.copy()
    y[7] = "rarely"
    assert [kind for kind, _ in found(PLAIN, y)] == [SingleRowClassWarning]
    twice = pd.concat([PLAIN, PLAIN.iloc[:30]])
    ((kind, sentence),) = found(twice, np.r_[Y, Y[:30]])
    assert kind is RepeatedRowsWarning
    assert "30 rows of 150 are copies" in sentence
    few = pd.DataFrame({"a": RNG.integers(0, 3, N), "b": RNG.integers(0, 3, N)})  # which repeat by chance
    assert found(few) == []


def test_the_way_out_for_a_frame_is_a_method_of_it():
    ((_, sentence),) = found(PLAIN.assign(Id=np.arange(N)), of_file=False)
    assert sentence.endswith('leave it out (.drop(columns=["Id"]))')


def test_a_code_among_the_classes_is_found():
    ((kind, sentence),) = found(PLAIN, np.where(RNG.random(N) < 0.1, "-9", Y))
    assert kind is CodesForMissingWarning
    assert "the class has the value '-9'" in sentence


def test_groups_count_where_there_are_groups():
    groups = np.arange(N) // 6
    found_of = dict(found(PLAIN, np.where(groups == 0, "odd", Y), groups=groups))
    assert "class 'odd' has a single group" in found_of[SingleRowClassWarning]
    ((kind, sentence),) = found(PLAIN, groups=np.where(np.arange(N) < 80, 0, groups))
    assert kind is LargeGroupWarning
    assert "one group has 67% of the rows" in sentence


def test_values_that_recur_do_not_give_the_class_away():
    twice = pd.DataFrame({"a": np.repeat(RNG.normal(size=60), 8), "b": RNG.normal(size=480)})
    y = np.repeat(RNG.choice(["p", "q"], 60), 8)
    assert GiveawayColumnWarning not in [kind for kind, _ in found(twice, y)]


def test_the_columns_of_an_array_have_no_option():
    ((kind, sentence),) = found(np.column_stack([np.arange(N) + 0.5, np.ones(N)]))
    assert kind is UninformativeColumnWarning
    assert "drop" not in sentence


def test_the_classic_tables_are_quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(["prior"], on="iris", cv=2, metrics="accuracy")
    X, y = load_dataset("iris")
    assert found(X, y) == []


@pytest.fixture
def survey(tmp_path: Path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("survey.csv").write_bytes(SURVEY.encode("cp1252"))
    return "survey.csv"


KINDS = ["ReadAsWarning", "RowNamesWarning", "CodesForMissingWarning"]


def test_a_survey_is_read_and_each_finding_is_said_once(survey):
    with pytest.warns(TableWarning) as caught:
        results = compare(["nb"], on=(survey, "member"), cv=2, metrics="accuracy", store="s.db")
    assert [type(one.message).__name__ for one in caught] == KINDS
    assert {one.filename for one in caught} == {__file__}
    noted = results.findings()["survey"]
    assert noted.startswith("survey.csv was read semicolon-separated, with a decimal comma, in cp1252")
    assert "column 'age' has -9" in noted
    assert load("s.db").findings()["survey"] == noted
    page = results.report("r.md").read_text(encoding="utf-8")
    assert page.count("semicolon-separated") == 1
    X = DatasetSource("s", survey, class_name="member", drop=["id"], missing=["-9"]).content.X
    with pytest.warns(TableWarning) as caught:
        compare(["nb"], on={"dataset": survey, "class": "member", "drop": ["id"], "missing": ["-9"]}, cv=2)
    assert [type(one.message).__name__ for one in caught] == KINDS[:1]
    assert list(X) == ["age", "income", "town"]
    assert X["age"].min() > 0
    assert X["age"].isna().sum() == 9
    assert X["income"].iloc[15] == 1.55


def test_the_options_of_a_file_go_through_toml(survey):
    text = (
        'name = "n"\nseed = 1\nlearners = ["prior"]\ndesign = {kind = "half_splits"}\n[[sources]]\n'
        f'dataset = "{survey}"\nclass = "member"\ndrop = ["id"]\nsep = ";"\ndecimal = ","\nencoding = '
        '"cp1252"\n'
        'header = true\nmissing = { age = ["-9"], town = [] }\n'
    )
    study = read_study(text)
    assert read_study(write_study(study)) == study
    assert study.sources[0].content.findings == ()
    assert study.sources[0].content.X["age"].isna().sum() == 9
    for line, said in (
        ('sep = ";;"', "has sep = ';;': expected one character"),
        ('decimal = "x"', "has decimal = 'x'"),
        ("header = 1", "has header = 1: expected true, false, or a list of names"),
        ("missing = 9", "has missing = 9: expected a list of words"),
        ('missing = {aage = ["-9"]}', "no column 'aage'.*did you mean 'age'"),
        ('drop = ["idd"]', "has no column 'idd' to leave out: did you mean 'id'"),
    ):
        with pytest.raises(WorkbenchError, match=said):
            read_study(f'{text.partition("class")[0]}class = "member"\n{line}\n').sources[0].content  # noqa: B018
