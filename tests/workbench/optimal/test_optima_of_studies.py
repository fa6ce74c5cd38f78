"""The optimum in studies: its cells and their identity, what a run says, and the error of a score."""

import numpy as np
import pytest

import workbench
from generators import (
    AODELaw,
    DAGLaw,
    Network,
    TANLaw,
    random_aode,
    random_dag_with_class,
    random_decision_tree,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
    random_naive_bayes,
    random_tan,
)
from workbench import compare
from workbench.analyses import Regret
from workbench.base.errors import WorkbenchError
from workbench.estimators.recalibrated import recalibrated

SMALL = {"n_attributes": 3, "arity": 2, "n_classes": 2}
QUICK = {"sizes": 20, "n_test": 10, "metrics": ("ir_b", "log_loss")}
HEAD = 'name = "s"\nseed = 1\n[design]\nkind = "fresh_samples"\nreplicates = 2\nsizes = [20]\nn_test = 10\n'


def study(sources, learners, tmp_path):
    text = HEAD + "".join(f"[[sources]]\n{source}\n" for source in sources)
    path = tmp_path / "study.toml"
    path.write_text(text + "".join(f"[[learners]]\n{learner}\n" for learner in learners))
    return path


def test_optima_are_yardsticks_that_have_scores_and_no_tests():
    truths = [random_naive_bayes(**SMALL, random_state=seed) for seed in range(3)]
    results = compare(["nb", "tan", "optimal", "optimal_mixture", "truth", "prior"], on=truths, **QUICK)
    assert results.study.compared_learners() == ["nb", "tan"]
    means = results.table("log_loss").xs("mean", axis=1, level=1).droplevel("source")[20]
    assert means["truth"] < means["optimal"]
    assert means["optimal"] == pytest.approx(means["nb"], rel=1e-12)
    assert means["optimal_mixture"] == pytest.approx(means["optimal"], rel=1e-12)
    assert (results.frame()["mc_error"] == 0).all()


def test_a_wrong_law_is_a_learner_like_any_other():
    truths = [random_tan(**SMALL, random_state=seed) for seed in range(2)]
    wrong = workbench.study.learner_spec.LearnerSpec
    spec = wrong("narrow", learner="optimal", parameters={"law": {"kind": "tan", "concentration": 3.0}})
    learners = {"nb": "nb", "narrow": spec.build(), "optimal": "optimal"}
    assert compare(learners, on=truths, **QUICK).study.compared_learners() == ["nb", "narrow"]


def test_there_are_no_cells_where_there_is_no_optimum():
    on = {
        "tan": [random_tan(**SMALL, random_state=seed) for seed in range(2)],
        "tree": [random_decision_tree(**SMALL, n_leaves=3, random_state=seed) for seed in range(2)],
    }
    results = compare(["nb", "optimal", "optimal_mixture", "truth"], on=on, **QUICK)
    places = results.cells().groupby("source", observed=True)["learner"].agg(lambda own: sorted(set(own)))
    assert places["tan"] == ["nb", "optimal", "optimal_mixture", "truth"]
    assert places["tree"] == ["nb", "truth"]
    assert results.optima().to_dict() == {
        "tan": "a uniform rooted tree, Dirichlet(1) rows",
        "tree": "none, as concepts of conditions have no posterior in closed form",
    }
    assert (results.cells()["state"] == "done").all()


def test_given_truths_of_one_source_may_have_none():
    truth = random_tan(**SMALL, random_state=1)
    bare = Network(truth.names, truth.states, truth.parent_indices, truth.cpts, truth.class_index)
    other = random_tan(**SMALL, random_state=2)
    cells = compare(["nb", "optimal"], on=[other, bare], **QUICK).cells()
    assert cells[cells["learner"] == "optimal"]["replicate"].tolist() == [0]


@pytest.mark.parametrize("key", ["optimal", "optimal_mixture"])
def test_a_study_without_any_optimum_is_refused(key):
    with pytest.raises(WorkbenchError, match=rf"there is no optimum for {key} on any source .*closed form"):
        compare(["nb", key], on=random_decision_tree(random_state=1), **QUICK)
    truth = random_tan(**SMALL, random_state=1).with_class("x0")
    with pytest.raises(WorkbenchError, match="law of its truths is unknown"):
        compare(["nb", key], on=truth, **QUICK)


@pytest.mark.parametrize("key", ["optimal", "optimal_mixture"])
def test_data_sets_have_no_law(key):
    X, y = random_tan(**SMALL, random_state=1).sample(100, random_state=1)
    with pytest.raises(WorkbenchError, match="forecasts with its law"):
        compare(["nb", key], on=(X, y))


@pytest.mark.filterwarnings("ignore::workbench.datasets.TableWarning")
def test_a_law_that_is_given_can_be_used_on_data_sets():
    X, y = random_tan(**SMALL, random_state=1).sample(100, random_state=1)
    from workbench.optimal.classifier import OptimalClassifier

    results = compare({"nb": "nb", "trees": OptimalClassifier(TANLaw())}, on=(X, y), metrics="log_loss")
    assert results.study.compared_learners() == ["nb", "trees"]


@pytest.mark.parametrize("make", [random_gaussian_naive_bayes, random_gaussian_tan])
def test_numbers_have_an_optimum_too(make):
    truths = [make(n_attributes=2, n_classes=2, random_state=s) for s in range(8)]
    results = compare(["nb", "optimal", "truth"], on=truths, sizes=20, n_test=1000, metrics="log_loss")
    means = results.table().xs("mean", axis=1, level=1).droplevel("source")[20]
    assert means["truth"] < means["optimal"] < means["nb"]


def test_sampled_optima_have_an_error():
    truths = [random_aode(**SMALL, random_state=seed) for seed in range(2)]
    frame = compare(["nb", "optimal"], on=truths, **QUICK).frame()
    of_optimum = frame[(frame["learner"] == "optimal") & (frame["metric"] != "accuracy")]
    assert ((of_optimum["mc_error"] > 0) & (of_optimum["mc_error"] < 0.05)).all()
    assert (frame[frame["learner"] == "nb"]["mc_error"] == 0).all()


@pytest.mark.slow
def test_the_laws_of_a_generator_of_somebody_elses_are_those_of_all_its_truths(tmp_path, monkeypatch):
    (tmp_path / "their_truths.py").write_text(
        "import numpy as np\nfrom generators import random_decision_tree, random_naive_bayes, random_tan\n"
        "def theirs(random_state=None):\n"
        "    rng = np.random.default_rng(random_state)\n"
        "    make = (random_tan, random_naive_bayes, random_decision_tree)[rng.integers(3)]\n"
        "    return make(n_attributes=3, arity=2, n_classes=2, random_state=rng)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    text = study(
        ['key = "s"\ngenerator = "their_truths:theirs"'],
        ['learner = "nb"', 'learner = "optimal"', 'learner = "optimal_mixture"'],
        tmp_path,
    )
    read = workbench.read_study(text.read_text().replace("replicates = 2", "replicates = 12"))
    kinds = [read.source("s").draw(seed=1, replicate=i).law.kind for i in range(12)]
    assert {*kinds} == {"tan", "naive_bayes", "intractable"}
    results = workbench.run(read, isolate=False)
    cells = results.cells()
    assert (cells["state"] == "done").all()
    of_optima = cells[cells["learner"] != "nb"].groupby("learner", observed=True)["replicate"].agg(list)
    wanted = [i for i, kind in enumerate(kinds) if kind != "intractable"]
    assert of_optima.to_dict() == {"optimal": wanted, "optimal_mixture": wanted}
    handed = results.study.learners["optimal_mixture"]["handed"]
    weights = {law["kind"]: weight for law, weight in zip(handed["laws"], handed["weights"], strict=True)}
    assert weights == {kind: kinds.count(kind) / 12 for kind in ("tan", "naive_bayes")}


def test_optimum_and_mix_share_their_chains():
    truths = [random_aode(**SMALL, random_state=seed) for seed in range(2)]
    scores = compare(["nb", "optimal", "optimal_mixture"], on=truths, **QUICK).scores("log_loss//exact")
    wide = scores.pivot(index="replicate", columns="learner", values="value")
    assert wide["optimal"].to_numpy() == pytest.approx(wide["optimal_mixture"].to_numpy(), rel=1e-12)


def test_chains_are_judged_in_the_table_of_cells(tmp_path):
    store = tmp_path / "s.db"
    compare(["nb", "optimal"], on=random_aode(**SMALL, random_state=1), store=store, **QUICK)
    r_hat = workbench.load(store).cells().set_index("learner")["r_hat"]
    assert np.isnan(r_hat["nb"])
    assert 0.9 < r_hat["optimal"] < 1.2


def test_an_optimum_within_another_learner_is_refused():
    with pytest.raises(WorkbenchError, match="learner 'sure': it contains an optimum"):
        compare(
            {"nb": "nb", "sure": recalibrated("optimal")}, on=random_tan(**SMALL, random_state=1), **QUICK
        )


class TestIdentity:
    def test_the_law_of_a_given_truth_is_part_of_its_cell(self, tmp_path):
        truth = random_tan(**SMALL, random_state=1)
        other = Network(
            truth.names,
            truth.states,
            truth.parent_indices,
            truth.cpts,
            truth.class_index,
            TANLaw(concentration=3),
        )
        store = tmp_path / "s.db"
        first = compare(["nb", "optimal"], on=truth, store=store, **QUICK)
        second = compare(["nb", "optimal"], on=other, store=store, **QUICK)
        cells = [one.cells().set_index("learner")["identity"] for one in (first, second)]
        assert cells[0]["nb"] == cells[1]["nb"]
        assert cells[0]["optimal"] != cells[1]["optimal"]
        assert second.runs["computed"].tolist() == [2, 1]
        values = [one.scores("log_loss//exact").set_index("learner")["value"] for one in (first, second)]
        assert values[0]["nb"] == values[1]["nb"]
        assert values[0]["optimal"] != values[1]["optimal"]

    def test_a_mix_depends_on_the_laws_of_the_study(self, tmp_path):
        bayes, tan = (make(**SMALL, random_state=1) for make in (random_naive_bayes, random_tan))
        alone = compare(["nb", "optimal_mixture"], on={"tan": tan}, **QUICK)
        both = compare(["nb", "optimal_mixture"], on={"tan": tan, "nb": bayes}, **QUICK)
        own = both.cells()[lambda cells: cells["source"] == "tan"]
        for key, same in (("nb", True), ("optimal_mixture", False)):
            identities = [cells.set_index("learner")["identity"][key] for cells in (alone.cells(), own)]
            assert (identities[0] == identities[1]) is same
        handed = both.study.learners["optimal_mixture"]["handed"]
        laws = [{"kind": "tan"}, {"kind": "naive_bayes"}]
        assert handed == {"laws": laws, "weights": [1.0, 1.0], "ignored": None}

    def test_the_same_study_again_computes_nothing(self, tmp_path):
        path = study(
            [
                'key = "a"\ngenerator = "aode"\nn_attributes = 2',
                'key = "t"\ngenerator = "tan"\nn_attributes = 2',
            ],
            ['learner = "nb"', 'learner = "optimal"', 'learner = "optimal_mixture"'],
            tmp_path,
        )
        store = tmp_path / "s.db"
        one = workbench.run(workbench.read_study(path), store).frame()
        again = workbench.run(workbench.read_study(path), store)
        assert again.runs["computed"].tolist() == [12, 0]
        assert one.equals(again.frame())


class TestToml:
    def test_laws_are_tables(self, tmp_path):
        path = study(
            ['key = "t"\ngenerator = "tan"\nn_attributes = 2'],
            [
                'learner = "nb"',
                'key = "narrow"\nlearner = "optimal"\nlaw = { kind = "tan", concentration = 3.0 }',
                'key = "two"\nlearner = "optimal_mixture"\nlaws = [{ kind = "tan" }, { kind = "aode" }]',
            ],
            tmp_path,
        )
        read = workbench.read_study(path)
        assert read.learner("narrow").build().law == {"kind": "tan", "concentration": 3.0}
        results = workbench.run(workbench.read_study(path), tmp_path / "s.db")
        assert (results.cells()["state"] == "done").all()
        assert results.optima().empty

    @pytest.mark.parametrize(
        ("learner", "why"),
        [
            ('learner = "optimal"\nlaw = { kind = "tam" }', "learner 'optimal': .* did you mean 'tan'"),
            ('learner = "optimal_mixture"\nlaws = [{ kind = "tan", k = 2 }]', "the law 'tan' has no 'k'"),
            ('learner = "optimal_mixture"\nlaws = "tan"', "give the laws that the truth may"),
        ],
    )
    def test_a_bad_law_is_refused_before_anything_is_computed(self, tmp_path, learner, why):
        sources = ['key = "t"\ngenerator = "tan"\nn_attributes = 2']
        path = study(sources, ['learner = "nb"', learner], tmp_path)
        with pytest.raises(WorkbenchError, match=why):
            workbench.run(workbench.read_study(path), tmp_path / "s.db")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "law", "rivals"),
    [
        (random_tan, TANLaw(), ("nb", "tan", "aode")),
        (random_dag_with_class, DAGLaw(), ("nb", "tan", "aode")),
        (random_aode, AODELaw(), ("nb", "tan", "aode")),
    ],
    ids=["tan", "dag", "aode"],
)
def test_no_learner_is_above_the_optimum_on_average(make, law, rivals):
    shape = {"n_attributes": 4, "n_classes": 2, "arity": (2, 3)}
    truths = [make(**shape, random_state=seed) for seed in range(60)]
    assert {truth.law for truth in truths} == {law}
    results = compare([*rivals, "optimal"], on=truths, sizes=(20, 100), metrics="log_loss", n_test=200)
    table = Regret.of_results(results).table
    assert len(table) == 2 * len(rivals)
    assert not table["above"].any()
    assert (table["regret"] > 0).all()
