"""Rows that belong together: no part splits a group, tests count groups; rows in time are not tested."""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.tree import DecisionTreeClassifier

from workbench import DatasetSource, RowsSource, Source, compare, load, read_study, rescore, write_study
from workbench.analyses import Posterior, RecalibrationGain, comparisons_of
from workbench.base.errors import Untested, WorkbenchError
from workbench.datasets.dataset import Dataset
from workbench.designs import FiveByTwo, HalfSplits, RandomSplits, RepeatedFolds, ScikitSplits
from workbench.engine.runner import run_study
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.comparison_to_base import comparison_to_base_lines
from workbench.report.terminal.pairs import pairs_parts

pytestmark = pytest.mark.slow

#: 20 patients with 3 to 7 rows, who carry their class.
PATIENT = np.repeat([f"p{i:02}" for i in range(20)], [3, 4, 5, 6, 7] * 4)
DESIGNS = [FiveByTwo(), FiveByTwo(stratified=False), RepeatedFolds(4, 2), RepeatedFolds(3, stratified=False),
           HalfSplits(3), RandomSplits(3), RandomSplits(2, train=0.8)]  # fmt: skip
SPLITTERS = [GroupKFold(4), GroupKFold(4, shuffle=True, random_state=3), GroupShuffleSplit(6, random_state=2),
             StratifiedGroupKFold(4, shuffle=True, random_state=1), LeaveOneGroupOut(), LeavePGroupsOut(2),
             GroupShuffleSplit(3, test_size=0.3, train_size=0.5, random_state=2)]  # fmt: skip


def visits() -> pd.DataFrame:
    """Return the rows of all patients, each near the place of its own patient."""
    rng = np.random.default_rng(1)
    number = np.unique(PATIENT, return_inverse=True)[1]
    places, noise = rng.normal(size=(20, 3)), rng.normal(size=(len(PATIENT), 3))
    frame = pd.DataFrame(places[number] + 0.2 * noise, columns=["a", "b", "c"])
    return frame.assign(patient=PATIENT, ill=np.where(number % 2, "yes", "no"))


VISITS = visits()
X, Y = VISITS[["a", "b", "c"]], VISITS["ill"]
ROWS = DatasetSource("visits", rows=(VISITS, "ill"), groups="patient")
FILE = DatasetSource("visits", "visits.csv", class_name="ill", groups="patient")


@pytest.fixture
def visits_csv(tmp_path, monkeypatch):
    """Write the rows into a file of the current folder."""
    VISITS.to_csv(tmp_path / "visits.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(**options: Any) -> list[float]:
    """Return the accuracies of naive Bayes on each part."""
    return compare("nb", metrics="accuracy", **options).frame()["value"].tolist()


# ---- splits


@st.composite
def grouped(draw):
    """Draw classes and groups of rows, so that both classes are in several groups."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=8, max_size=20))
    groups = np.repeat(np.arange(len(sizes)), sizes)
    codes = np.array(draw(st.lists(st.integers(0, 1), min_size=len(groups), max_size=len(groups))))
    codes[:8] = [0, 1] * 4
    order = np.random.default_rng(draw(st.integers(0, 99))).permutation(len(groups))
    return codes[order], groups[order]


@pytest.mark.parametrize("design", [*DESIGNS, *map(ScikitSplits.of, SPLITTERS)], ids=str)
@given(rows=grouped(), seed=st.integers(0, 9))
def test_no_group_is_in_both_parts(design, rows, seed):
    codes, groups = rows
    design.check("it", codes, (0, 1), groups)
    n_parts = design.n_parts(groups.max() + 1)
    parts = [design.split(codes, fold, seed, groups) for fold in range(min(n_parts, 5))]
    for train, test in parts:
        assert len(train)
        assert len(test)
        assert not {*groups[train]} & {*groups[test]}
    if design.n_folds > 1 and n_parts <= 5 and isinstance(design, FiveByTwo | RepeatedFolds):
        assert sorted(np.concatenate([test for _, test in parts])) == list(range(len(codes)))


def test_designs_make_the_parts_of_scikit_learn():
    codes, groups = (Y == "yes").to_numpy().astype(int), np.unique(PATIENT, return_inverse=True)[1]
    theirs = {
        RepeatedFolds(4): StratifiedGroupKFold(4, shuffle=True, random_state=7),
        RepeatedFolds(4, stratified=False): GroupKFold(4, shuffle=True, random_state=7),
        FiveByTwo(): StratifiedGroupKFold(2, shuffle=True, random_state=7),
        HalfSplits(): GroupShuffleSplit(1, train_size=0.5, random_state=7),
        RandomSplits(train=0.7): GroupShuffleSplit(1, train_size=0.7, random_state=7),
    }
    for design, splitter in theirs.items():
        for fold, parts in enumerate(splitter.split(codes, codes, groups)):
            own = design.split(codes, fold, 7, groups)
            assert [part.tolist() for part in own] == [part.tolist() for part in parts]


@pytest.mark.parametrize("cv", SPLITTERS, ids=str)
def test_a_splitter_of_groups_scores_as_scikit_learn_does(cv):
    tree = DecisionTreeClassifier(random_state=0)
    found = compare({"tree": tree}, on=(X, Y), groups=PATIENT, cv=cv, metrics="accuracy")
    found = found.scores("accuracy///none")["value"]
    assert found.tolist() == cross_val_score(tree, X.to_numpy(), Y, cv=cv, groups=PATIENT).tolist()


def test_the_naive_split_is_optimistic_where_groups_carry_the_class():
    naive, whole = (np.mean(scores(on=(X, Y), cv=cv, **more)) for cv, more in (
        (KFold(5, shuffle=True), {}), (GroupKFold(5, shuffle=True), {"groups": PATIENT})
    ))  # fmt: skip
    assert naive > whole + 0.1


# ---- sources


@dataclass(frozen=True)
class Fetched(RowsSource):
    """Rows with groups."""

    groups_of: Any

    def fetch(self):
        return (
            VISITS if isinstance(self.groups_of, str) else VISITS.drop(columns="patient"),
            "ill",
            self.groups_of,
        )


def test_groups_are_said_in_every_form_and_are_no_attribute(visits_csv):
    assert list(ROWS.content.X) == ["a", "b", "c"]
    assert (ROWS.content.n_groups, ROWS.facts.n_attributes) == (20, 3)
    by_name = scores(on=ROWS)
    assert scores(on=(VISITS, "ill"), groups="patient") == by_name
    assert scores(on=(X, Y), groups=PATIENT) == by_name
    assert scores(on=(X, Y), groups=pd.Series(PATIENT, index=range(5, 105))) == by_name
    assert scores(on=(X, Y), groups=VISITS[["patient"]]) == by_name
    assert scores(on=(X.assign(patient=PATIENT), Y), groups="patient") == by_name
    assert scores(on=Fetched("mine", "patient")) == scores(on=Fetched("mine", PATIENT)) == by_name
    of_file = scores(on=FILE)  # whose attributes are those that pandas reads from text
    assert scores(on=("visits.csv", "ill"), groups="patient") == of_file
    entry = {"dataset": "visits.csv", "class": "ill", "groups": "patient"}
    assert scores(on=entry) == scores(on={"mine": entry}) == of_file


def test_rows_without_groups_are_what_they_were():
    frame = pd.DataFrame({"a": [1.5, 2.0, None, 4.0], "b": ["x", "y", "x", None]})
    content = Dataset.of(frame, ["p", "q", "q", "p"], "it")
    assert content.digest == "33ab9d9138748aaac75109f99acec1c5"  # as before there were groups
    assert content.groups is None
    assert DatasetSource("it", rows=(frame, ["p", "q", "q", "p"])).identity(0) == {"table": content.digest}


def test_which_rows_belong_together_identifies_them_and_not_the_names_of_groups():
    def digest(groups):
        return Dataset.of(X, Y, "it", groups=groups).digest

    assert digest(PATIENT) == digest(np.char.add("x", PATIENT)) != digest(PATIENT[::-1])
    assert digest(None) not in (digest(PATIENT), digest(np.arange(100)))


@pytest.mark.parametrize(
    "groups",
    [pd.Categorical(["p", "q"] * 3, categories=["z", "q", "p"]), pd.to_datetime(["2020-01", "2020-02"] * 3),
     pd.Series([1, 2] * 3, dtype="Int64"), [1, "x"] * 3, [[1.5], [2.5]] * 3],
    ids=lambda groups: type(groups).__name__,
)  # fmt: skip
def test_groups_are_labels_of_any_kind(groups):
    content = Dataset.of(pd.DataFrame({"a": range(6)}), ["a", "b", "b"] * 2, "it", groups=groups)
    assert content.groups.tolist() == [0, 1] * 3


def test_a_study_file_has_groups(visits_csv):
    text = """
        name = "visits"
        seed = 0
        learners = ["nb"]
        [[sources]]
        dataset = "visits.csv"
        class = "ill"
        groups = "patient"
        [scores]
        metrics = ["accuracy"]
        """
    study = read_study(text)
    assert study.sources == (FILE,) != (replace(FILE, groups=None),)
    assert read_study(write_study(study)) == study
    assert study.design == RepeatedFolds(5, 1)
    results = run_study(study, visits_csv / "s.db")
    assert results.frame()["value"].tolist() == scores(on=FILE)
    assert 'groups = "patient"' in load(visits_csv / "s.db").study.to_toml()


def test_a_store_goes_on_with_the_same_groups_alone(tmp_path):
    store = tmp_path / "s.db"
    options = {"on": (X, Y), "store": store, "metrics": "accuracy"}
    first = compare("nb", groups=PATIENT, **options)
    assert compare("nb", groups=PATIENT, **options).runs["computed"].tolist() == [5, 0]
    assert compare("nb", groups=PATIENT[::-1], **options).runs["computed"].iloc[-1] == 5
    assert compare("nb", **options).runs["computed"].iloc[-1] == 10
    again = compare("nb", groups=PATIENT, **options)
    assert again.frame().equals(first.frame())
    with pytest.raises(WorkbenchError, match="has other rows"):
        rescore(store, "log_loss", on=(X, Y))
    assert rescore(store, "log_loss", on=(X, Y), groups=PATIENT).n_scores == 10


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"groups": "patent"}, "has no column 'patent' for groups: did you mean 'patient'"),
        ({"groups": "ill", "on": DatasetSource("v", rows=(VISITS, "ill"))}, "is 'ill', its class"),
        ({"groups": "a", "on": (X.to_numpy(), Y)}, "its X is not a DataFrame"),
        ({"groups": PATIENT[1:]}, r"has the shape \(99,\): expected one group for each of 100 rows"),
        ({"groups": [[1], [1, 2]] * 50}, r"column 'groups' of .* holds \[1\] in row 1"),
        ({"groups": ["p"] * 100}, "has 100 rows of 1 group: expected at least two"),
        ({"groups": [None, *PATIENT[1:]]}, r"has 1 row without a group \(row 1\)"),
        ({"groups": "a", "on": ["iris", "vote"]}, "for a single data set, but on= has iris and vote"),
        ({"groups": "a", "on": Fetched("mine", "patient")}, "from `fetch` of your own source"),
        ({"groups": "a", "on": Source("tan", "tan")}, "leave groups= out for truths"),
        ({"groups": "a", "on": "iris"}, "with groups = 'a': .* are options of files"),
        ({"cv": GroupKFold(3)}, "has no groups, which GroupKFold needs: .* groups="),
        ({"groups": PATIENT, "cv": 5}, r"StratifiedKFold would split: use cv=StratifiedGroupKFold\(5, sh"),
        (
            {"groups": PATIENT, "cv": RepeatedStratifiedKFold(n_splits=3, n_repeats=2)},
            r"use design=RepeatedFolds\(folds=3, repeats=2\)",
        ),
        ({"groups": PATIENT, "cv": TimeSeriesSplit(4)}, r"Split would split: use cv=GroupKFold\(4\)"),
        ({"groups": PATIENT, "cv": GroupKFold(21)}, "has 20 groups: expected 21, one for each fold"),
        ({"groups": PATIENT, "cv": LeavePGroupsOut(8)}, "leave out 8 in 125,970 ways"),
        ({"groups": PATIENT, "cv": LeavePGroupsOut(20)}, "cannot be split: .*at least n_groups"),
        ({"groups": PATIENT, "design": RepeatedFolds(30)}, "has 20 groups: expected 30, one for each fold"),
        ({"groups": PATIENT, "design": RandomSplits(stratified=True)}, "set stratified to False"),
        ({"groups": PATIENT, "design": RandomSplits(train=0.01)}, "cannot be split: .*train set will be"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else re.sub(r"\W+", "_", value),
)  # fmt: skip
def test_what_cannot_be_split_is_one_sentence(options, said):
    with pytest.raises(WorkbenchError, match=said):
        compare("nb", **{"on": (VISITS.drop(columns="ill"), Y), **options})


def test_a_file_names_the_lines_without_a_group(visits_csv):
    VISITS.assign(patient=VISITS["patient"].where(VISITS.index != 2)).to_csv("visits.csv", index=False)
    with pytest.raises(WorkbenchError, match=r"visits.csv has 1 row without a group \(line 4\)"):
        compare("nb", on=FILE)
    with pytest.raises(WorkbenchError, match=r"has the groups array.*expected the name of a column"):
        DatasetSource("visits", "visits.csv", groups=PATIENT)


def test_a_design_that_knows_no_groups_is_refused_where_there_are_some():
    @dataclass(frozen=True)
    class InOrder(RandomSplits):
        def splitter(self, seed):
            return PredefinedSplit([-1] * 50 + [0] * 50)

    @dataclass(frozen=True)
    class Split(RandomSplits):
        def split(self, codes, fold, seed):
            return np.arange(50), np.arange(50, 100)

    class Alternating:
        def split(self, X, y, groups):
            yield np.arange(0, 100, 2), np.arange(1, 100, 2)

    @dataclass(frozen=True)
    class Ignoring(RandomSplits):
        def splitter(self, seed, *, grouped=False):
            return Alternating()

    with pytest.raises(WorkbenchError, match="has groups, some of which design 'random_splits' splits"):
        compare("nb", on=ROWS, design=Ignoring(2))
    for design, word in ((InOrder(2), "`splitter` takes `grouped`"), (Split(2), "`split` takes `groups`")):
        assert len(compare("nb", on=(X, Y), design=design).cells()) == 2
        with pytest.raises(WorkbenchError, match=f"has groups, which design 'random_splits' would.*{word}"):
            compare("nb", on=ROWS, design=design)


# ---- tests and words


@pytest.mark.parametrize(
    ("how", "share"),
    [
        ({"cv": GroupShuffleSplit(4)}, 4 / 16),
        ({"cv": GroupShuffleSplit(4, test_size=3)}, 3 / 17),
        ({"cv": GroupKFold(4)}, 1 / 3),
        ({"cv": LeaveOneGroupOut()}, 1 / 19),
        ({"cv": LeavePGroupsOut(2)}, 2 / 18),
        ({"design": RandomSplits(3)}, 7 / 13),  # 66 rows of 100 would be 34/66
        ({"design": RepeatedFolds(3, 1)}, 1 / 2),
    ],
    ids=str,
)
def test_tests_count_groups(how, share, tmp_path):
    compare(["nb", "one_r"], on=ROWS, metrics="accuracy", store=tmp_path / "s.db", **how)
    (found,) = comparisons_of(load(tmp_path / "s.db"))
    assert found.scores.test_share == pytest.approx(share, abs=1e-12)


def test_answers_reports_and_provenance_say_groups(tmp_path):
    results = compare(["nb", "one_r"], on=ROWS, metrics="accuracy", store=tmp_path / "s.db")
    said = "visits has 100 rows in 20 groups: no group is in both the training and the test rows of a part"
    assert results.answer().startswith(said)
    assert said in results.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert next(lines_of(pairs_parts(load(tmp_path / "s.db")))).startswith(said)
    about = json.loads(results.runs["provenance"].iloc[0])
    assert about["groups of visits"] == "20 in 100 rows, no group in both training and test rows"
    assert "2 classes, 20 groups, hash" in about["data set visits"]
    without = compare(["nb", "one_r"], on=(X, Y), metrics="accuracy")
    assert "group" not in without.answer()


# ---- rows in time


@pytest.fixture(scope="module")
def in_time():
    """Return results on rows in time, and their splitter."""
    tree = DecisionTreeClassifier(random_state=0)
    cv = TimeSeriesSplit(4, gap=1, max_train_size=40)
    learners = {"tree": tree, "nb": "nb", "one_r": "one_r"}
    return compare(learners, on={"a": (X, Y), "b": (X[::-1], Y[::-1])}, cv=cv, metrics="accuracy"), cv


def test_parts_in_time_are_those_of_scikit_learn(in_time):
    results, cv = in_time
    own = results.scores("accuracy///none").query("learner == 'tree' and source == 'a'")["value"]
    tree = DecisionTreeClassifier(random_state=0)
    assert own.tolist() == cross_val_score(tree, X.to_numpy(), Y, cv=cv).tolist()
    sizes = [len(train) for train, _ in cv.split(X)]
    assert results.cells()["n_train"].unique().tolist() == [round(np.mean(sizes))]
    design = ScikitSplits.of(cv)
    assert (design.gap, design.max_train_size, design.shuffle) == (1, 40, None)


def test_no_pair_in_time_is_tested_and_the_words_say_why(in_time, tmp_path):
    results = in_time[0]
    said = "No test or interval applies to other periods"
    answer = results.answer(learners=["tree", "nb"])
    assert said in answer
    assert re.search(
        r"By accuracy .* on 2 data sets, the means are [\w ]+ 0\.\d+, [\w ]+ 0\.\d+ on a, ", answer
    )
    assert answer.endswith("not tested.")
    assert results.table()["mean"].notna().all()
    assert (results.ranking() == "not compared").all(axis=None)
    for ask in (results.differences, lambda: Posterior.of(results, "tree", "nb", rope=0.01)):
        with pytest.raises(WorkbenchError, match=said):
            ask()
    gains = RecalibrationGain.of(results, {"nb": "tree"}).table
    assert gains["gain"].notna().all()
    assert gains[["low", "high", "p"]].isna().all(axis=None)
    with pytest.warns(Untested, match=said):
        assert results.compare_to("nb")["tree"]["mark"].isna().all()
    assert not any("%" in line for line in lines_of(comparison_to_base_lines(results, "nb")))
    page = results.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert said in page
    assert "Holm" not in page.partition("## Settings")[0]
    assert said in results.explore(tmp_path / "e.html").read_text(encoding="utf-8")
    assert not re.search(r"\bNaN\b", results._repr_html_())
