"""The layout holds: no circles, no arrow upward, no file outside the rooms; and the rules can fail."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.house import House, back_arrows, circles, graph_of, roomless, sibling_arrows

ROOT = Path(__file__).resolve().parents[1]


def family(room, *above, ground=("_shared",)):
    """List the floors of a family: its door, rooms that put members together, members, what they share."""
    members = sorted(path.stem for path in ROOT.joinpath(*room.split(".")).glob("[!_]*.py"))
    return [[""], *([name] for name in above), members, *([name] for name in ground)]


GENERATORS = House(
    "generators",
    floors=[
        [""],
        ["altered", "targeted"],
        ["facts", "suites"],
        ["alterations"],
        ["structures", "concepts", "numeric"],
        ["networks"],
        ["drawing", "files"],
        ["base"],
    ],
    members=["generators.structures", "generators.concepts", "generators.numeric", "generators.alterations"],
    inner={
        "generators.networks": [
            [""],
            ["mixture"],
            ["network"],
            ["divergence"],
            ["truth", "numeric_truth"],
            ["enumeration", "inference", "patterns"],
        ]
    },
)
LEARNERS = House(
    "learners",
    floors=[
        [""],
        ["rules"],
        ["trees", "networks", "bayes"],
        ["counts"],
        ["base"],
        ["tables"],
        ["parent_checks"],
        ["code_lengths", "options", "shown_text", "compiled", "facts"],
    ],
    members=["learners.bayes", "learners.trees", "learners.rules"],
    inner={
        "learners.bayes": family("learners.bayes", ground=["_shared", "_kernels"]),
        "learners.rules": family("learners.rules", ground=["_shared", "growing", "sets", "_kernels"]),
        "learners.trees": [
            *family("learners.trees", ground=["_shared"]),
            ["display", "mml"],
            ["pruning"],
            ["growing"],
            ["nodes"],
            ["_kernels"],
        ],
        "learners.networks": [
            ["", "camml", "learn_network"],
            ["learned_network"],
            ["explanation", "classes"],
            ["parameters"],
            ["families", "forecast", "checked_problem"],
            ["structure_prior", "network_table"],
            ["search"],
            ["_kernels"],
        ],
        "learners.networks.search": [
            [""],
            ["by_name"],
            ["fast", "metropolis", "averaging", "exact"],
            ["annealing", "convergence", "order_walk", "order_posterior"],
            ["tom_sampling", "candidates", "family_costs", "arc_probability"],
            ["toms", "equivalence"],
            ["search_problem"],
            ["arc_costs", "weighted_graphs", "chain_clock"],
        ],
    },
)
WORKBENCH = House(
    "workbench",
    floors=[
        ["__main__"],
        ["cli"],
        [""],
        ["api"],
        ["results"],
        ["reproduction"],
        ["report"],
        ["figures"],
        ["analyses"],
        ["benchmark"],
        ["forecasts", "prequential"],
        ["engine"],
        ["store"],
        ["study"],
        ["estimators"],
        ["designs", "metrics", "comparisons"],
        ["datasets"],
        ["base"],
    ],
    members=[
        "workbench.metrics",
        "workbench.designs",
        "workbench.comparisons",
        "workbench.analyses",
        "workbench.figures",
        "workbench.report.sections",
        "workbench.forecasts.curves",
    ],
    above=["workbench.figures.panels", "workbench.metrics.functions"],
    inner={
        "workbench.metrics": family("workbench.metrics", "functions", ground=("_shared", "_kernels")),
        "workbench.metrics._shared": [
            ["forecast_metric", "set_metric", "probability_cells"],
            ["base", "bets", "forecast_worth", "code_lengths"],
            ["checks"],
            [""],
        ],
        "workbench.comparisons": family("workbench.comparisons"),
        "workbench.datasets": [
            [""],
            ["loading"],
            ["folder", "openml"],
            ["registry", "arff", "delimited", "parquet", "dataset"],
            ["_shared"],
        ],
        "workbench.prequential": [
            [""],
            ["loop"],
            ["result"],
            ["maps"],
            ["histogram", "platt"],
            ["_kernels"],
            ["_shared"],
        ],
        "workbench.forecasts": [["files", "curves"], [""], ["forecasts"]],
        "workbench.benchmark": [
            [""],
            ["making"],
            ["loading", "verifying"],
            ["folder"],
            ["plan"],
            ["origins", "formats"],
            ["columns", "progress"],
        ],
        "workbench.analyses": family("workbench.analyses"),
        "workbench.figures": family("workbench.figures", "panels"),
        "workbench.report": [
            [""],
            ["content"],
            ["headline"],
            ["sections"],
            ["terminal"],
            ["findings", "means_picture", "size_tables", "renderers"],
            ["words"],
            ["document"],
            ["table"],
        ],
        "workbench.reproduction": [
            [""],
            ["page"],
            ["reproduction"],
            ["ablations"],
            ["judging"],
            ["units", "data_set_facts"],
            ["printed"],
        ],
    },
)
HOUSES = [GENERATORS, LEARNERS, WORKBENCH]
#: The only room of `generators` that learners know: a learned network is a generator.
SHARED_NOUN = "generators.networks"


@pytest.fixture(scope="module")
def graph():
    return graph_of("generators", "learners", "workbench")


def test_nothing_imports_itself_in_a_circle(graph):
    assert circles(graph) == []


def test_packages_stand_on_each_other(graph):
    order = ["generators", "learners", "workbench"]
    for module, other in graph.edges:
        above, below = order.index(module.partition(".")[0]), order.index(other.partition(".")[0])
        assert below <= above, f"{module} imports {other}"
        if (above, below) == (1, 0):
            assert other.startswith(SHARED_NOUN), (
                f"{module} imports {other}: learners know {SHARED_NOUN} alone"
            )


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.package)
def test_every_file_is_in_a_room(graph, house):
    assert roomless(graph, house) == []


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.package)
def test_rooms_use_the_floors_below_alone(graph, house):
    assert back_arrows(graph, house) == []


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.package)
def test_members_of_a_family_do_not_know_each_other(graph, house):
    assert sibling_arrows(graph, house) == []


PLANTED = House("planted", floors=[[""], ["roof"], ["ground"]], members=["planted.roof"])


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Return a function that writes a package of these files, and reads its imports."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(files):
        sound = dict.fromkeys(["__init__", "roof/__init__", "ground/__init__", "ground/stone"], "")
        sound["roof/tiles"] = "import planted.ground.stone"
        for name, text in {**sound, **files}.items():
            path = tmp_path / "planted" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return graph_of("planted")

    yield write
    sys.modules.pop("planted", None)


def test_a_sound_package_passes(planted):
    graph = planted({})
    for rule in (roomless, back_arrows, sibling_arrows):
        assert rule(graph, PLANTED) == []
    assert circles(graph) == []


def test_a_planted_lazy_circle_is_found(planted):
    graph = planted({"ground/stone": "def f():\n    import planted.ground.earth",
                     "ground/earth": "import planted.ground.stone"})  # fmt: skip
    assert circles(graph) == [["planted.ground.earth", "planted.ground.stone"]]


def test_a_planted_type_only_back_arrow_is_found(planted):
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted.roof import tiles"
    graph = planted({"ground/earth": text})
    assert back_arrows(graph, PLANTED) == [("planted.ground.earth", "planted.roof.tiles")]


def test_a_planted_file_in_no_room_is_found(planted):
    assert roomless(planted({"shed": ""}), PLANTED) == ["planted.shed"]


def test_a_planted_file_in_no_inner_room_is_found(planted):
    house = replace(PLANTED, inner={"planted.ground": [[""], ["stone"]]})
    assert roomless(planted({}), house) == []
    assert roomless(planted({"ground/earth": ""}), house) == ["planted.ground.earth"]


def test_a_planted_sibling_is_found(planted):
    graph = planted({"roof/chimney": "import planted.roof.tiles"})
    assert sibling_arrows(graph, PLANTED) == [("planted.roof.chimney", "planted.roof.tiles")]
