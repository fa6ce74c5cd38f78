"""What every generator promises; found by folder. A check that holds for some asks the truth what it is."""

import importlib
import inspect
import math
import pkgutil
import sys
import types

import networkx
import numpy as np
import pytest
from scipy import stats

import generators
from generators import GENERATORS, Mixture, Network, from_json, random_aode, random_naive_bayes, random_tan
from generators.files.documents import KINDS, Documented
from generators.networks.truth import Truth
from tests.test_house import GENERATORS as HOUSE

SEEDS = range(12)


def modules():
    """Import every module of the package."""
    names = [found.name for found in pkgutil.walk_packages(generators.__path__, "generators.")]
    return [importlib.import_module(name) for name in names]


def drawn_in_rooms():
    """List the functions `random_*` of the files that are members of a family."""
    members = [module for module in modules() if module.__name__.rpartition(".")[0] in HOUSE.members]
    return [
        thing
        for module in members
        for name, thing in vars(module).items()
        if inspect.isfunction(thing) and thing.__module__ == module.__name__
        if name.startswith("random_") or hasattr(thing, "key")
    ]


def faults():
    """Return what is wrong with generators, of any folder."""
    found = drawn_in_rooms()
    for make in found:
        place = f"{make.__module__}:{make.__name__}"
        if not hasattr(make, "key") and make(random_state=0).class_name is not None:
            yield f'{place} draws truths with a class and has no key; write @generator("...") above it'
        if getattr(generators, make.__name__, None) is not make:
            yield f"{place} is not exported; add its import to generators/__init__.py"
    for make in GENERATORS.values():
        if make not in found:
            yield f"{make.__module__}:{make.__name__} is in no folder of generators; put it into one"


def kindless():
    """List the classes of truths without a kind of their own, by which `from_json` would find them."""
    classes = {
        thing
        for module in modules()
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Documented) and not inspect.isabstract(thing)
    }
    return [kind.__name__ for kind in classes if KINDS.get(vars(kind).get("kind")) is not kind]


def test_every_generator_is_in_its_room_with_its_key_and_exported():
    assert list(faults()) == []
    assert len(GENERATORS) >= 9


def test_every_class_of_truths_declares_its_kind():
    assert kindless() == []


TRUTH = "from generators import random_tan\n{}\ndef random_planted(*, random_state=None):\n    {}"
KEYED = "from generators.base.generator import generator\n@generator('planted')"


@pytest.fixture
def plant(tmp_path, monkeypatch):
    """Return a function that puts the file `planted.py` with a text into a folder of the package."""

    def write(folder, text):
        (tmp_path / "planted.py").write_text(text)
        package = importlib.import_module(f"generators.{folder}")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])

    yield write
    GENERATORS.pop("planted", None)
    KINDS.pop("planted", None)
    for name in [name for name in sys.modules if name.endswith(".planted")]:
        package, _, child = sys.modules.pop(name).__name__.rpartition(".")
        delattr(sys.modules[package], child)


def test_a_planted_generator_without_a_key_is_found(plant):
    plant("structures", TRUTH.format("", "return random_tan(random_state=random_state)"))
    without_key, not_exported = faults()
    place = "generators.structures.planted:random_planted"
    assert without_key.startswith(f"{place} draws truths with a class and has no key")
    assert "add its import to generators/__init__.py" in not_exported


def test_a_planted_generator_that_is_not_exported_is_found(plant):
    plant("concepts", TRUTH.format(KEYED, "return random_tan(random_state=random_state)"))
    (fault,) = faults()
    assert fault.startswith("generators.concepts.planted:random_planted is not exported")


@pytest.mark.parametrize("folder", ["base", "networks", "concepts._shared"])
def test_a_planted_generator_outside_the_rooms_is_found(plant, folder):
    plant(folder, TRUTH.format(KEYED, "return random_tan(random_state=random_state)"))
    (fault,) = faults()
    assert fault.startswith(f"generators.{folder}.planted:random_planted is in no folder of generators")


def test_a_planted_truth_without_a_kind_is_found(plant):
    plant("networks", "from generators import Network\nclass Planted(Network):\n    pass")
    assert kindless() == ["Planted"]


def test_a_key_and_a_kind_are_given_once():
    with pytest.raises(ValueError, match=r"make and random_tan .*'tan'"):

        @generators.base.generator.generator("tan")
        def make():
            pass

    with pytest.raises(TypeError, match=r"Other and Network .*'network'"):
        types.new_class("Other", (Network,), exec_body=lambda body: body.update(kind="network"))


every_generator = pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS)


def takes(make, *options):
    return set(options) <= set(inspect.signature(make).parameters)


def taking(*options):
    """Parametrize by the generators that take these options."""
    chosen = {key: make for key, make in GENERATORS.items() if takes(make, *options)}
    return pytest.mark.parametrize("make", chosen.values(), ids=chosen)


def draw(make, **options):
    """Draw a truth with those of the options that its generator takes."""
    return make(**{name: value for name, value in options.items() if takes(make, name)})


def networks(truth) -> tuple[Network, ...]:
    """List the networks that a truth consists of."""
    inner = getattr(truth, "attribute_network", truth)
    return inner.components if isinstance(inner, Mixture) else (inner,) if isinstance(inner, Network) else ()


def numbers(truth) -> list[np.ndarray]:
    """List the arrays of probabilities of a truth, each with rows that sum to one."""
    own = [getattr(truth, name) for name in ("leaves", "prior") if hasattr(truth, name)]
    return own + [cpt for network in networks(truth) for cpt in network.cpts]


@every_generator
def test_probabilities_are_positive_and_sum_to_one(make):
    for seed in SEEDS:
        arrays = numbers(make(random_state=seed))
        assert arrays
        for array in arrays:
            np.testing.assert_allclose(array.sum(axis=-1), 1.0, atol=1e-14)
            assert (array > 0).all()


@every_generator
def test_the_same_seed_gives_the_same_truth_and_a_generator_is_advanced(make):
    one, other = make(random_state=3), make(random_state=np.random.SeedSequence(3))
    assert one.to_json() == other.to_json() == make(random_state=3).to_json()
    assert one.to_json() != make(random_state=4).to_json()
    rng = np.random.default_rng(3)
    assert make(random_state=rng).to_json() != make(random_state=rng).to_json()


@every_generator
def test_empirical_frequencies_approach_the_distribution(make):
    truth = draw(make, n_attributes=2, arity=3, n_classes=3, random_state=1)
    n = 20_000
    _, y = truth.sample(n, 2)
    assert_frequencies(np.bincount(y.cat.codes, minlength=len(truth.classes)), n * truth.class_marginal())
    if isinstance(truth, Truth):
        joint = truth.joint_array(range(3)).ravel()
        cells = np.ravel_multi_index(truth.sample_codes(n, 2).T, truth.arities)
        assert_frequencies(np.bincount(cells, minlength=len(joint)), n * joint)


def assert_frequencies(observed, expected):
    """Compare counts by a chi-square test, cells of few expected rows together."""
    frequent = expected >= 5
    rest = observed[~frequent].sum(), expected[~frequent].sum()
    assert rest[0] <= rest[1] + 5 * math.sqrt(rest[1]) + 1e-9
    expected = expected[frequent] * observed[frequent].sum() / expected[frequent].sum()
    assert stats.chisquare(observed[frequent], expected).pvalue > 0.01


@every_generator
def test_graphs_are_acyclic_and_a_class_whose_distribution_can_be_given_is_above_everything(make):
    for seed in SEEDS:
        truth = make(random_state=seed)
        for network in networks(truth):
            graph = network.to_networkx()
            assert networkx.is_directed_acyclic_graph(graph)
            if takes(make, "class_marginal"):
                assert list(graph.predecessors("y")) == []
                assert set(graph.successors("y")) == set(network.attribute_names)
                assert all(
                    network.parent_indices[child][0] == truth.class_index for child in network.attributes
                )


@every_generator
def test_sizes_are_within_their_bounds_and_reach_them(make):
    bounds = {"n_attributes": (3, 5), "arity": (2, 4), "n_classes": (2, 3)}
    truths = [draw(make, **bounds, random_state=seed) for seed in range(60)]
    assert {len(truth.attribute_names) for truth in truths} == {3, 4, 5}
    assert {len(truth.classes) for truth in truths} == ({2, 3} if takes(make, "n_classes") else {2})
    if takes(make, "arity"):
        assert {int(arity) for truth in truths for arity in truth.arities[:-1]} == {2, 3, 4}


@every_generator
def test_names_states_and_class_are_as_documented(make):
    truth = draw(make, n_attributes=3, arity=2, n_classes=4, random_state=0)
    assert truth.attribute_names == ("x0", "x1", "x2")
    assert truth.class_name == "y"
    assert truth.classes == ((0, 1, 2, 3) if takes(make, "n_classes") else (0, 1))
    if isinstance(truth, Truth):
        assert truth.states == ((0, 1), (0, 1), (0, 1), truth.classes)
        assert truth.class_index == 3


@every_generator
def test_the_smallest_sizes_work(make):
    truth = draw(make, n_attributes=1, arity=1, n_classes=1, random_state=0)
    posterior = truth.posterior(truth.sample(3, 0)[0])
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-15)
    if takes(make, "n_classes"):
        assert posterior.tolist() == [[1.0]] * 3
    if truth.enumerable:
        assert truth.enumerate().joint.sum() == pytest.approx(1.0, abs=1e-15)


@every_generator
def test_the_verbs_agree(make):
    truth = draw(make, n_attributes=(3, 5), random_state=5)
    X, _ = truth.sample(200, 1)
    if truth.enumerable:
        cells = truth.enumerate()
        X = cells.X
        assert cells.joint.shape == (truth.n_cells, len(truth.classes))
        assert math.isclose(cells.joint.sum(), 1.0, abs_tol=1e-12)
        np.testing.assert_allclose(truth.posterior(cells.codes), cells.posterior, atol=1e-12)
        assert np.array_equal(truth.posterior(X), truth.posterior(cells.codes))
    by_class = np.exp([truth.log_joint(X, np.full(len(X), label)) for label in truth.classes]).T
    np.testing.assert_allclose(by_class.sum(axis=1), np.exp(truth.log_joint(X)), rtol=1e-12)
    np.testing.assert_allclose(by_class / by_class.sum(axis=1, keepdims=True), truth.posterior(X), atol=1e-12)
    if truth.enumerable:
        np.testing.assert_allclose(by_class, cells.joint, atol=1e-14)


@every_generator
def test_json_keeps_the_truth(make):
    truth = make(random_state=6)
    assert from_json(truth.to_json()).to_json() == truth.to_json()


@taking("rows")
def test_the_rows_are_drawn_as_asked(make):
    plain = make(random_state=7)
    for options in ({"concentration": 0.3}, {"rows": "normalized_uniform"}, {"rows": "logit"}):
        truth = make(random_state=7, **options)
        assert (truth.attribute_names, truth.classes) == (plain.attribute_names, plain.classes)
        assert not np.array_equal(numbers(truth)[0], numbers(plain)[0])


IMPOSSIBLE = [
    ({"n_attributes": 0}, "n_attributes is 0"),
    ({"arity": (3, 2)}, r"arity|low end"),
    ({"n_classes": 1.5}, "n_classes is 1.5"),
    ({"rows": "flat"}, "'flat'"),
    ({"concentration": 0}, "concentration is 0"),
    ({"max_parents": -1}, "max_parents is -1"),
    ({"class_imbalance": 0.5}, r"class_imbalance is 0.5.* 1"),
    ({"class_imbalance": 2, "class_marginal": [0.5, 0.25, 0.25]}, "both given"),
    ({"class_marginal": [0.5, 0.5]}, r"\(2,\).*3"),
    ({"class_marginal": [0.5, 0.5, 0.0]}, "positive"),
    ({"class_marginal": [0.5, 0.4, 0.2]}, "sum to one"),
]


@every_generator
def test_arguments_that_cannot_be_are_refused(make):
    for options, message in IMPOSSIBLE:
        if takes(make, *options):
            of_three = {"n_classes": 3} if "class_marginal" in options else {}
            with pytest.raises(ValueError, match=message):
                make(random_state=0, **of_three, **options)


@taking("class_marginal")
def test_a_class_distribution_can_be_given(make):
    skewed = [0.7, 0.2, 0.1]
    truth = make(n_classes=3, class_marginal=skewed, random_state=1)
    np.testing.assert_allclose(truth.class_marginal(), skewed, atol=1e-12)
    # all else is what the seed draws
    given, drawn = (found.to_document() for found in (truth, make(n_classes=3, random_state=1)))
    assert given != drawn
    assert without_class_distribution(given) == without_class_distribution(drawn)


def without_class_distribution(document):
    """Leave out of plain data what is of the class alone."""
    if isinstance(document, dict):
        of_class = document.get("name") == "y"
        kept = {
            name: value for name, value in document.items() if name not in ("prior", "law") and not of_class
        }
        return {name: without_class_distribution(value) for name, value in kept.items()}
    return [without_class_distribution(part) for part in document] if isinstance(document, list) else document


@taking("class_imbalance")
def test_classes_can_be_skewed(make):
    truth = make(n_classes=3, class_imbalance=9, random_state=1)
    np.testing.assert_allclose(truth.class_marginal(), np.array([9, 3, 1]) / 13, atol=1e-12)


def test_naive_bayes_has_no_other_arcs():
    assert all(len(parents) == 1 for parents in random_naive_bayes(random_state=0).parent_indices[:-1])


def test_tan_is_a_tree_over_the_attributes():
    for seed in SEEDS:
        truth = random_tan(random_state=seed)
        tree = truth.to_networkx().subgraph(truth.attribute_names).to_undirected()
        assert networkx.is_tree(tree)
        assert sum(len(parents) == 1 for parents in truth.parent_indices) == 1


@pytest.mark.slow
def test_tan_draws_every_tree_and_every_root_equally_often():
    rng = np.random.default_rng(8)
    drawn = [
        random_tan(n_attributes=4, arity=1, n_classes=1, random_state=rng).parent_indices for _ in range(6400)
    ]
    _, counts = np.unique([[p[-1] for p in parents[:-1]] for parents in drawn], axis=0, return_counts=True)
    assert len(counts) == 16 * 4
    assert stats.chisquare(counts).pvalue > 0.01


def test_aode_has_one_network_per_attribute_and_equal_weights():
    truth = random_aode(n_attributes=4, random_state=0)
    assert truth.weights.tolist() == [0.25] * 4
    for center, network in enumerate(truth.components):
        assert network.parent_indices == (*((4,) if j == center else (4, center) for j in range(4)), ())


def test_aode_shares_the_class_prior_when_asked():
    shared = random_aode(n_attributes=3, shared_class_prior=True, random_state=0).components
    own = random_aode(n_attributes=3, random_state=0).components
    assert all(np.array_equal(network.cpts[-1], shared[0].cpts[-1]) for network in shared)
    assert not any(np.array_equal(network.cpts[-1], own[0].cpts[-1]) for network in own[1:])
    assert not np.array_equal(shared[0].cpts[0], shared[1].cpts[0][0])
