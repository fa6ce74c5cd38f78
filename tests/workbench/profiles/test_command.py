"""`workbench profile` and bad learners: one sentence each, and the rest goes on."""

import re
import sys

import pytest
from typer.testing import CliRunner

from workbench import load
from workbench.base import catalogue
from workbench.cli.app import app
from workbench.profiles.entrants import name_of

LEARNERS = '''
import time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Frequencies(ClassifierMixin, BaseEstimator):
    """Forecasts the class frequencies."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        return np.tile(self.shares_, (len(X), 1))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Disguise(Frequencies):
    """Is naive Bayes, and does not say so."""

    def fit(self, X, y):
        from learners import NaiveBayesClassifier

        self.inner_ = NaiveBayesClassifier().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)


class Picky(Frequencies):
    """Fails where there are many columns."""

    def fit(self, X, y):
        if X.shape[1] > 90:
            raise ValueError("too many columns for me")
        return super().fit(X, y)


class Never(Frequencies):
    def fit(self, X, y):
        raise ValueError("I never learn")
        return super().fit(X, y)


class Slow(Frequencies):
    def fit(self, X, y):
        time.sleep(60)
        return super().fit(X, y)


class Sure(ClassifierMixin, BaseEstimator):
    """Has no probabilities."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)
'''
SMALL = ["--truths", "2", "--largest", "50", "--no-invariances"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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
        (["nb", "--full", "--truths", "4"], "--full takes all of the suite"),
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


@pytest.mark.slow
def test_a_profile_is_a_page_a_store_and_a_paragraph(folder) -> None:
    done = typed("nb", *SMALL, "--jobs", "2")
    assert done.exit_code == 0, done.output
    assert "Measured on 2 of the 16 truths" in " ".join(done.stdout.split())
    assert folder.joinpath("nb.html").stat().st_size > 50_000
    assert typed("nb", *SMALL).exit_code == 0
    assert load("nb.db").cells()["attempts"].max() == 1  # nothing was computed again


@pytest.mark.slow
def test_a_learner_that_is_another_in_disguise_is_recognized(folder) -> None:
    done = typed("made_for_profiles:Disguise", "--input", "categories", *SMALL)
    words = " ".join(done.stdout.split())
    assert re.search(r"Its losses are those of nb on [89]\d% of the map", words), words + done.stderr
    assert folder.joinpath("disguise.html").exists()


@pytest.mark.slow
def test_a_learner_that_always_fails_is_one_sentence(folder) -> None:
    done = typed("made_for_profiles:Never", *SMALL)
    assert done.exit_code == 2
    assert re.search(
        r"learner 'never' cannot be profiled: it failed in .* fits: ValueError: I never learn", done.stderr
    )


@pytest.mark.slow
def test_what_failed_is_tried_again(folder) -> None:
    typed("made_for_profiles:Never", *SMALL, "--store", "x.db")
    source = folder / "made_for_profiles.py"
    source.write_text(
        source.read_text().replace('raise ValueError("I never learn")', "pass"), encoding="utf-8"
    )
    sys.modules.pop("made_for_profiles", None)
    catalogue.find.cache_clear()
    assert typed("made_for_profiles:Never", *SMALL, "--store", "x.db").exit_code == 0


@pytest.mark.slow
def test_a_learner_that_fails_on_some_places_is_profiled_on_the_rest(folder) -> None:
    words = " ".join(typed("made_for_profiles:Picky", *SMALL).stdout.split())
    assert "failed, such as on" in words
    assert "too many columns for me" in words
    assert "class frequencies" in words


@pytest.mark.slow
def test_a_learner_without_probabilities_counts_as_certain(folder) -> None:
    words = " ".join(typed("made_for_profiles:Sure", *SMALL).stdout.split())
    assert "It has no predict_proba, so the class that it predicts counts as certain" in words


@pytest.mark.slow
def test_a_learner_that_is_too_slow_is_one_sentence(folder, monkeypatch) -> None:
    monkeypatch.setattr("workbench.profiles.planning.LEAST_LIMIT", 2.0)
    monkeypatch.setattr(
        "workbench.profiles.planning.TIMED", {"narrow": ("tan-narrow-medium",), "wide": ("tan-wide-medium",)}
    )
    done = typed("made_for_profiles:Slow", "--minutes", "0.1")
    assert done.exit_code == 2
    assert (
        "slow cannot be profiled in 0.1 min: 2 truths of each place with 50 rows take much longer"
        in done.stderr
    )


@pytest.mark.parametrize(
    ("word", "name"),
    [("nb", "nb"), ("p.q:MyLearner", "my_learner"), ("p:KNNClassifier", "knn_classifier"), ("p:X", "x")],
)
def test_names_of_files_are_words_of_the_class(word, name) -> None:
    assert name_of(word) == name
