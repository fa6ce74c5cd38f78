"""`workbench profile` and bad learners: one sentence each, and the rest goes on."""

import re
import sys

import pytest
from typer.testing import CliRunner

from workbench import load
from workbench.base import catalogue
from workbench.cli.app import app
from workbench.estimators import known_code
from workbench.profiles.entrants import name_of

pytestmark = pytest.mark.slow

LEARNERS = '''
import threading
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Sure(ClassifierMixin, BaseEstimator):
    """Has no probabilities."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)


class Picky(Sure):
    """Fails where there are many columns."""

    def fit(self, X, y):
        if X.shape[1] > 40:
            raise ValueError("too many columns for me")
        return super().fit(X, y)


class Never(Sure):
    def fit(self, X, y):
        raise ValueError("I never learn")
        return super().fit(X, y)


class Endless(Sure):
    def fit(self, X, y):
        threading.Event().wait()
'''
SMALL = ["--truths", "2", "--largest", "50", "--no-invariances"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(known_code, "KNOWN", known_code.KNOWN | {"made_for_profiles"})  # needs no process
    monkeypatch.syspath_prepend(tmp_path)
    tmp_path.joinpath("made_for_profiles.py").write_text(LEARNERS, encoding="utf-8")
    yield tmp_path
    sys.modules.pop("made_for_profiles", None)


def typed(*words):
    return CliRunner().invoke(app, ["profile", *words])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nbb"], "unknown learner 'nbb'; did you mean 'nb'?"),
        (["truth"], "learner 'truth' is a yardstick"),
        (["nb", "--learners", "tann"], "unknown reference learner 'tann'; did you mean 'tan'?"),
        (["nb", "--truths", "1"], "truths is 1: expected an integer from 2 to 16"),
        (["nb", "--largest", "7"], "largest is 7: expected an integer from 50 to 20,000"),
        (["nb", "--minutes", "0"], "minutes is 0.0: expected a number above 0"),
        (["nb", "--full", "--truths", "4"], "--full uses the whole suite"),
        (["prior"], "learner 'prior' is a yardstick"),
        (["nb", "--to", "page.doc"], "page.doc"),
        (["nb", "--set", "alfa=1"], "alfa"),
    ],
)
def test_bad_input_is_one_sentence(words, sentence, folder) -> None:
    done = typed(*words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_profile_is_a_page_a_store_and_a_paragraph(folder, few_places) -> None:
    done = typed("nb", *SMALL)
    assert done.exit_code == 0, done.output
    assert "Measured on 2 of the 16 truths" in " ".join(done.stdout.split())
    assert folder.joinpath("nb.html").stat().st_size > 50_000
    before = load("nb.db").cells()
    assert len(before) == 2 * (12 * 2 + 5)  # places have training sets of 20 and 50 rows, probes of 50
    assert typed("nb", *SMALL, "--to", "nb.md").exit_code == 0
    assert load("nb.db").cells().equals(before)  # nothing was computed again


@pytest.mark.slow
def test_what_failed_is_tried_again(folder, few_places) -> None:
    done = typed("made_for_profiles:Never", *SMALL, "--store", "x.db")
    assert done.exit_code == 2
    assert re.search(r"'never' cannot be profiled: .* ValueError: I never learn", done.stderr)
    source = folder / "made_for_profiles.py"
    mended = source.read_text().replace('raise ValueError("I never learn")', "pass")
    source.write_text(mended, encoding="utf-8")
    sys.modules.pop("made_for_profiles", None)
    catalogue.find.cache_clear()
    done = typed("made_for_profiles:Never", *SMALL, "--store", "x.db")
    assert done.exit_code == 0, done.output
    assert "It has no predict_proba" in " ".join(done.stdout.split())


@pytest.mark.slow
def test_a_learner_that_fails_on_some_places_is_profiled_on_the_rest(folder, few_places) -> None:
    words = " ".join(typed("made_for_profiles:Picky", *SMALL).stdout.split())
    assert "failed, such as on" in words
    assert "too many columns for me" in words


@pytest.mark.process
def test_a_learner_that_is_too_slow_is_one_sentence(folder, monkeypatch) -> None:
    monkeypatch.setattr("workbench.profiles.planning.LEAST_LIMIT", 0.1)
    monkeypatch.setattr(
        "workbench.profiles.planning.TIMED", {"narrow": ("tan-narrow-medium",), "wide": ("tan-wide-medium",)}
    )
    done = typed("made_for_profiles:Endless", "--minutes", "0.01")
    assert done.exit_code == 2
    assert "endless cannot be profiled in 0.01 min" in done.stderr


@pytest.mark.parametrize(
    ("word", "name"),
    [("nb", "nb"), ("p.q:MyLearner", "my_learner"), ("p:KNNClassifier", "knn_classifier"), ("p:X", "x")],
)
def test_names_of_files_are_words_of_the_class(word, name) -> None:
    assert name_of(word) == name
