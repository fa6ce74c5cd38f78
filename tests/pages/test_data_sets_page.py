"""What the guide of data sets names is what there is."""

import re
from pathlib import Path

import pytest
from sklearn.model_selection import RepeatedStratifiedKFold

from workbench import read_study
from workbench.base.catalogue import ELSEWHERE
from workbench.datasets import REGISTRY
from workbench.designs import ScikitSplits
from workbench.designs.scikit_splits import SPLITTERS

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "guides"
PAGE = (GUIDES / "data_sets.md").read_text(encoding="utf-8")
STUDIES = (GUIDES / "studies.md").read_text(encoding="utf-8")


def test_the_number_of_named_data_sets_is_that_of_the_registry() -> None:
    assert f"knows {len(REGISTRY)} data sets" in PAGE


def test_all_splitters_are_named() -> None:
    (row,) = re.findall(r"^\| `cv=` a (.*?) \|", PAGE, flags=re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(SPLITTERS)


@pytest.mark.parametrize("weka", ["ZeroR", "OneR", "DecisionStump", "NaiveBayes"])
def test_the_names_of_weka_stand_for_our_keys(weka) -> None:
    _, _, table = PAGE.partition("## Coming from Weka\n")
    rows = re.findall(r"^\| (.*?) \| (.*?) \|$", table, flags=re.MULTILINE)
    (ours,) = (here for names, here in rows if weka in names.split(", "))
    assert ELSEWHERE[weka.casefold()] in re.findall(r"`(\w+)`", ours)


def test_a_study_says_what_cv_says() -> None:
    (text,) = re.findall(r"```toml\n(# folds\.toml\n.*?)```", STUDIES, flags=re.DOTALL)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    assert "cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)" in STUDIES
    assert read_study(text).design == ScikitSplits.of(cv)
