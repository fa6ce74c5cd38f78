"""Recalibrated learners in studies and comparisons, and what recalibration gains."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC

from generators import random_naive_bayes, random_tan
from generators.base.draw import as_generator
from learners import NaiveBayesClassifier, PriorClassifier, TANClassifier
from tests.documents import numbers_of
from workbench import compare, read_study, run, write_study
from workbench.analyses import RecalibrationGain
from workbench.base.errors import WorkbenchError
from workbench.comparisons import corrected_t
from workbench.designs import FiveByTwo, RandomSplits
from workbench.estimators.recalibrated import METHODS, RecalibratedClassifier, recalibrated
from workbench.study.learner_spec import LearnerSpec

STUDY = """
name = "recalibration"
seed = 1
learners = [
    "nb",
    {key = "nb_isotonic", learner = "recalibrated", of = "nb", method = "isotonic"},
    {key = "seeded", learner = "recalibrated", of = "nb", method = "sigmoid", folds = 3, random_state = 7},
    {key = "soft", learner = "recalibrated", of = {learner = "nb", alpha = 0.5}, method = "temperature"},
    {key = "cart_isotonic", learner = "recalibrated", of = {learner = "cart", max_depth = 2}},
]
[[sources]]
generator = "tan"
n_attributes = 3
[design]
replicates = 3
sizes = [60]
n_test = 50
[scores]
metrics = ["ir_b", "log_loss"]
cutoffs = ["none", "2002"]
"""
TRUTHS = [random_tan(n_attributes=3, random_state=seed) for seed in range(4)]


@pytest.fixture(scope="module")
def rows():
    truth = random_naive_bayes(n_attributes=4, n_classes=3, random_state=5)
    return truth.sample(400, random_state=6), truth.sample(50, random_state=7)[0]


class TestStudyFile:
    def test_it_is_read_and_written_as_an_equal_study(self):
        study = read_study(STUDY)
        again = read_study(write_study(study))
        assert again == study
        assert numbers_of(again) == numbers_of(study)

    @pytest.mark.slow
    def test_all_cells_are_computed_and_the_same_again(self):
        study = read_study(STUDY)
        first, second = (run(study, None).frame() for _ in range(2))
        pd.testing.assert_frame_equal(first, second)
        assert first.groupby("learner", observed=True).size().nunique() == 1

    def test_the_identity_is_that_of_the_learner_inside_and_of_every_option(self):
        base = recalibrated("nb")
        others = [
            recalibrated("tan"),
            recalibrated(NaiveBayesClassifier(alpha=0.5)),
            recalibrated("nb", method="sigmoid"),
            recalibrated("nb", folds=3),
        ]
        identities = [str(LearnerSpec("x", estimator=one).identity) for one in (base, *others)]
        assert len(set(identities)) == 5
        assert str(LearnerSpec("x", estimator=recalibrated({"learner": "nb"})).identity) == identities[0]

    def test_an_estimator_made_in_python_is_written_so_that_the_file_names_the_same_learner(self):
        learners = (
            LearnerSpec("a", estimator=recalibrated(NaiveBayesClassifier(alpha=0.5), method="sigmoid")),
            LearnerSpec("b", estimator=recalibrated(recalibrated(TANClassifier()))),
        )
        study = replace(read_study(STUDY), learners=learners)
        assert numbers_of(read_study(write_study(study))) == numbers_of(study)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ('of = "nbb"', "'nbb'.*'nb'"),
            ('of = "nb", metod = "sigmoid"', "'metod' .*'method'"),
            ('of = "nb", folds = 1', "folds is 1"),
            ('of = {learner = "nb", alfa = 2}', "did you mean 'alpha'"),
        ],
    )
    def test_what_cannot_be_used_is_said_in_one_sentence(self, options, message):
        learner = f'learners = [{{key = "x", learner = "recalibrated", {options}}}]'
        with pytest.raises(WorkbenchError, match=message) as caught:
            read_study(f'name = "n"\nseed = 1\n{learner}\n[[sources]]\ngenerator = "tan"')
        assert "\n" not in str(caught.value)


class TestForecasts:
    @pytest.mark.parametrize("method", METHODS)
    def test_they_are_scikit_learns(self, rows, method):
        (X, y), asked = rows
        ours = recalibrated("nb", method=method, random_state=3).fit(X, y)
        folds = StratifiedKFold(5, shuffle=True, random_state=int(as_generator(3).random() * 2**32))
        theirs = CalibratedClassifierCV(NaiveBayesClassifier(), method=method, cv=folds)
        theirs.fit(X, y.cat.codes.to_numpy())
        np.testing.assert_array_equal(ours.predict_proba(asked), theirs.predict_proba(asked))
        assert ours.recalibrated_classes_.tolist() == ours.classes_.tolist()
        assert ours.plain_ is None

    def test_a_rare_class_keeps_the_learners_own_probability(self, rows):
        (X, y), asked = rows
        rare = y.cat.categories[1]
        keep = np.flatnonzero(y != rare).tolist() + np.flatnonzero(y == rare)[:3].tolist()
        X, y = X.iloc[keep], y.iloc[keep]
        found = recalibrated("nb", random_state=1).fit(X, y)
        own = NaiveBayesClassifier().fit(X, y).predict_proba(asked)
        y_prob = found.predict_proba(asked)
        place = found.classes_.tolist().index(rare)
        np.testing.assert_array_equal(y_prob[:, place], own[:, place])
        np.testing.assert_allclose(y_prob.sum(axis=1), 1.0, atol=1e-12)
        assert rare not in found.recalibrated_classes_
        assert (np.delete(y_prob, place, axis=1) != np.delete(own, place, axis=1)).any()

    def test_a_declared_class_without_rows_keeps_its_column(self, rows):
        (X, y), asked = rows
        y = y.cat.add_categories([9])
        found = recalibrated("nb", random_state=1).fit(X, y)
        own = NaiveBayesClassifier().fit(X, y).predict_proba(asked)
        place = found.classes_.tolist().index(9)
        assert found.classes_.tolist() == sorted(y.cat.categories)
        np.testing.assert_array_equal(found.predict_proba(asked)[:, place], own[:, place])
        assert (own[:, place] > 0).all()

    def test_with_one_frequent_class_the_forecast_is_the_learners_own(self, rows):
        (X, y), asked = rows
        is_first = (y == y.cat.categories[0]).to_numpy()
        keep = [*np.flatnonzero(is_first), *np.flatnonzero(~is_first)[:1]]
        X, y = X.iloc[keep], y.iloc[keep]
        found = recalibrated("nb").fit(X, y)
        own = NaiveBayesClassifier().fit(X, y).predict_proba(asked)
        np.testing.assert_array_equal(found.predict_proba(asked), own)
        assert found.calibrated_ is None
        assert found.recalibrated_classes_.size == 0

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "kind",
        [
            "text",
            "codes",
        ],
    )
    def test_tables_with_holes_are_taken(self, rows, kind):
        (X, y), _ = rows
        rng = np.random.default_rng(1)
        holes = rng.random(X.shape) < 0.1
        if kind == "codes":
            table = np.where(holes, -1, X.apply(lambda column: column.cat.codes).to_numpy())
        else:
            table = X.astype("object") if kind == "text" else X
            table = table.mask(holes)
            if kind == "numbers":
                table = pd.DataFrame(rng.normal(size=X.shape), columns=X.columns).mask(holes)
        y_prob = recalibrated("nb", method="sigmoid").fit(table, y).predict_proba(table)
        assert np.isfinite(y_prob).all()
        np.testing.assert_allclose(y_prob.sum(axis=1), 1.0, atol=1e-12)

    @pytest.mark.slow
    def test_a_foreign_learner_shows_its_decision_function(self, rows):
        (X, y), asked = rows
        y_prob = recalibrated(LinearSVC(), method="sigmoid").fit(X, y).predict_proba(asked)
        assert len(np.unique(y_prob[:, 0].round(9))) > 5  # the labels alone would give two values per fold


def test_compare_takes_them_and_gives_each_cell_its_seed():
    learners = {"nb": NaiveBayesClassifier(), "nb_isotonic": recalibrated(NaiveBayesClassifier())}
    learners["forest"] = recalibrated(RandomForestClassifier(n_estimators=3), folds=2)
    first, second = (compare(learners, on=TRUTHS[:2], sizes=(80,), n_test=50) for _ in range(2))
    pd.testing.assert_frame_equal(first.frame(), second.frame())
    assert (first.cells()["state"] == "done").all()


class TestGain:
    @pytest.mark.slow
    def test_it_is_the_paired_difference_of_every_score(self):
        nb = NaiveBayesClassifier()
        learners = {"prior": PriorClassifier(), "nb": nb, "soft": recalibrated(nb, method="sigmoid")}
        results = compare(learners, on=TRUTHS, sizes=(60, 200), n_test=50, metrics=("ir_b", "log_loss"))
        gain = RecalibrationGain.of(results)
        assert gain.pairs == {"soft": "nb"}
        assert len(gain.table) == 2 * len(results.score_keys)
        own = gain.table.set_index(["metric", "prior", "rows", "cutoff", "n_train"])
        differences = results.differences("ir_b/training/exact", learners=["nb", "soft"])
        row = own.loc["ir_b", "training", "exact", "none", 200]
        row_of_pair = differences[differences["n_train"] == 200].iloc[0]
        assert row["gain"] == pytest.approx(-row_of_pair["difference"])
        assert row["p"] == pytest.approx(row_of_pair["p"])
        assert row["low"] < row["gain"] < row["high"]
        assert row["n"] == 4
        losses = own.loc["log_loss", "none", "exact", "none", 200]
        assert losses["gain"] == pytest.approx(losses["mean"] - losses["mean_recalibrated"])

    def test_infinite_scores_are_counted_and_have_no_interval(self, made_up):
        plain = np.array([[0.1], [0.2], [0.3]])
        learners = {"nb": plain, "iso": np.array([[0.2], [-np.inf], [-np.inf]])}
        both = {"nb": np.array([[0.1], [-np.inf], [0.3]]), "iso": learners["iso"]}
        results = made_up({"tan": learners, "aode": both}, sizes=(50,))
        table = RecalibrationGain.of(results, {"iso": "nb"}).table
        one, two = (
            table[(table["source"] == s) & (table["rows"] == "exact")].iloc[0] for s in ("tan", "aode")
        )
        assert (one["n_infinite"], one["n_infinite_recalibrated"]) == (0, 2)
        assert (one["infinite_rows"], one["infinite_rows_recalibrated"]) == (0, 2)
        assert one["gain"] == -np.inf
        assert two["n_infinite"] == 1
        assert np.isnan([one["low"], one["p"], two["gain"]]).all()
        assert one["p_holm"] == 1.0

    @pytest.mark.slow
    @pytest.mark.parametrize(("design", "share"), [(FiveByTwo(), 1.0), (RandomSplits(repeats=4), 0.5)])
    def test_on_tables_the_test_is_corrected_for_shared_rows(self, design, share):
        X, y = TRUTHS[0].sample(120, random_state=1)
        nb = NaiveBayesClassifier()
        results = compare({"nb": nb, "soft": recalibrated(nb, method="sigmoid")}, on=(X, y), design=design)
        row = RecalibrationGain.of(results).table.query("metric == 'ir_b' and cutoff == 'none'").iloc[0]
        wide = results.scores(results.choose("ir_b")).pivot(
            index=["replicate", "fold"], columns="learner", values="value"
        )
        found = corrected_t((wide["soft"] - wide["nb"]).to_numpy(), test_share=share)
        assert [row["gain"], row["low"], row["high"], row["p"]] == pytest.approx(
            [found.mean, found.low, found.high, found.p]
        )

    def test_a_pair_that_is_not_there_is_refused(self):
        results = compare({"nb": NaiveBayesClassifier()}, on=TRUTHS[:2], sizes=(50,), n_test=50)
        with pytest.raises(WorkbenchError, match="no recalibrated learner"):
            RecalibrationGain.of(results)


def test_cloning_keeps_every_option():
    from sklearn.base import clone

    one = RecalibratedClassifier(NaiveBayesClassifier(alpha=0.5), method="sigmoid", folds=3, random_state=4)
    assert clone(one).get_params(deep=True)["of__alpha"] == 0.5
    assert clone(one).folds == 3
