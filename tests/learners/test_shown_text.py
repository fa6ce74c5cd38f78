"""What models show of names and numbers: one line each, every value seen, the same digits everywhere."""

import re

import matplotlib
import numpy as np
import pandas as pd
import pytest

import learners
from learners.shown_text import ShownText, label_text
from learners.trees.display.picture_text import end_label, short_number

matplotlib.use("Agg")

TREES = [
    learners.C45Classifier,
    learners.J48Classifier,
    learners.C50Classifier,
    learners.MMLTreeClassifier,
    learners.MMLGraphClassifier,
]
RULES = [
    learners.C45RulesClassifier,
    learners.FOILClassifier,
    learners.InductRDRClassifier,
    learners.InductDNFClassifier,
    learners.OneRClassifier,
    learners.DecisionStumpClassifier,
]
EACH = pytest.mark.parametrize("Learner", [*TREES, *RULES], ids=lambda Learner: Learner.__name__)


@pytest.fixture
def plain() -> tuple[pd.DataFrame, list[str]]:
    X = pd.DataFrame({"NAME": ["VALUE", "other"] * 20, "number": np.arange(40.0)})
    return X, ["CLASS", "rest"] * 20


@EACH
def test_line_breaks_and_tabs_stay_on_their_line(Learner, plain) -> None:
    X, y = plain
    want = Learner().fit(X, y).export_text()
    odd = {"NAME": "a\tname", "VALUE": "a\nvalue", "CLASS": "a\r\nclass"}
    X = X.rename(columns=odd).replace(odd)
    got = Learner().fit(X, [odd.get(label, label) for label in y]).export_text()
    assert got == want.replace("NAME", "a\\tname").replace("VALUE", "a\\nvalue").replace(
        "CLASS", "a\\r\\nclass"
    )
    assert "\\nvalue" in got or "\\r\\nclass" in got


@EACH
def test_blank_values_and_classes_are_seen(Learner, plain) -> None:
    X, y = plain
    blank = ""
    want = Learner().fit(X, y).export_text()
    got = Learner().fit(X.replace("VALUE", blank), [blank if c == "CLASS" else c for c in y]).export_text()
    assert sorted(got.splitlines()) == sorted(
        want.replace("VALUE", repr(blank)).replace("CLASS", repr(blank)).splitlines()
    )


def test_an_empty_value_is_seen_in_the_table_of_rules() -> None:
    X = pd.DataFrame({"col": ["", "b"] * 10, "int": np.arange(20.0)})
    rules = learners.FOILClassifier().fit(X, ["p", "q"] * 10).rules_table()["rule"]
    assert "col = ''" in rules.tolist()


@EACH
def test_thresholds_have_ten_digits_at_most(Learner) -> None:
    x = np.random.default_rng(0).random(60)
    learner = Learner().fit(pd.DataFrame({"x": x}), np.where(x > np.sort(x)[29], "p", "q"))
    numbers = re.findall(r"[<>]=? ([\d.e-]+)", learner.export_text(), re.MULTILINE)
    assert numbers
    assert all(text == f"{float(text):.10g}" for text in numbers)
    assert any(np.abs(x - float(text)).min() < 0.1 for text in numbers)


def test_ordinary_text_is_left_alone() -> None:
    for text in ("sunny", "a b", "Zürich", "C:\\data", "it's", "<50"):
        assert label_text(text) == text
    assert label_text("\u2028") == "\\u2028"


def test_notebooks_show_text_as_it_is() -> None:
    assert ShownText("a < b\n  yes")._repr_html_() == "<pre>a &lt; b\n  yes</pre>"


@pytest.mark.parametrize("Learner", TREES, ids=lambda Learner: Learner.__name__)
def test_pictures_have_one_style(Learner) -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a\nb": rng.normal(0, 1000, 400), "c": rng.normal(0, 1e-3, 400)})
    y = (X["a\nb"] > 200) & (X["c"] > 0.0001)
    y = np.where(rng.random(400) < 0.1, ~y, y)
    ax = Learner().fit(X, np.where(y, "yes\t!", "no")).plot()
    texts = [text.get_text() for text in ax.texts]
    matplotlib.pyplot.close(ax.figure)
    assert "a\\nb" in texts
    assert not any(sign in text for text in texts for sign in ("<=", "(", "\n", "\t"))
    leaves = [text for text in texts if text.startswith(("yes\\t!  ", "no  "))]
    assert any(re.fullmatch(r"(yes\\t!|no)  [\d.]+, [\d.]+ wrong", text) for text in leaves)
    cuts = [text for text in texts if text[0] in "≤>"]
    assert cuts
    for text in cuts:
        digits = text.split()[1].lstrip("-").split("e")[0].replace(".", "").lstrip("0")
        assert len(digits) <= 5


@pytest.mark.parametrize("Learner", TREES, ids=lambda Learner: Learner.__name__)
def test_a_root_with_too_many_branches_says_how_many_are_left_out(Learner) -> None:
    values = [f"v{k}" for k in range(300)]
    X, y = pd.DataFrame({"v": values * 8}), [k % 2 for k in range(300)] * 8
    ax = Learner().fit(X, y).plot()
    texts = [text.get_text() for text in ax.texts]
    matplotlib.pyplot.close(ax.figure)
    assert len(texts) == 1
    assert texts[0].endswith(" … 300 branches not drawn")


def test_lines_do_not_cross_the_text_of_branches() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (3000, 6))
    y = (
        ((X[:, 0] == 1) & (X[:, 1] == 2))
        | ((X[:, 2] == 0) & (X[:, 3] == 1))
        | ((X[:, 4] == 1) & (X[:, 5] == 1))
    )
    ax = learners.MMLGraphClassifier().fit(X, y).plot()
    labels = [text for text in ax.texts if re.fullmatch(r"[012](, [012])*", text.get_text())]
    assert len(labels) >= 10
    for text in labels:
        assert text.get_bbox_patch().get_facecolor() == ax.figure.get_facecolor()
        assert text.get_zorder() > max(line.get_zorder() for line in ax.lines)
    matplotlib.pyplot.close(ax.figure)


def test_pictures_shorten_numbers_but_not_whole_ones() -> None:
    assert [short_number(x) for x in (2.449999, 1e-7 / 3, 654321.0, 3e12)] == [
        "2.45",
        "3.3333e-08",
        "654321",
        "3e+12",
    ]
    assert end_label("c", 0.04, 0.004) == "c  0.04"
