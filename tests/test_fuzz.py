"""What is written comes back, and what was damaged is the right answer or one sentence, never a crash."""

import contextlib
import copy
import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tomlkit
from hypothesis import given

from generators import Mixture, Network, from_json, random_aode, random_tan, read_network, write_network
from learners import NaiveBayesClassifier
from tests.documents import numbers_of
from tests.marks import mostly_slow
from tests.strategies import TRUTH, mixtures, networks, studies, tables
from workbench import read_study, write_study
from workbench.base.errors import WorkbenchError
from workbench.datasets.dataset import Dataset

#: The first is quick; the others are for `make test-all`.
SEEDS = mostly_slow(range(2), 1)
pytestmark = [
    pytest.mark.filterwarnings("ignore:`pgmpy:FutureWarning"),
    pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning"),
]

PIECES = [bytes([byte]) for byte in b"'\"{}[],:.-\\%?@\n\r \t\0\xff019eE=()|;#"]
PIECES += [
    "é".encode(), b"NaN", b"Infinity", b"1e999999999", b"-1", b"null", b"true", b"{}", b"[]", b"9" * 5000,
    b"[" * 3000, b"/*", b"//", b"'''", b'"""', b"../../x",
]  # fmt: skip
NUMBERS = [b"0", b"-1", b"1e308", b"NaN", b"2", b"1e999999999", b"9" * 12, b"0.5", b"true", b'"x"', b"[]"]
ODD = [
    None, True, False, 0, -1, 1, 2, 0.5, 1e308, float("inf"), float("nan"), 2**70, 10**12, "", "x", "cart",
    "y", "a\nb", "\0", "\x1b[31m", "\u202e", "<script>", "=1", "x" * 10_000, "../../x", "os:system", [], {},
    [[]], [1], ["x"], {"x": 1}, [0.5, 0.5], "tan", "ir_b", ["nb"], {"learner": "nb"}, {"metric": "ir_b"},
]  # fmt: skip


def survives(content: Any, read: Callable[[Any], object], kind: type[Exception] = ValueError) -> bool:
    """Whether it was read; else there was one sentence, and no other error is let through."""
    try:
        read(content)
    except kind as error:
        told = str(error)
    else:
        return True
    assert told.strip(), content
    assert len(told.splitlines()) == 1, content
    assert len(told) <= 2000, content
    return False


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Damage text in one to four ways."""
    out = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        place, other = sorted((rng.randint(0, len(out)), rng.randint(0, len(out))))
        way = rng.randrange(7)
        if way == 0 and place < len(out):
            out[place] ^= 1 << rng.randrange(8)
        elif way == 1:
            del out[place : min(other, place + 12)]
        elif way == 2:
            out[place:place] = out[place : min(other, place + 60)]
        elif way == 3 and rng.random() < 0.2:
            del out[place:]
        elif way == 4:
            out[place:place] = rng.choice(PIECES)
        elif way == 5 and place < len(out):
            out[place : place + 1] = rng.choice(PIECES)
        elif numbers := list(re.finditer(rb"[0-9.eE+-]+", bytes(out))):
            number = rng.choice(numbers)
            out[number.start() : number.end()] = rng.choice(NUMBERS)
    return bytes(out)


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(tree, dict | list):
        for key, value in list(tree.items()) if isinstance(tree, dict) else enumerate(tree):
            yield from places(value, (*path, key))


def at(tree: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def rearranged(tree: Any, rng: random.Random) -> Any:
    """Change one to three values of a tree for others, whatever their types."""
    out = copy.deepcopy(tree)
    for _ in range(rng.randint(1, 3)):
        paths = [path for path in places(out) if path]
        if not paths:
            return out
        path = rng.choice(paths)
        parent, key, way = at(out, path[:-1]), path[-1], rng.randrange(6)
        if way <= 2:
            parent[key] = copy.deepcopy(rng.choice(ODD))
        elif way == 3:
            del parent[key]
        elif way == 4 and isinstance(parent, dict):
            parent[str(key)[:-1] or "z"] = parent.pop(key)
        elif way == 4:
            parent.insert(key, copy.deepcopy(parent[key]))
        else:
            parent[key] = copy.deepcopy(at(out, rng.choice(paths)))
    return out


def same(one: Network, other: Network) -> None:
    # by repr, because True == 1 == 1.0
    assert repr((one.names, one.states, one.parent_indices, one.class_index)) == repr(
        (other.names, other.states, other.parent_indices, other.class_index)
    )
    assert [cpt.tobytes() for cpt in one.cpts] == [cpt.tobytes() for cpt in other.cpts]


@given(networks())
def test_a_network_comes_back_from_json(network):
    same(Network.from_json(network.to_json()), network)


@given(mixtures())
def test_a_mixture_comes_back_from_json(mixture):
    read = Mixture.from_json(mixture.to_json())
    assert read.weights.tobytes() == mixture.weights.tobytes()
    for one, other in zip(read.components, mixture.components, strict=True):
        same(one, other)


@pytest.mark.slow
@given(networks())
def test_a_network_comes_back_from_bif(network):
    same(Network.from_bif(network.to_bif()), network)


@given(studies())
def test_a_study_comes_back_from_toml(text):
    study = read_study(text)
    again = read_study(write_study(study))
    assert numbers_of(again) == numbers_of(study)
    assert write_study(again) == write_study(study)


@given(tables())
def test_a_table_is_learned_from_or_refused_in_a_sentence(table):
    X, y = table

    def read(_: object) -> None:
        rows = Dataset.of(X, y, what="it")
        assert len(rows.codes) == len(X)
        learner = NaiveBayesClassifier().fit(rows.X, y)
        np.testing.assert_allclose(learner.predict_proba(rows.X).sum(axis=1), 1.0)
        assert learner.classes_.tolist() == sorted(y.cat.categories)

    survives(table, read)


def read_truth(text: str) -> None:
    truth = from_json(text)
    again = from_json(truth.to_json())
    assert again.to_json() == truth.to_json()
    if truth.class_index is not None:
        X, y = truth.sample(3, random_state=1)
        assert len(X) == len(y) == 3


JSON = [json.loads(TRUTH)]
JSON += [json.loads(random_aode(n_attributes=2, arity=2, n_classes=2, random_state=1).to_json())]
TIMES = 100


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_truth_in_json_is_a_truth_or_one_sentence(seed):
    rng = random.Random(seed)
    n_read = 0
    for _ in range(TIMES):
        content = damaged(json.dumps(rng.choice(JSON)).encode(), rng)
        n_read += survives(content.decode("utf-8", "replace"), read_truth)
        text = json.dumps(rearranged(rng.choice(JSON), rng))
        n_read += survives(text, read_truth)
    assert 0 < n_read < TIMES


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        TRUTH.replace("[0, 1]", "[" * 900 + "]" * 900),
        TRUTH.replace("[0, 1]", f"[0, {'9' * 5000}]"),
        TRUTH.replace("0.", "1e999999999"),
    ],
    ids=range(5),
)
def test_json_that_is_deep_or_holds_absurd_numbers_is_one_sentence(text):
    assert not survives(text, read_truth)


BIF = b"""network "small" {
  property "by hand";
}
variable xray { type discrete [ 2 ] { yes, no }; }
variable smoke {
  type discrete [ 2 ] { yes, no };
  property position = (73, 165) ;
}
probability ( xray | smoke ) {
  (yes) 0.98, 0.02;
  (no) 0.05, 0.95;
}
probability ( smoke ) {
  table 0.5, 0.5;
}
"""


def read_bif(text: str) -> None:
    read = Network.from_bif(f"{text}\n")
    assert all(np.allclose(cpt.sum(axis=-1), 1) for cpt in read.cpts)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_bif_text_is_a_network_or_one_sentence(seed):
    rng = random.Random(seed)
    own = random_tan(n_attributes=2, arity=2, n_classes=2, random_state=1).to_bif().encode()
    n_read = 0
    for _ in range(2 * TIMES):
        content = damaged(rng.choice([BIF, own]), rng)
        n_read += survives(content.decode("utf-8", "replace"), read_bif)
    assert 0 < n_read < 2 * TIMES


@pytest.mark.parametrize("ending", [".net", ".xml"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_file_of_a_network_is_a_network_or_one_sentence(seed, ending, tmp_path):
    rng = random.Random(seed)
    write_network(random_tan(n_attributes=2, arity=2, n_classes=2, random_state=1), tmp_path / f"own{ending}")
    own, n_read = (tmp_path / f"own{ending}").read_bytes(), 0
    for _ in range(TIMES):
        (tmp_path / f"odd{ending}").write_bytes(damaged(own, rng))
        n_read += survives(tmp_path / f"odd{ending}", read_network)
    assert 0 < n_read < TIMES


@pytest.mark.parametrize(
    "text",
    [
        "variable a { type discrete [ 2 ] { x, y }; }\n" * 2000 + "variable b {" * 2000,
        "variable " + "a " * 100_000 + "\n",
        "/*" * 100_000 + "\n",
        "variable a { type discrete [ 2 ] { x, y };\n" + "property " * 20_000 + "\n}\n",
        "variable a { type discrete [ 999999999 ] { x, y };\n}\nprobability ( a | a, a, a ) {\n}\n",
    ],
    ids=range(5),
)
def test_bif_that_repeats_itself_is_refused_at_once(text):
    assert not survives(text, Network.from_bif)


def test_bif_of_a_table_that_no_memory_holds_is_refused_before_it_is_made():
    names = [f"v{i}" for i in range(40)]
    states = ", ".join(f"s{i}" for i in range(50))
    text = "".join(f"variable {v} {{\n type discrete [ 50 ] {{ {states} }};\n}}\n" for v in names)
    text += f"probability ( v0 | {', '.join(names[1:])} ) {{\n}}\n"
    with pytest.raises(ValueError, match=r"too many entries .*characters"):
        Network.from_bif(text)


STUDY = f"""
name = "tiny"
seed = 1
keep_predictions = true
compared = ["cart", "nb2"]
learners = ["cart", "prior", {{key = "nb2", learner = "nb", alpha = 0.5}},
  {{key = "r", learner = "recalibrated", of = {{learner = "cart", max_depth = 2}}, folds = 3}}]

[[sources]]
generator = "tan"
n_attributes = 2
arity = [2, 3]

[[sources]]
key = "given"
json = ['''{TRUTH}''']

[design]
kind = "fresh_samples"
replicates = 3
sizes = [20, 40]
n_test = 50

[scores]
metrics = ["ir_b", "accuracy", {{key = "e", metric = "expected_calibration_error", n_bins = 10}}]
priors = ["training", "marginal"]
rows = ["test", "exact"]
cutoffs = ["none", "2002"]
"""
ON_TABLES = """
name = "tables"
seed = 1
learners = ["prior", "nb"]
[[sources]]
dataset = "iris"
[[sources]]
key = "w"
dataset = "wine"
[design]
kind = "half_splits"
repeats = 2
"""


def comes_back(text: str) -> None:
    study = read_study(f"\n{text}")
    assert numbers_of(read_study(write_study(study))) == numbers_of(study)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_study_is_a_study_or_one_sentence(seed, monkeypatch):
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    # a name of another data set would be looked for at OpenML
    monkeypatch.setattr("workbench.datasets.loading.fetch", refuse)
    rng = random.Random(seed)
    trees = [tomllib.loads(STUDY), tomllib.loads(ON_TABLES)]
    n_read = 0
    for _ in range(TIMES // 2):
        content = damaged(rng.choice([STUDY, ON_TABLES]).encode(), rng)
        n_read += survives(content.decode("utf-8", "replace"), comes_back, WorkbenchError)
        with contextlib.suppress(Exception):  # what TOML cannot express, such as None
            text = tomlkit.dumps(rearranged(rng.choice(trees), rng))
            n_read += survives(text, comes_back, WorkbenchError)
    assert 0 < n_read < TIMES


def refuse(openml_id: int) -> None:
    raise WorkbenchError(f"OpenML {openml_id} is not asked by tests")
