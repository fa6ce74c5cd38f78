"""The layout holds: no circles, no arrow upward, no file outside the rooms; and the rules can fail."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.house import (
    Family,
    House,
    back_arrows,
    circles,
    coders,
    floorless,
    graph_of,
    imports_by_name,
    kind_questions,
    outside_arrows,
    private_imports,
    repeated_classes,
    room_circles,
    roomless,
    unread,
    vacant,
)

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("generators", "learners", "workbench")

GENERATORS = House(
    "generators",
    floors=[
        [""],
        ["suites"],
        ["altered", "targeted"],
        ["facts"],
        ["alterations"],
        ["structures", "concepts", "numeric"],
        ["networks"],
        ["drawing", "files"],
        ["laws"],
        ["base"],
        ["tables"],
    ],
    members={
        "generators.laws": Family(),
        "generators.structures": Family(ground=[]),
        "generators.concepts": Family(),
        "generators.numeric": Family(),
        "generators.alterations": Family(),
    },
    inner={
        "generators.suites": [[""], ["suite"], ["places"]],
        "generators.networks": [
            [""],
            ["mixture", "conditional_gaussian_mixture", "network_file"],
            ["conditional_gaussian"],
            ["network", "gaussian_network", "gaussian_truth"],
            ["divergence", "notebook", "pairs", "queries", "normal"],
            ["truth", "numeric_truth", "directed_graph"],
            ["enumeration", "inference"],
            ["patterns", "programs"],
        ],
        "generators.drawing": [
            [""],
            ["figure"],
            ["picture"],
            ["arc_labels", "lettering"],
            ["layout"],
            ["routing"],
        ],
        "generators.files": [
            [""],
            ["bif", "hugin", "xmlbif"],
            ["families", "tokens"],
            ["labels", "interop"],
            ["documents"],
        ],
        "generators.base": [
            [""],
            ["factorization", "random_graph"],
            ["_kernels", "draw", "probabilities", "variables"],
            ["checksum", "compiled", "generator", "validation"],
            ["numba_part"],
        ],
        "generators.tables": [[""], ["columns"], ["caller", "cells", "codes"]],
    },
)
LEARNERS = House(
    "learners",
    floors=[
        [""],
        ["rules"],
        ["averages"],
        ["trees", "networks", "bayes"],
        ["counts"],
        ["base"],
        ["tables"],
        ["parent_checks"],
        ["code_lengths", "options", "shown_text", "facts"],
    ],
    members={
        "learners.averages": Family(ground=[["_shared"], ["_kernels"]]),
        "learners.bayes": Family(ground=[["_shared"], ["_kernels"]]),
        "learners.rules": Family(ground=[["_shared"], ["growing"], ["sets"], ["_kernels"]]),
        "learners.trees": Family(
            ground=[["_shared"], ["display", "mml"], ["pruning"], ["growing"], ["nodes"], ["_kernels"]]
        ),
    },
    inner={
        "learners.networks": [
            ["", "camml", "gaussian_camml", "learn_network"],
            ["learned_network", "learned_gaussian_network", "parameters"],
            ["learned_graph"],
            ["explanation", "classes"],
            ["families", "regressions", "message", "forecast", "checked_problem", "cut_columns"],
            ["structure_prior", "number_table", "group_moments"],
            ["network_table"],
            ["indirect_opinions"],
            ["search"],
            ["progress", "_kernels"],
        ],
        "learners.networks.search": [
            [""],
            ["search_choice", "order_average"],
            ["blanket", "network_draws"],
            ["fast", "metropolis", "averaging", "exact"],
            ["annealing", "convergence", "order_walk", "order_posterior"],
            ["tom_sampling", "candidates", "family_costs", "arc_probability"],
            ["toms", "equivalence", "equals", "extension_costs"],
            ["search_problem", "gaussian_problem"],
            ["problem"],
            ["arc_costs", "weighted_graphs", "chain_clock", "order_law"],
            ["indirect_prior"],
        ],
        "learners.counts": [
            [""],
            ["optional_counting"],
            ["counting_learner"],
            ["class_distribution", "class_values"],
            ["counts"],
            ["class_prior", "distinct_rows", "slots", "threads"],
            ["_kernels"],
        ],
        "learners.tables": [
            [""],
            ["attributes"],
            ["class_labels", "columns", "completions", "discretize", "holte", "random_cuts", "scales"],
            ["_kernels"],
        ],
        "learners.code_lengths": [[""], ["theory"], ["graph", "multinomial", "network", "tree"]],
    },
    # a learned network is a generator; a classification graph is laid out as a network is; all code labels
    # and compile kernels
    allowed={
        "learners": [
            "generators.networks",
            "generators.drawing",
            "generators.tables",
            "generators.base.compiled",
        ]
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
        ["arena"],
        ["profiles", "explorer"],
        ["reproduction"],
        ["report"],
        ["figures"],
        ["analyses"],
        ["benchmark"],
        ["prequential", "invariances"],
        ["engine"],
        ["store"],
        ["study"],
        ["estimators"],
        ["forecasts"],
        ["optimal"],
        ["designs", "metrics"],
        ["comparisons"],
        ["datasets"],
        ["base"],
    ],
    members={
        "workbench.cli.commands": Family(ground=[]),
        "workbench.report.sections": Family(),
        "workbench.figures": Family(above=[["panels"]]),
        "workbench.analyses": Family(),
        "workbench.forecasts.curves": Family(),
        "workbench.designs": Family(),
        "workbench.metrics": Family(above=[["functions"]], ground=[["_shared"], ["_kernels"]]),
        "workbench.comparisons": Family(above=[["pair_tests"]]),
    },
    inner={
        "workbench.arena": [
            [""],
            ["site"],
            ["pages", "learner_page", "profile_pages"],
            ["content", "newcomers"],
            ["words"],
            ["leaderboard"],
        ],
        "workbench.explorer": [[""], ["page"], ["content"], ["layout", "library", "packing"]],
        "workbench.invariances": [
            [""],
            ["checking"],
            ["result"],
            ["family"],
            ["columns", "orders", "pairs", "traits"],
            ["trials"],
            ["fits"],
            ["finding", "rows"],
        ],
        "workbench.profiles": [
            [""],
            ["profile"],
            ["document", "notebook"],
            ["displays"],
            ["paragraph"],
            ["findings", "scaling"],
            ["reference", "spread", "habits", "costs", "required_rows"],
            ["kinds", "knobs", "planning"],
            ["measure"],
            ["entrants", "part", "intervals"],
            ["scores", "words"],
        ],
        "workbench.cli": [
            [""],
            ["app"],
            ["commands"],
            ["listing", "installation", "score_lines"],
            ["options", "parameters"],
        ],
        "workbench.engine": [
            [""],
            ["cell_rows", "rescoring"],
            ["dry_run", "warming"],
            ["runner"],
            ["backend", "briefing", "tasks"],
            ["dask_cluster"],
            ["pool"],
            ["process"],
            ["worker"],
            ["scoring"],
            ["launch", "problem", "progress", "provenance"],
            ["remaining_work"],
        ],
        "workbench.store": [
            [""],
            ["counts", "restored_study"],
            ["failures"],
            ["results"],
            ["tidy_scores", "writing"],
            ["data_folder", "reading"],
            ["metrics", "outcome", "run_notes", "schema"],
            ["checks"],
        ],
        "workbench.study": [
            [""],
            ["document"],
            ["toml"],
            ["study"],
            ["given_sources"],
            ["folder_source", "laws"],
            ["dataset_source", "scores"],
            ["rows_source", "stored_metrics"],
            ["known_data", "learner_spec", "metric_spec", "source", "trusted_code"],
        ],
        "workbench.optimal": [
            [""],
            ["classifier", "mixture"],
            ["law_table", "optima", "sampled_forecast"],
            ["aode_mixture", "gaussian_naive_bayes", "gaussian_tan"],
            ["number_rows"],
            ["_kernels"],
        ],
        "workbench.estimators": [
            [""],
            ["streams"],
            ["learner_facts"],
            ["pooled"],
            ["early_stopped", "pretrained", "program", "recalibrated", "truth_classifier"],
            ["fair_fit"],
            ["build", "foreign"],
            ["rivals"],
            ["inputs", "known_code"],
        ],
        "workbench.estimators.pooled": [
            [""],
            ["pooled_classifier"],
            ["drawing", "pooling"],
            ["candidate", "log_pool"],
            ["members"],
            ["frequent_values"],
        ],
        "workbench.metrics._shared": [["bets"], ["rows"], ["base"], ["checks"], [""]],
        "workbench.datasets": [
            [""],
            ["loading"],
            ["folder", "openml"],
            ["registry", "arff", "tables", "parquet", "dataset"],
            ["look"],
            ["delimited", "versions"],
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
            ["making", "scoring", "handing_out"],
            ["loading", "verifying"],
            ["folder"],
            ["plan"],
            ["origins", "formats"],
            ["columns"],
        ],
        "workbench.report.notes": [[""], ["drawing", "writing"]],
        "workbench.report": [
            [""],
            ["content", "notebook", "notes"],
            ["headline"],
            ["sections"],
            ["terminal"],
            ["findings", "paper_table", "provenance", "size_tables", "standing_tables", "renderers"],
            ["words"],
            ["document"],
            ["table"],
        ],
        "workbench.reproduction": [
            [""],
            ["page"],
            ["reproduction"],
            ["before_and_after"],
            ["counts"],
            ["ablations"],
            ["judging"],
            ["units", "data_set_facts"],
            ["printed"],
        ],
        "workbench.base": [
            [""],
            ["catalogue", "checks", "identity", "score_key"],
            ["cell", "errors"],
            ["names", "seeds", "text", "threads", "legacy_options"],
        ],
    },
    allowed={
        "workbench": ["generators", "learners"],
        # forecasts are held without a study: no store, engine or estimators
        "workbench.forecasts": [
            "workbench.metrics",
            "workbench.datasets",
            "workbench.base",
            "learners.counts",
        ],
        # scores and tests of arrays, which know neither data sets nor learners
        "workbench.metrics": [
            "workbench.base",
            "generators.base.compiled",
            "learners.counts.class_prior",
            "generators.base.draw",
            "generators.tables",
        ],
        "workbench.comparisons": ["workbench.base"],
    },
)
HOUSES = [GENERATORS, LEARNERS, WORKBENCH]
#: The room in which labels become codes.
CODING = "generators/tables"
#: The files elsewhere that number things by the same means, and what these are instead of labels of a table.
NUMBERED = {
    "generators/networks/gaussian_network.py": "patterns of missing values",
    "learners/averages/_shared/folds.py": "ranks of numbers",
    "learners/bayes/_shared/densities.py": "points of a density",
    "learners/bayes/_shared/left_out_columns.py": "patterns of missing values",
    "learners/counts/distinct_rows.py": "rows of codes",
    "learners/networks/group_moments.py": "patterns of missing values",
    "learners/networks/search/averaging.py": "networks",
    "learners/networks/search/equivalence.py": "classes of equivalent networks",
    "learners/networks/search/family_costs.py": "arities",
    "learners/networks/search/network_draws.py": "sets of parents",
    "learners/networks/search/weighted_graphs.py": "networks",
    "learners/rules/_shared/unordered.py": "predicted sets",
    "learners/rules/growing/growth_rows.py": "numbers of a column",
    "learners/tables/random_cuts.py": "numbers of a column",
    "learners/trees/pruning/c50_pruning.py": "patterns of conditions",
    "workbench/comparisons/_shared/players.py": "players of contests",
    "workbench/comparisons/best.py": "strata of scores",
    "workbench/comparisons/power.py": "sizes of samples",
    "workbench/comparisons/strata.py": "strata of scores",
    "workbench/engine/worker.py": "sorted classes among those of a sampled optimum, sorted too",
    "workbench/explorer/layout.py": "learners and sources of scores",
    "workbench/metrics/functions/decomposition.py": "distinct forecasts",
    "workbench/profiles/measure.py": "cells of a study",
    "workbench/store/reading.py": "keys of cells",
    "workbench/store/tidy_scores.py": "cells of scores",
}
#: The files that import what a string names, which the graph of imports does not show, and why.
IMPORTS_BY_NAME = {
    "workbench/__init__.py": "names that are slow to import wait until they are used; all are below",
    "workbench/benchmark/__init__.py": "the same, since the command line imports it; all are in the room",
    "workbench/report/sections/__init__.py": "sections are found by folder, its own",
    "workbench/base/catalogue.py": "finds members by key, of our families above it and of other packages",
    "workbench/cli/installation.py": "asks where our packages lie, and imports none",
}
#: The files above the study that may ask whether it is of data sets, and why.
ASKS_FOR_THE_KIND = {
    "workbench/analyses/_shared/fitted_answers.py": "fits on training sets that only this design draws",
    "workbench/api.py": "makes the study, and the design that fits its sources",
    "workbench/reproduction/data_set_facts.py": "reads the data sets of a study file, which has not run",
    "workbench/store/restored_study.py": "makes the sources of a store again, and the design of old ones",
    "workbench/store/results.py": "the usual design where a store's own is not installed",
}


@pytest.fixture(scope="module")
def graph():
    return graph_of(*PACKAGES)


def names_of_the_repository():
    """List what a Python file could import from the top of the repository, folders of scripts included."""
    return {path.stem for path in ROOT.iterdir() if path.is_dir() or path.suffix == ".py"}


def test_every_file_is_read(graph):
    assert unread(graph, ROOT, *PACKAGES) == []


def test_few_files_lie_flat():
    for package in PACKAGES:
        assert len(list(ROOT.joinpath(package).glob("*.py"))) <= 8, package


def test_nothing_imports_itself_in_a_circle(graph):
    assert circles(graph) == []
    assert room_circles(graph) == []


def test_only_known_files_import_by_name():
    assert imports_by_name(ROOT, *PACKAGES) == sorted(IMPORTS_BY_NAME)


def test_a_design_says_what_a_study_is_of_and_nobody_above_asks():
    floors = WORKBENCH.floors[: WORKBENCH.floors.index(["study"])]
    rooms = [room for floor in floors for room in floor if room not in ("", "engine")]
    asked = kind_questions(ROOT / "workbench", *rooms)
    assert sorted(asked) == sorted(name.removeprefix("workbench/") for name in ASKS_FOR_THE_KIND)


@pytest.mark.slow
def test_labels_become_codes_in_one_room():
    assert coders(ROOT, CODING, *PACKAGES) == set(NUMBERED)


def test_each_class_has_a_name_of_its_own():
    assert repeated_classes(ROOT, *PACKAGES) == {}


def test_scripts_import_nothing_private():
    assert private_imports(ROOT, "experiments", "benchmarks", "docs") == []


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.package)
def test_every_file_is_in_a_room_and_every_folder_has_floors(graph, house):
    assert roomless(graph, house) == []
    assert vacant(graph, house) == []
    assert floorless(graph, house) == []


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.package)
def test_rooms_use_the_floors_below_and_what_they_are_allowed_alone(graph, house):
    assert back_arrows(graph, house) == []
    assert outside_arrows(graph, house, names_of_the_repository()) == []


PLANTED = House(
    "planted",
    floors=[[""], ["roof"], ["ground"]],
    members={"planted.roof": Family()},
    inner={"planted.ground": [[""], ["stone"]]},
)
OURS = {"planted", "neighbor", "tests"}


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Return a function that writes a package of these files, and reads its imports."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(files):
        sound = ["__init__", "roof/__init__", "roof/_shared/__init__", "ground/__init__", "ground/stone"]
        sound = {
            **dict.fromkeys(sound, ""),
            "roof/tiles": "import planted.ground.stone, planted.roof._shared",
        }
        for name, text in {**sound, **files}.items():
            path = tmp_path / "planted" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return graph_of("planted")

    yield write
    sys.modules.pop("planted", None)


def test_a_sound_package_passes(planted, tmp_path):
    graph = planted({"ground/stone": "import importlib.metadata, numpy"})
    for rule in (roomless, vacant, floorless, back_arrows):
        assert rule(graph, PLANTED) == []
    assert outside_arrows(graph, PLANTED, OURS) == []
    assert circles(graph) == []
    assert unread(graph, tmp_path, "planted") == []
    assert imports_by_name(tmp_path, "planted") == []


def test_a_planted_folder_that_is_no_package_is_found(planted, tmp_path):
    graph = planted({"ground/shed/late": "import planted.roof.tiles"})
    assert unread(graph, tmp_path, "planted") == ["planted.ground.shed.late"]


def test_a_planted_lazy_circle_is_found(planted):
    graph = planted({"ground/stone": "def f():\n    import planted.ground.earth",
                     "ground/earth": "import planted.ground.stone"})  # fmt: skip
    assert circles(graph) == [["planted.ground.earth", "planted.ground.stone"]]


def test_a_planted_type_only_back_arrow_is_found(planted):
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted.roof import tiles"
    graph = planted({"ground/earth": text})
    assert back_arrows(graph, PLANTED) == [("planted.ground.earth", "planted.roof.tiles")]


def test_a_planted_circle_of_rooms_is_found(planted):
    graph = planted({"ground/earth": "import planted.roof.thatch", "roof/thatch": ""})
    assert circles(graph) == []
    assert room_circles(graph) == [["planted.ground", "planted.roof"]]


def test_a_planted_file_in_no_room_is_found(planted):
    assert roomless(planted({"shed": ""}), PLANTED) == ["planted.shed"]


def test_a_planted_room_without_a_file_is_found(planted):
    house = replace(PLANTED, inner={"planted.ground": [[""], ["stone", "water"]]})
    assert vacant(planted({}), house) == ["planted.ground.water"]


@pytest.mark.parametrize(("without", "folder"), [("members", "roof"), ("inner", "ground")])
def test_a_planted_folder_without_floors_is_found(planted, without, folder):
    assert floorless(planted({}), replace(PLANTED, **{without: {}})) == [f"planted.{folder}"]


def test_a_planted_family_in_a_room_without_floors_is_found(planted):
    graph = planted({"ground/herbs/__init__": "", "ground/herbs/_shared/__init__": ""})
    assert floorless(graph, PLANTED) == ["planted.ground.herbs"]


@pytest.mark.parametrize(
    ("member", "imported"),
    [
        ("chimney", "planted.roof.tiles"),
        ("_shared/nail", "planted.roof.tiles"),
    ],
)
def test_a_planted_arrow_between_members_is_found(planted, member, imported):
    graph = planted({f"roof/{member}": f"import {imported}"})
    assert back_arrows(graph, PLANTED) == [(f"planted.roof.{member.replace('/', '.')}", imported)]


def test_a_declared_folder_above_members_imports_them(planted):
    graph = planted({"roof/nest/__init__": "", "roof/nest/egg": "import planted.roof.tiles"})
    house = replace(PLANTED, members={"planted.roof": Family(above=[["nest"]])})
    assert roomless(graph, house) == back_arrows(graph, house) == []


@pytest.mark.parametrize(
    "imported",
    [
        "tests.house",
        "neighbor.fence",
    ],
)
def test_a_planted_import_from_the_rest_of_the_repository_is_found(planted, imported):
    graph = planted({"ground/stone": f"def f():\n    import {imported}"})
    assert outside_arrows(graph, PLANTED, OURS) == [("planted.ground.stone", imported.partition(".")[0])]


def test_a_planted_import_that_a_folder_is_not_allowed_is_found(planted):
    graph = planted({"ground/earth": "", "roof/tiles": "import planted.ground.earth, planted.ground.stone"})
    house = replace(PLANTED, allowed={"planted.roof": ["planted.ground.stone"]})
    assert outside_arrows(graph, house, OURS) == [("planted.roof.tiles", "planted.ground.earth")]


@pytest.mark.parametrize(
    "text",
    [
        "import importlib as i\ni.import_module('planted.roof.tiles')",
        "__import__('planted.roof.tiles')",
        "exec('import planted.roof.tiles')",
    ],
)
def test_a_planted_import_by_name_is_found(planted, tmp_path, text):
    planted({"ground/stone": text})
    assert imports_by_name(tmp_path, "planted") == ["planted/ground/stone.py"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("index.get_indexer(labels)", True),
        ("pd.factorize(column)", True),
        ("pd.Categorical.from_codes(codes, names)", True),
        ("pd.Categorical(y, names)", True),
        ("pd.Categorical(y, categories=names)", True),
        ("y.astype('category')", True),
        ("X['a'].cat.codes", True),
        ("X['a'].array.codes", True),
        ("np.unique(y, return_inverse=True)", True),
        ("np.searchsorted(learner.classes_, y)", True),
        ("classes.searchsorted(y)", True),
        ("pd.Categorical(y)", False),
        ("table.codes", False),
        ("np.searchsorted(cuts, numbers)", False),
    ],
)
def test_a_planted_coding_is_found(tmp_path, text, codes):
    for room in ("ground", "roof"):
        (tmp_path / "planted" / room).mkdir(parents=True)
        (tmp_path / "planted" / room / "a.py").write_text(text)
    assert coders(tmp_path, "planted/ground", "planted") == ({"planted/roof/a.py"} if codes else set())


def test_a_planted_class_of_a_known_name_is_found(tmp_path):
    for room in ("one", "two"):
        (tmp_path / "workbench" / room).mkdir(parents=True)
        (tmp_path / "workbench" / room / "a.py").write_text("class Rows:\n    pass\n", encoding="utf-8")
    found = repeated_classes(tmp_path, "workbench")
    assert found == {"Rows": ["workbench/one/a.py", "workbench/two/a.py"]}


@pytest.mark.parametrize(
    "text",
    [
        "from workbench.figures._shared.style import looks",
        "def f():\n    import learners.trees._kernels.growing as growing",
        "from workbench.metrics import _shared",
    ],
)
def test_a_planted_private_import_of_a_script_is_found(tmp_path, text):
    for name in ("docs/scripts/one.py", "docs/guides/two.md", "docs/contributing.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert private_imports(tmp_path, "docs") == ["docs/guides/two.md", "docs/scripts/one.py"]


@pytest.mark.parametrize(
    "text",
    [
        "def f(results):\n    return results.on_datasets",
        "def f(on_data_sets=False): ...",
        "def f(design):\n    return isinstance(design, (int, Resampling))",
        "kinds = [s for s in sources if isinstance(s, study.DatasetSource)]",
        "if isinstance(design, FiveByTwo): pass",
        "if type(design) is FiveByTwo: pass",
        "if study.design['kind'] == 'five_by_two': pass",
        "x = getattr(study, 'on_datasets')",
        "match source:\n    case DatasetSource(): pass",
    ],
)
def test_a_planted_question_for_the_kind_of_study_is_found(tmp_path, text):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "one.py").write_text(text)
    (tmp_path / "room" / "two.py").write_text("from study import DatasetSource\nDatasetSource('a')")
    assert kind_questions(tmp_path, "room") == ["room/one.py"]


def with_arrow(graph, module, imported):
    altered = graph.copy()
    altered.add_edge(module, imported)
    return altered


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("workbench.metrics.rewards", "workbench.datasets.dataset"),
        ("workbench.comparisons.best", "workbench.metrics"),
        ("workbench.forecasts.forecasts", "workbench.study.study"),
        ("workbench.api", "experiments"),
        ("learners.bayes.tan", "generators.structures.tan"),
    ],
)
def test_an_arrow_added_to_the_houses_is_not_allowed(graph, module, imported):
    altered = with_arrow(graph, module, imported)
    found = [arrow for house in HOUSES for arrow in outside_arrows(altered, house, names_of_the_repository())]
    assert set(found) == {(module, imported)}


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("workbench.report.sections.scores", "workbench.report.sections"),
        ("workbench.designs.half_splits", "workbench.designs"),
        ("workbench.engine.problem", "workbench.engine.runner"),
    ],
)
def test_an_arrow_added_to_the_houses_points_back(graph, module, imported):
    altered = with_arrow(graph, module, imported)
    assert [arrow for house in HOUSES for arrow in back_arrows(altered, house)] == [(module, imported)]
