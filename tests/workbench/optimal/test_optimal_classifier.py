"""The optimum is what the laws say: by hand, by enumeration, row by row; a sentence where there is none."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from generators import (
    AddedAttributesLaw,
    AODELaw,
    DAGLaw,
    GaussianNaiveBayesLaw,
    GaussianTANLaw,
    IntractableLaw,
    KDBLaw,
    NaiveBayesLaw,
    TANLaw,
    altered,
    random_aode,
    random_dag_with_class,
    random_decision_tree,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
    random_kdb,
    random_naive_bayes,
    random_tan,
)
from learners import AveragedTANClassifier, NaiveBayesClassifier
from workbench.base.errors import WorkbenchError
from workbench.optimal.aode_mixture import AODEMixtureOptimum
from workbench.optimal.classifier import OptimalClassifier
from workbench.optimal.gaussian_tan import GaussianTANOptimum
from workbench.optimal.mixture import OptimalMixtureClassifier

SMALL = {"n_attributes": 3, "arity": (2, 3), "n_classes": 2}
TRUTHS = {
    "naive_bayes": random_naive_bayes(**SMALL, random_state=1),
    "tan": random_tan(**SMALL, random_state=1),
    "kdb": random_kdb(**SMALL, random_state=1),
    "dag": random_dag_with_class(**SMALL, random_state=1),
    "aode": random_aode(**SMALL, random_state=1),
}
EXACT = [key for key in TRUTHS if key != "aode"]


def fitted(truth, n=30, law=None, **options):
    X, y = truth.sample(n, random_state=2)
    return OptimalClassifier(law or truth.law, random_state=3, **options).fit(X, y)


class TestEveryLaw:
    @pytest.mark.parametrize("key", TRUTHS)
    def test_joint_forecasts_sum_to_one(self, key):
        truth = TRUTHS[key]
        assert np.exp(fitted(truth).log_joint(truth.enumerate().X)).sum() == pytest.approx(1, abs=1e-12)

    @pytest.mark.parametrize("key", EXACT)
    def test_all_classes_are_alike_before_the_first_row(self, key):
        truth = TRUTHS[key]
        X, y = truth.sample(1, random_state=1)
        none = OptimalClassifier(truth.law).fit(X, y, sample_weight=[1e-10])
        np.testing.assert_allclose(none.predict_proba(truth.enumerate().X), 0.5, atol=1e-8)

    @pytest.mark.parametrize("key", EXACT)
    def test_evidence_is_the_product_of_forecasts_row_by_row(self, key):
        truth = TRUTHS[key]
        X, y = truth.sample(6, random_state=4)
        codes = np.asarray(y.cat.codes)
        first = OptimalClassifier(truth.law).fit(X[:1], y[:1]).log_evidence()[0]
        steps = [
            OptimalClassifier(truth.law).fit(X[:i], y[:i]).log_joint(X[i : i + 1])[0, codes[i]]
            for i in range(1, 6)
        ]
        whole, error = OptimalClassifier(truth.law).fit(X, y).log_evidence()
        assert whole == pytest.approx(first + sum(steps), rel=1e-12)
        assert error == 0

    @pytest.mark.parametrize("key", EXACT)
    def test_a_weight_is_as_many_rows(self, key):
        truth = TRUTHS[key]
        X, y = truth.sample(8, random_state=5)
        weight = np.array([0, 1, 2, 3, 1, 1, 2, 0])
        again = np.repeat(np.arange(8), weight)
        one = OptimalClassifier(truth.law).fit(X, y, sample_weight=weight)
        other = OptimalClassifier(truth.law).fit(X.iloc[again], y.iloc[again])
        cells = truth.enumerate().X
        np.testing.assert_allclose(one.log_joint(cells), other.log_joint(cells), rtol=1e-12)

    @pytest.mark.parametrize("key", TRUTHS)
    def test_missing_values_of_a_row_are_summed_out(self, key):
        truth = TRUTHS[key]
        best, cells = fitted(truth), truth.enumerate().X
        joint = pd.DataFrame(np.exp(best.log_joint(cells)))
        others = [cells[name] for name in ("x1", "x2")]
        summed = joint.groupby(others, observed=False).sum()
        holed = cells.drop_duplicates(["x1", "x2"]).assign(x0=pd.NA)
        holed["x0"] = holed["x0"].astype(cells["x0"].dtype)
        wanted = summed.loc[[*zip(holed["x1"], holed["x2"], strict=True)]].to_numpy()
        np.testing.assert_allclose(np.exp(best.log_joint(holed)), wanted, rtol=1e-12)

    @pytest.mark.parametrize("key", [*EXACT, "aode"])
    def test_the_seed_matters_only_where_chains_are_run(self, key):
        truth = TRUTHS[key]
        X, y = truth.sample(20, random_state=6)
        one, same, other = (
            OptimalClassifier(truth.law, random_state=seed).fit(X, y).predict_proba(X) for seed in (1, 1, 2)
        )
        assert np.array_equal(one, same)
        assert np.array_equal(one, other) is (key != "aode")


class TestNaiveBayes:
    def test_it_is_nb_itself_which_is_a_theorem(self):
        for seed in range(20):
            truth = random_naive_bayes(random_state=seed)
            X, y = truth.sample(20, random_state=seed)
            cells = truth.enumerate().X
            one = OptimalClassifier(truth.law).fit(X, y).predict_proba(cells)
            np.testing.assert_allclose(one, NaiveBayesClassifier().fit(X, y).predict_proba(cells), rtol=1e-12)

    @pytest.mark.parametrize("alpha", [0.3, 3.0])
    def test_its_pseudo_count_is_the_concentration(self, alpha):
        truth = random_naive_bayes(concentration=alpha, random_state=1)
        X, y = truth.sample(20, random_state=1)
        wanted = NaiveBayesClassifier(alpha=alpha).fit(X, y).predict_proba(X)
        np.testing.assert_allclose(
            OptimalClassifier(truth.law).fit(X, y).predict_proba(X), wanted, rtol=1e-12
        )

    def test_by_hand(self):
        X = pd.DataFrame({"a": pd.Categorical(["u", "u", "v"], ["u", "v"])})
        y = pd.Series(pd.Categorical(["k", "k", "l"], ["k", "l"]))
        best = OptimalClassifier(NaiveBayesLaw()).fit(X, y)
        np.testing.assert_allclose(np.exp(best.log_joint(X[:1])), [[3 / 5 * 3 / 4, 2 / 5 * 1 / 3]])
        # 2! 1! / (2 3 4) for the classes; 2! / (2 3) and 1 / 2 for the column
        assert best.log_evidence()[0] == pytest.approx(np.log(2 / 24 * 2 / 6 * 1 / 2))
        known = OptimalClassifier(NaiveBayesLaw(class_marginal=(0.1, 0.9))).fit(X, y)
        np.testing.assert_allclose(np.exp(known.log_joint(X[:1])), [[0.1 * 3 / 4, 0.9 * 1 / 3]])
        assert known.log_evidence()[0] == pytest.approx(np.log(0.1**2 * 0.9 * 2 / 6 * 1 / 2))

    def test_holes_leave_out_their_factor(self):
        truth = altered(random_naive_bayes(n_attributes=4, random_state=1), missing=0.3, random_state=2)
        X, y = truth.sample(60, random_state=3)
        best = OptimalClassifier(truth.law).fit(X, y)
        wanted = NaiveBayesClassifier().fit(X, y).predict_proba(X)
        np.testing.assert_allclose(best.predict_proba(X), wanted, rtol=1e-12)


class TestKnownClasses:
    @pytest.mark.parametrize("make", [random_naive_bayes, random_tan, random_kdb, random_aode])
    def test_a_known_distribution_is_used_and_not_learned(self, make):
        truth = make(**SMALL, class_marginal=(0.9, 0.1), random_state=1)
        X, y = truth.sample(30, random_state=2)
        flipped = y.cat.rename_categories({0: 1, 1: 0}).cat.reorder_categories([0, 1])
        cells = truth.enumerate().X
        for labels in (y, flipped):
            best = OptimalClassifier(truth.law, random_state=1).fit(X, labels)
            np.testing.assert_allclose(np.exp(best.log_joint(cells)).sum(axis=0), [0.9, 0.1], rtol=1e-10)

    @pytest.mark.parametrize("make", [random_naive_bayes, random_tan, random_kdb, random_aode])
    @pytest.mark.parametrize("known", [{"class_marginal": (0.7, 0.2, 0.1)}, {"class_imbalance": 7}])
    def test_it_is_in_the_order_in_which_classes_are_declared(self, make, known):
        truth = make(n_attributes=3, arity=2, n_classes=3, **known, random_state=1)
        X, y = truth.sample(20, random_state=2)
        renamed = y.cat.rename_categories(["often", "at times", "hardly"])
        cells = truth.enumerate().X
        one, other = (OptimalClassifier(truth.law, random_state=1).fit(X, labels) for labels in (y, renamed))
        order = np.searchsorted(other.classes_, ["often", "at times", "hardly"])
        np.testing.assert_allclose(other.predict_proba(cells)[:, order], one.predict_proba(cells), rtol=1e-9)

    @pytest.mark.parametrize("known", [{"class_marginal": (0.7, 0.2, 0.1)}, {"class_imbalance": 7}])
    def test_of_numbers_too_it_is_in_the_order_in_which_classes_are_declared(self, known):
        for make in (random_gaussian_naive_bayes, random_gaussian_tan):
            truth = make(n_attributes=3, n_classes=3, **known, random_state=1)
            X, y = truth.sample(20, random_state=2)
            renamed = y.cat.rename_categories(["often", "at times", "hardly"])
            one, other = (OptimalClassifier(truth.law).fit(X, labels) for labels in (y, renamed))
            order = np.searchsorted(other.classes_, ["often", "at times", "hardly"])
            np.testing.assert_allclose(other.predict_proba(X)[:, order], one.predict_proba(X), rtol=1e-9)


class TestTrees:
    def test_it_is_the_averaged_tree(self):
        truth = random_tan(concentration=0.5, random_state=2)
        X, y = truth.sample(40, random_state=1)
        wanted = AveragedTANClassifier(alpha=0.5).fit(X, y)
        best = OptimalClassifier(truth.law).fit(X, y)
        np.testing.assert_allclose(best.log_joint(X), wanted.log_joint(X), rtol=1e-12)
        assert best.log_evidence()[0] == pytest.approx(wanted.log_evidence_, rel=1e-12)

    def test_of_numbers_it_is_the_average_over_trees_that_the_law_states(self):
        truth = random_gaussian_tan(
            separation=2.0, effect=0.5, degrees=4.0, concentration=2.0, random_state=2
        )
        X, y = truth.sample(40, random_state=1)
        best = OptimalClassifier(truth.law).fit(X, y, sample_weight=np.arange(40) % 3)
        n = len(truth.classes)
        options = {"separation": 2.0, "effect": 0.5, "degrees": 4.0, "class_alpha": 2.0}
        rows = X.to_numpy().T, y.cat.codes.to_numpy(), n
        wanted = GaussianTANOptimum.of(*rows, weight=np.arange(40) % 3, **options)
        np.testing.assert_allclose(best.log_joint(X), wanted.log_joint(rows[0]), rtol=1e-12)
        assert best.log_evidence() == (pytest.approx(wanted.log_evidence, rel=1e-12), 0.0)

    def test_laws_of_numbers_are_weighed_against_each_other(self):
        truth = random_gaussian_tan(n_attributes=4, effect=2.0, random_state=3)
        X, y = truth.sample(200, random_state=1)
        mix = OptimalMixtureClassifier([GaussianNaiveBayesLaw(), GaussianTANLaw(effect=2.0)]).fit(X, y)
        assert mix.posterior_of_laws_.iloc[1] > 0.99


class TestAddedAttributes:
    def test_they_are_known_and_ignored(self):
        truth = random_tan(**SMALL, random_state=1)
        more = altered(truth, redundant=1, irrelevant=2, random_state=1)
        X, y = more.sample(40, random_state=2)
        own = X[list(truth.attribute_names)]
        wanted = OptimalClassifier(truth.law).fit(own, y).predict_proba(own)
        np.testing.assert_array_equal(OptimalClassifier(more.law).fit(X, y).predict_proba(X), wanted)

    def test_a_table_without_them_is_refused(self):
        law = AddedAttributesLaw(TANLaw(), ("z0",))
        X, y = random_tan(**SMALL, random_state=1).sample(10, random_state=2)
        with pytest.raises(WorkbenchError, match="'z0', which the table does not have"):
            OptimalClassifier(law).fit(X, y)


class TestNoOptimum:
    @pytest.mark.parametrize(
        ("law", "why"),
        [
            (None, "has no law: pass the law from which"),
            ("tan", "'tan' is the kind of a law"),
            ({"kind": "tam"}, "did you mean 'tan'"),
            (IntractableLaw("labels are noisy"), "there is no optimum: labels are noisy"),
            (random_decision_tree(random_state=1).law, "no posterior in closed form"),
            (TANLaw(class_marginal=(0.2, 0.3, 0.5)), "the law has 3 classes, but the table has 2"),
            (GaussianNaiveBayesLaw(), "for numeric attributes, but some attributes are nominal"),
            (GaussianTANLaw(), "for numeric attributes, but some attributes are nominal"),
        ],
        ids=str,
    )
    def test_a_sentence_says_why(self, law, why):
        X, y = TRUTHS["tan"].sample(20, random_state=1)
        with pytest.raises(WorkbenchError, match=why):
            OptimalClassifier(law).fit(X, y)

    @pytest.mark.parametrize("law", [TANLaw(), KDBLaw(), DAGLaw(), AODELaw(), NaiveBayesLaw()])
    def test_numbers(self, law):
        X, y = random_gaussian_naive_bayes(n_classes=2, random_state=1).sample(20, random_state=1)
        with pytest.raises(WorkbenchError, match="for nominal attributes, but some attributes are numeric"):
            OptimalClassifier(law).fit(X, y)

    @pytest.mark.parametrize("law", [TANLaw(), KDBLaw(), DAGLaw(), AODELaw()])
    def test_holes_in_training_rows(self, law):
        X, y = TRUTHS["tan"].sample(20, random_state=1)
        X.iloc[3, 1] = None
        with pytest.raises(WorkbenchError, match="values are missing in the training rows"):
            OptimalClassifier(law).fit(X, y)

    def test_holes_in_numbers(self):
        X, y = random_gaussian_tan(n_classes=2, random_state=1).sample(20, random_state=1)
        holed = X.copy()
        holed.iloc[3, 1] = np.nan
        why = "values are missing in the training rows, but the law is a uniform rooted tree of numbers"
        with pytest.raises(WorkbenchError, match=why):
            OptimalClassifier(GaussianTANLaw()).fit(holed, y)
        best = OptimalClassifier(GaussianTANLaw()).fit(X, y)
        with pytest.raises(WorkbenchError, match="a number is missing in a row to be forecast"):
            best.predict_proba(holed)
        OptimalClassifier(GaussianNaiveBayesLaw()).fit(holed, y).predict_proba(holed)

    def test_more_attributes_than_orders_can_be_summed_over(self):
        X, y = random_kdb(n_attributes=15, arity=2, n_classes=2, random_state=1).sample(20, random_state=1)
        for law in (KDBLaw(), DAGLaw()):
            with pytest.raises(WorkbenchError, match="takes at most 13 attributes, but there are 15"):
                OptimalClassifier(law).fit(X, y)
        OptimalClassifier(TANLaw()).fit(X, y).predict_proba(X)

    @pytest.mark.parametrize("law", [TANLaw(), DAGLaw(), KDBLaw()])
    def test_rows_that_miss_too_many_values_to_add_up(self, law):
        X, y = random_tan(n_attributes=8, arity=3, n_classes=2, random_state=1).sample(20, random_state=1)
        best = OptimalClassifier(law).fit(X, y)
        holed = X[:1].astype(object)
        holed.iloc[0, :] = None
        holed = holed.astype(X.dtypes)
        with pytest.raises(WorkbenchError, match=r"can be completed in 6.56e\+03 ways, but at most 4,096"):
            best.predict_proba(holed)

    def test_laws_beyond_what_can_be_integrated_or_held(self):
        X, y = random_gaussian_naive_bayes(n_classes=2, random_state=1).sample(20, random_state=1)
        with pytest.raises(WorkbenchError, match="a spread of at most 10, not 11"):
            OptimalClassifier(GaussianNaiveBayesLaw(spread=11)).fit(X, y)
        numbers = pd.DataFrame(np.zeros((20, 931))).add_prefix("x")
        with pytest.raises(
            WorkbenchError, match="over all trees takes at most 930 attributes, but there are"
        ):
            OptimalClassifier(GaussianTANLaw()).fit(numbers, y)
        wide = pd.DataFrame({f"x{j}": pd.Categorical([0, 1] * 10, [0, 1]) for j in range(931)})
        labels = pd.Series(pd.Categorical([0, 1] * 10, [0, 1]))
        for law, why in (
            (TANLaw(), "at most 930 attributes, but there are 931"),
            (AODELaw(), "no optimum: float64 cannot hold the products for 931 attributes"),
        ):
            with pytest.raises(WorkbenchError, match=why):
                OptimalClassifier(law).fit(wide, labels)
            mix = OptimalMixtureClassifier([law, NaiveBayesLaw()]).fit(wide, labels)
            assert len(mix.left_out_) == 1

    def test_a_special_case_of_a_law_has_another_optimum(self):
        class Chain(TANLaw):
            kind = "chain_of_a_test"

        X, y = TRUTHS["tan"].sample(20, random_state=1)
        with pytest.raises(WorkbenchError, match="no optimum is known for the law 'chain_of_a_test'"):
            OptimalClassifier(Chain()).fit(X, y)

    def test_undeclared_values_are_said(self):
        X, y = np.array([[0, 1], [1, 0]]), np.array([0, 1])
        with pytest.warns(UserWarning, match="the values of column 0 and 2 more are taken from"):
            OptimalClassifier(TANLaw()).fit(X, y)
        with pytest.warns(UserWarning, match="the values of the class are taken from"):
            OptimalMixtureClassifier([TANLaw()], arities=(2, 2)).fit(X, y)


class TestExtremes:
    """One class, constant and duplicate columns, certain tables, many rows: probabilities remain."""

    @pytest.mark.parametrize("law", [NaiveBayesLaw(), TANLaw(), KDBLaw(), DAGLaw(), AODELaw()])
    def test_tables(self, law):
        rng = np.random.default_rng(1)
        n = 400
        y = rng.integers(0, 2, n)
        columns = {"same": y, "twin": y, "constant": np.zeros(n, int), "noise": rng.integers(0, 2, n)}
        X = pd.DataFrame({name: pd.Categorical(values, [0, 1]) for name, values in columns.items()})
        labels = pd.Series(pd.Categorical(y, [0, 1]))
        found = OptimalClassifier(law, random_state=1).fit(X, labels).predict_proba(X)
        assert np.isfinite(found).all()
        assert (found > 0).all()
        assert (found.argmax(axis=1) == y).all()

    @pytest.mark.parametrize("law", [NaiveBayesLaw(), TANLaw(), KDBLaw(), DAGLaw(), AODELaw()])
    def test_one_class(self, law):
        X, _ = TRUTHS["tan"].sample(20, random_state=1)
        y = pd.Series(pd.Categorical(["only"] * 20))
        assert (OptimalClassifier(law, random_state=1).fit(X, y).predict_proba(X) == 1).all()

    def test_many_rows_of_twins(self):
        X, y = random_naive_bayes(n_attributes=3, n_classes=2, random_state=1).sample(5000, random_state=1)
        twins = pd.concat([X, X.add_suffix("_twin")], axis=1)
        found = OptimalClassifier(TANLaw()).fit(twins, y).predict_proba(twins)
        assert np.isfinite(found).all()
        assert (found > 0).all()


class TestLearner:
    def test_it_is_a_classifier_of_scikit_learn(self):
        X, y = TRUTHS["tan"].sample(30, random_state=1)
        best = OptimalClassifier({"kind": "tan"})
        assert clone(best).get_params()["law"] == {"kind": "tan"}
        assert best.fit(X, y).law_ == TANLaw()
        assert set(best.predict(X)) <= set(best.classes_)

    def test_chains_are_shown_where_there_are_some(self):
        assert fitted(TRUTHS["tan"]).sampled_forecast(TRUTHS["tan"].enumerate().X) is None
        truth = TRUTHS["aode"]
        best, cells = fitted(truth), truth.enumerate().X
        sampled = best.sampled_forecast(cells)
        np.testing.assert_allclose(best.predict_proba(cells), sampled.y_prob, rtol=1e-10)
        assert sampled.shifted == ()
        assert np.ptp(sampled.chains, axis=0).max() > 0
        assert 0.9 < best.about_["r_hat"] < 1.2
        assert best.log_evidence()[1] > 0


class TestMix:
    LAWS = (NaiveBayesLaw(), TANLaw(), DAGLaw())

    def test_laws_are_weighed_by_their_evidence(self):
        X, y = TRUTHS["tan"].sample(25, random_state=2)
        members = [OptimalClassifier(law).fit(X, y) for law in self.LAWS]
        logs = np.array([member.log_evidence()[0] for member in members]) + np.log([1, 2, 1])
        shares = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
        mix = OptimalMixtureClassifier(self.LAWS, weights=[1, 2, 1]).fit(X, y)
        np.testing.assert_allclose(mix.posterior_of_laws_, shares, rtol=1e-12)
        joint = sum(s * np.exp(member.log_joint(X)) for s, member in zip(shares, members, strict=True))
        np.testing.assert_allclose(np.exp(mix.log_joint(X)), joint, rtol=1e-12)
        np.testing.assert_allclose(mix.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)

    def test_chains_of_a_member_are_chains_of_the_mix(self):
        truth = TRUTHS["aode"]
        X, y = truth.sample(15, random_state=2)
        cells = truth.enumerate().X
        mix = OptimalMixtureClassifier([AODELaw(), NaiveBayesLaw()], random_state=1).fit(X, y)
        assert mix.posterior_of_laws_.min() > 1e-3
        sampled = mix.sampled_forecast(cells)
        np.testing.assert_allclose(mix.predict_proba(cells), sampled.y_prob, rtol=1e-10)
        assert np.ptp(sampled.chains, axis=0).max() > 0
        alone = OptimalClassifier(AODELaw(), random_state=1).fit(X, y)
        assert mix.about_ == alone.about_
        exact = OptimalMixtureClassifier([TANLaw(), NaiveBayesLaw()]).fit(X, y)
        assert exact.sampled_forecast(cells) is None
        assert exact.about_ == {}

    def test_the_error_of_an_evidence_shifts_the_weights_of_the_laws(self):
        truth = TRUTHS["aode"]
        X, y = truth.sample(15, random_state=2)
        laws = [AODELaw(), NaiveBayesLaw()]
        mix = OptimalMixtureClassifier(laws, random_state=1).fit(X, y)
        members = [OptimalClassifier(law, random_state=1).fit(X, y) for law in laws]
        (value, error), (other, _) = (member.log_evidence() for member in members)
        assert error > 0
        pairs = mix.sampled_forecast(X).shifted
        for shift, got in zip((-error, error), pairs[0], strict=True):
            share = 1 / (1 + np.exp(other - value - shift))
            joints = [np.exp(member.log_joint(X)) for member in members]
            joint = share * joints[0] + (1 - share) * joints[1]
            np.testing.assert_allclose(got, joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
        assert len(pairs) == 1

    def test_one_law_is_its_optimum(self):
        X, y = TRUTHS["dag"].sample(25, random_state=2)
        mix = OptimalMixtureClassifier([{"kind": "dag"}]).fit(X, y)
        wanted = OptimalClassifier(DAGLaw()).fit(X, y)
        np.testing.assert_allclose(mix.log_joint(X), wanted.log_joint(X), rtol=1e-12)

    def test_equal_laws_are_one(self):
        X, y = TRUTHS["tan"].sample(25, random_state=2)
        mix = OptimalMixtureClassifier([TANLaw(), NaiveBayesLaw(), TANLaw()]).fit(X, y)
        wanted = OptimalMixtureClassifier([TANLaw(), NaiveBayesLaw()], weights=[2, 1]).fit(X, y)
        np.testing.assert_allclose(mix.posterior_of_laws_, wanted.posterior_of_laws_, rtol=1e-12)

    def test_laws_that_cannot_make_the_table_are_left_out(self):
        X, y = TRUTHS["tan"].sample(25, random_state=2)
        other = [IntractableLaw("secret"), GaussianNaiveBayesLaw(), TANLaw(class_marginal=(0.2, 0.3, 0.5))]
        mix = OptimalMixtureClassifier([TANLaw(), *other]).fit(X, y)
        assert len(mix.posterior_of_laws_) == 1
        assert len(mix.left_out_) == 3
        with pytest.raises(WorkbenchError, match=r"none of the laws has an optimum for this table: .*secret"):
            OptimalMixtureClassifier(other).fit(X, y)

    def test_a_law_whose_evidence_cannot_be_estimated_is_left_out(self):
        X, y = TRUTHS["aode"].sample(10, random_state=2)
        mix = OptimalMixtureClassifier([AODELaw(0.01), NaiveBayesLaw()], random_state=1).fit(X, y)
        (why,) = mix.left_out_.values()
        assert "annealing needs a concentration of at least 0.05" in why

    def test_a_law_that_may_count_within_the_error_of_its_evidence_is_sampled(self, monkeypatch):
        X, y = TRUTHS["aode"].sample(15, random_state=2)
        laws = [AODELaw(), NaiveBayesLaw()]
        evidence = property(lambda optimum: -1000.0)
        monkeypatch.setattr(AODEMixtureOptimum, "log_evidence", evidence)
        monkeypatch.setattr(AODEMixtureOptimum, "log_evidence_error", property(lambda optimum: 400.0))
        assert OptimalMixtureClassifier(laws, random_state=1).fit(X, y).about_["r_hat"] > 0.9
        monkeypatch.setattr(AODEMixtureOptimum, "log_evidence_error", property(lambda optimum: 1.0))
        assert OptimalMixtureClassifier(laws, random_state=1).fit(X, y).about_ == {}

    def test_rows_with_holes_are_forecast_by_all_laws(self):
        X, y = TRUTHS["aode"].sample(15, random_state=2)
        laws = [NaiveBayesLaw(), TANLaw(), DAGLaw(), AODELaw()]
        mix = OptimalMixtureClassifier(laws, random_state=1).fit(X, y)
        holed = X[:1].astype(object)
        holed.iloc[0, 1] = None
        both = pd.concat([X[:1].assign(x1=value) for value in X["x1"].cat.categories]).astype(X.dtypes)
        joint = np.exp(mix.log_joint(both)).sum(axis=0)
        np.testing.assert_allclose(np.exp(mix.log_joint(holed.astype(X.dtypes)))[0], joint, rtol=1e-9)

    def test_ignored_attributes_do_not_tell_the_law(self):
        truth = altered(random_tan(**SMALL, random_state=1), irrelevant=1, random_state=1)
        X, y = truth.sample(25, random_state=2)
        laws = [NaiveBayesLaw(), TANLaw()]
        mix = OptimalMixtureClassifier(laws, ignored=truth.law.added).fit(X, y)
        own = OptimalMixtureClassifier(laws).fit(X[["x0", "x1", "x2"]], y)
        np.testing.assert_allclose(mix.posterior_of_laws_, own.posterior_of_laws_, rtol=1e-12)
        np.testing.assert_allclose(mix.predict_proba(X), own.predict_proba(X[["x0", "x1", "x2"]]), rtol=1e-12)
        with pytest.raises(WorkbenchError, match="ignored names the column 'z9'"):
            OptimalMixtureClassifier(laws, ignored=["z9"]).fit(X, y)
        with pytest.raises(WorkbenchError, match="give a list of column names"):
            OptimalMixtureClassifier(laws, ignored="z9").fit(X, y)
        with pytest.raises(WorkbenchError, match="name the irrelevant columns in `ignored`"):
            OptimalMixtureClassifier([NaiveBayesLaw(), truth.law]).fit(X, y)

    @pytest.mark.parametrize(
        ("laws", "weights", "why"),
        [
            (None, None, "give the laws that the truth may have been drawn from"),
            ([], None, "give the laws"),
            (TANLaw(), None, "give the laws"),
            ([TANLaw()], [1, 2], "one number of at least 0 for each of the 1 laws"),
            ([TANLaw()], [0], "one number"),
            ([TANLaw()], [-1], "one number"),
            ([{"kind": "tree"}], None, "'tree' is not a law"),
        ],
    )
    def test_bad_laws(self, laws, weights, why):
        X, y = TRUTHS["tan"].sample(25, random_state=2)
        with pytest.raises(WorkbenchError, match=why):
            OptimalMixtureClassifier(laws, weights).fit(X, y)
