"""BIF out and in: everything comes back, other programs read it, and theirs is read."""

import logging
import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import Network, random_aode, random_tan
from generators.files.labels import exact_comments, exact_values, labels, labels_of, restored

# pgmpy takes seconds to import, and warns of its own modules
pytestmark = pytest.mark.filterwarnings("ignore:`pgmpy:FutureWarning")

NASTY = [
    "a b", "sepal length (cm)", "(-inf, 2.45]", "\"", "'", "a,b", "{", "}", "[1]", ";", "x;y", "2.5", "-",
    "a-b", "1", "01", "1e5", "α β", "Å", "ı", "x\ty", "//", "/*", "*/ a", "#", "a=b", "$name", "100%",
    "_", "__", "_x20_", "_x_", "_xzz_", "x20", "_X2a_", "_x2", "int_1", "INT_1", "int_", "float_x",
    "bool_True", "True", "table", "Table", "table1", "vegetable1", "defaultE", "tablee", "default",
    "variable", "variable1", "probability", "network", "type", "discrete", "property", "a_property",
    "role", "class", "generators_bif_1", "none", "nan", "inf", "A", "a", "aB", "Ab", "AB", "ſ", "S", "s",
    "🙂", "|", "", " ", "\n", "\0", "\\n", "\r\n", "*\\/", "\u2028", "\ud800", "<5", "<=5", ">=5", "≤ 5",
    "(5, 6]", "// a = {}", "// Exact names and states, by label, as JSON:", "le_5", "s1", "x" * 80,
    "role = class",
]  # fmt: skip
words = st.sampled_from(NASTY) | st.text(max_size=6) | st.text("_xX20aAbint ", max_size=8)
values = words | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats(allow_nan=False)


@pytest.fixture(autouse=True)
def quiet():
    logging.getLogger("pgmpy").setLevel(logging.ERROR)


@st.composite
def networks(draw, min_states=1):
    names = draw(st.lists(words, min_size=1, max_size=5, unique=True))
    states = [draw(st.lists(values, min_size=min_states, max_size=4, unique=True)) for _ in names]
    order = draw(st.permutations(range(len(names))))
    parents = [()] * len(names)
    for place, child in enumerate(order):
        above = st.lists(st.sampled_from(order[:place]), max_size=3, unique=True) if place else st.just([])
        parents[child] = tuple(draw(above))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    cpts = [
        rng.dirichlet(np.full(len(states[child]), 0.3), [len(states[above]) for above in parents[child]])
        for child in range(len(names))
    ]
    class_index = draw(st.none() | st.integers(0, len(names) - 1))
    return Network(names, states, parents, cpts, class_index)


def assert_same(one, other):
    # by repr, because True == 1 == 1.0
    assert repr((one.names, one.states, one.parent_indices, one.class_index)) == repr(
        (other.names, other.states, other.parent_indices, other.class_index)
    )
    assert [cpt.tobytes() for cpt in one.cpts] == [cpt.tobytes() for cpt in other.cpts]


@given(st.lists(values, min_size=1, max_size=8, unique=True))
def test_labels_are_words_that_differ_also_in_lower_case(own):
    made = labels(own, "s")
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", label) for label in made)
    assert len({label.lower() for label in made}) == len(own)


@given(networks())
def test_comments_have_all_that_labels_lack(truth):
    names, states = labels_of(truth)
    text = "\n".join(["// first", *exact_comments(truth, names, states, "//"), "network x {"])
    assert text.isprintable() or text.replace("\n", "").isprintable()
    assert "*/" not in text
    read = restored(exact_values(text, "//"), names, states)
    assert repr(read) == repr((list(truth.names), [list(own) for own in truth.states]))


def test_labels_can_be_read_aloud():
    readable = {
        "(-inf, 45.5]": "le_45_5", "(45.5, 50]": "gt_45_5_le_50", "[50, inf)": "ge_50", "<=45": "le_45",
        ">50K": "gt_50K", "≥ 3 kg": "ge_3_kg", 3: "s3", -1: "minus_1", 0.5: "s0_5", True: "True",
        "+": "plus", "-": "minus", "?": "symbol", "": "empty", "sepal length (cm)": "sepal_length_cm",
        "größe": "grosse", "β-blocker": "beta_blocker", "10%": "s10_percent", "R&D": "R_and_D",
        "LVFailure": "LVFailure", "table": "table_", "Pre-test": "Pre_test",
    }  # fmt: skip
    assert labels(list(readable), "s") == list(readable.values())


def test_equal_labels_are_numbered_and_words_keep_theirs():
    assert labels(["a b", "a_b", "A b", "a-b"], "s") == ["a_b_2", "a_b", "A_b_3", "a_b_4"]
    assert labels(["1", 1.0, "01"], "v") == ["v1", "v1_0", "v01"]


@pytest.mark.parametrize(
    "word",
    [
        "wet",
        "a_b",
        "int",
    ],
)
def test_what_bif_holds_stays_as_it_is(word):
    assert labels([word], "s") == [word]
    truth = Network((word,), ((word, f"{word}_"),), ((),), ([0.5, 0.5],))
    assert exact_comments(truth, *labels_of(truth), "//") == []


@pytest.mark.parametrize("state", [("a", "b"), 1 + 2j, type("Subclass", (str,), {})("a")])
def test_other_states_are_refused(state):
    with pytest.raises(ValueError, match=r"the state"):
        labels([state], "s")


def every_nasty_word() -> Network:
    """Each word is a name, and a state of the last variable; the other states are of all types."""
    names = list(dict.fromkeys(NASTY))
    states = [[1, "1", 0.5, False, f"{name}!"] for name in names]
    states[-1] = [*names, 5, 2.5, True, -0.0, float("inf"), 10**30, -1e-300]
    parents = [(), *((index - 1,) for index in range(1, len(names)))]
    rng = np.random.default_rng(0)
    families = list(zip(states, parents, strict=True))
    cpts = [rng.dirichlet(np.full(len(own), 0.1), [5][: len(up)]) for own, up in families]
    return Network(names, states, parents, cpts, class_index=7)


def check_our_reading(truth):
    assert_same(Network.from_bif(truth.to_bif()), truth)


def check_pgmpys_reading(truth):
    from pgmpy.readwrite import BIFReader

    model = BIFReader(string=truth.to_bif(), include_properties=True).get_model()
    assert model.check_model()
    names, states = labels_of(truth)
    assert list(model.nodes) == names
    marked = [place for place, name in enumerate(names) if model.nodes[name].get("role") == "class"]
    assert marked == ([] if truth.class_index is None else [truth.class_index])
    read = Network.from_pgmpy(model)
    assert read.parent_indices == truth.parent_indices
    assert [list(own) for own in read.states] == states
    assert all(map(np.array_equal, read.cpts, truth.cpts))


def check_pyagrums_reading(truth):
    gum = pytest.importorskip("pyagrum")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "truth.bif"
        truth.to_bif(path)
        model = gum.loadBN(str(path))
    names, states = labels_of(truth)
    assert [model.variable(name).labels() for name in names] == [tuple(own) for own in states]
    # every number of the joint follows from these; pyAgrum reads them in single precision
    for child, name in enumerate(names):
        cpt = model.cpt(name)
        axes = [cpt.names.index(names[v]) for v in (*truth.parent_indices[child], child)]
        # its first name is the variable itself, and its arrays have the names in reverse
        found = cpt.toarray().transpose([len(axes) - 1 - axis for axis in axes])
        np.testing.assert_allclose(found, truth.cpts[child], rtol=1e-6, atol=1e-30)


@pytest.mark.slow
@pytest.mark.parametrize("check", [check_our_reading, check_pgmpys_reading, check_pyagrums_reading])
def test_every_nasty_word_is_read_as_it_was(check):
    check(every_nasty_word())


@pytest.mark.slow
@pytest.mark.parametrize("check", [check_our_reading, check_pgmpys_reading])
@settings(max_examples=5)
@given(truth=networks())
def test_random_networks_are_read_as_they_were(check, truth):
    check(truth)


@pytest.mark.slow
@settings(max_examples=20)
@given(truth=networks(min_states=2))  # pyAgrum has no variables of one state
def test_pyagrum_reads_random_networks(truth):
    check_pyagrums_reading(truth)


@given(networks())
def test_the_text_is_plain_bif(truth):
    word, number = r"[A-Za-z_][A-Za-z0-9_]*", r"[0-9.]+(?:e-?[0-9]+)?"
    listed, numbers = rf"{word}(?:, {word})*", rf"{number}(?:, {number})*"
    lines = [
        rf"network {word} {{", rf"variable {word} {{", rf"    type discrete \[ \d+ \] {{ {listed} }};",
        r"    property role = class ;", rf"probability \( {word}(?: \| {listed})? \) {{",
        rf"    \( {listed} \) {numbers};", rf"    table {numbers} ;", "}", "//.*",
    ]  # fmt: skip
    for line in truth.to_bif().splitlines():
        assert line.isprintable()
        assert any(re.fullmatch(pattern, line) for pattern in lines), line


@pytest.mark.parametrize("truth", [random_tan(random_state=3), random_aode(random_state=3).components[0]])
def test_the_truth_that_comes_back_is_the_same_distribution(truth):
    read = Network.from_bif(truth.to_bif())
    assert truth.kl_divergence(read) == read.kl_divergence(truth) == 0.0


def test_a_class_that_is_named_counts_more_than_that_of_the_text():
    text = random_tan(n_attributes=3, random_state=1).to_bif()
    assert Network.from_bif(text, class_name="x1").class_name == "x1"
    with pytest.raises(ValueError, match="unknown variable 'z'"):
        Network.from_bif(text, class_name="z")


FOREIGN = """// by hand, in the manner of the repositories
network "a small one" {
  property "written by hand; not by us";
}
variable xray { type discrete [ 2 ] { yes, no }; }
variable int_1 { /* a name
  that looks like an escape */
  type discrete[3] { int_0, 1, _x20_ };
  property position = (73, 165) ;
}
variable smoke {
  type discrete [ 2 ] { yes, no };
}
probability ( xray | int_1, smoke ) {
  (int_0, yes) 0.98, 0.02;
  (int_0, no) 0.05, 0.95;
  (_x20_, no) 1.0e-1, 9e-1;
  (1, yes) 0.5, 0.5;
  (1, no) 0, 1;
  (_x20_, yes) 0.25, 0.75;
}
probability ( int_1 ) { table 0.333, 0.333, 0.333; }
probability ( smoke ) {
  table 0.5, 0.5;
}"""


@pytest.mark.parametrize("text", [FOREIGN, FOREIGN.replace("\n", "\r\n"), FOREIGN + "\n\n"])
def test_text_of_others_is_read_as_strings_without_a_class(text):
    read = Network.from_bif(text)
    assert read.names == ("xray", "int_1", "smoke")
    assert read.states == (("yes", "no"), ("int_0", "1", "_x20_"), ("yes", "no"))
    assert read.parent_indices == ((1, 2), (), ())
    assert read.class_index is None
    assert read.cpts[0][..., 0].tolist() == [[0.98, 0.05], [0.5, 0.0], [0.25, 0.1]]
    np.testing.assert_allclose(read.cpts[1], 1 / 3, rtol=1e-15)
    assert Network.from_bif(text, class_name="smoke").class_name == "smoke"


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("variable smoke {", "variable smoke", r"^line 12, column 3: found 'type', expected \{"),
        (
            "[ 2 ] { yes, no }; }",
            "[ 3 ] { yes, no }; }",
            r"^line 5, column 33: 'xray' is declared with 3 states and lists",
        ),
        ("probability ( smoke )", "probability ( xray )", "^line 23, column 15: 'xray' has a second block"),
        ("(1, yes)", "(2, yes)", "^line 18, column 3: the block of 'xray' has a row for '2, yes'"),
        ("  (1, yes) 0.5, 0.5;\n", "", r"the row int_1='1', smoke='yes' of the CPT of 'xray' sums to 0"),
        ("(1, yes) 0.5, 0.5", "(1, yes) 0.5, 0.4", "sums to 0.9"),
        (
            "(1, yes) 0.5, 0.5",
            "(1, yes) 0.5",
            "^line 18, column 3: the block of 'xray' has a row of length 1",
        ),
        ("table 0.5, 0.5;\n}", "table 0.5, 0.5;\n", r"^line 25, column 1: found the end, expected table.*\}"),
    ],
)
def test_malformed_text_is_refused_in_a_sentence(old, new, message):
    assert old in FOREIGN
    with pytest.raises(ValueError, match=message) as caught:
        Network.from_bif(FOREIGN.replace(old, new))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", " \n", "network x {\n}\n"])
def test_text_without_a_variable_is_refused(text):
    with pytest.raises(ValueError, match="no variable"):
        Network.from_bif(text)


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            "// a = {",
            "// a = ",
            "line 3: the comment .* does not have the form .*: correct it, or remove",
        ),
        ('"s0": 0', '"s0": null', "line 3: the comment .* does not have the form"),
        (
            '"s0": 0',
            '"s9": 0',
            "the comments name 's9'",
        ),
        ("// a = {", "// b = {", "the comments name 'b'"),
    ],
)
def test_comments_that_do_not_fit_are_refused(old, new, message):
    text = Network(("a",), ((0, 1),), ((),), ([0.5, 0.5],)).to_bif()
    assert old in text
    with pytest.raises(ValueError, match=message):
        Network.from_bif(text.replace(old, new))


def test_without_its_comments_a_text_has_its_labels_and_its_class():
    truth = Network(("a b", "y"), ((0, 1), (True, False)), ((1,), ()), (np.full((2, 2), 0.5), [0.5, 0.5]), 1)
    text = "\r\n".join(line for line in truth.to_bif().split("\n") if not line.startswith("//"))
    read = Network.from_bif(text)
    assert (read.names, read.states, read.class_name) == (
        ("a_b", "y"),
        (("s0", "s1"), ("True", "False")),
        "y",
    )
    assert_same(Network.from_bif(truth.to_bif().replace("\n", "\r\n")), truth)


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"'nowhere.bif' cannot be read .* or its text"):
        Network.from_bif("nowhere.bif")
    (tmp_path / "latin.bif").write_bytes("variable größe".encode("latin-1"))
    with pytest.raises(ValueError, match="is not in UTF-8: convert it first"):
        Network.from_bif(tmp_path / "latin.bif")


def test_cutting_our_text_anywhere_never_gives_another_network():
    truth = random_tan(n_attributes=2, arity=2, n_classes=2, random_state=1)
    text = truth.to_bif()
    for end in range(0, len(text.rstrip()), 31):
        with pytest.raises(ValueError, match=r": (give|expected|correct|close|declare|make)"):
            Network.from_bif(text[:end] + "\n")


# -- default entries -----------------------------------------------------------------------------

WITH_DEFAULT = FOREIGN.replace(
    """  (_x20_, no) 1.0e-1, 9e-1;
  (1, yes) 0.5, 0.5;
  (1, no) 0, 1;
  (_x20_, yes) 0.25, 0.75;
""",
    """  default 0.7, /* two
  lines */ 0.3;
""",
)
LINE = WITH_DEFAULT[: WITH_DEFAULT.index("default")].count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        WITH_DEFAULT,
        WITH_DEFAULT.replace("\n", "\r\n"),
        WITH_DEFAULT.replace("xray | int_1, smoke", '"xray" | "int_1", "Smoke"'),
        WITH_DEFAULT.replace("}\nprobability", "} probability"),
    ],
)
def test_a_default_is_the_row_of_all_that_are_not_listed(text):
    read = Network.from_bif(text)
    assert read.cpts[0][..., 0].tolist() == [[0.98, 0.05], [0.7, 0.7], [0.7, 0.7]]
    assert read.cpts[2].tolist() == [0.5, 0.5]
    assert_same(Network.from_bif(read.to_bif()), read)


def test_a_default_may_be_all_that_a_block_has():
    block = WITH_DEFAULT[WITH_DEFAULT.index("  (int_0, yes)") : WITH_DEFAULT.index("  default")]
    text = WITH_DEFAULT.replace(block, "").replace("table 0.5, 0.5", "default 0.4, 0.6")
    read = Network.from_bif(text)
    np.testing.assert_array_equal(read.cpts[0], np.broadcast_to([0.7, 0.3], (3, 2, 2)))
    assert read.cpts[2].tolist() == [0.4, 0.6]


def test_listed_zeros_are_not_filled_by_the_default():
    with pytest.raises(ValueError, match=r"the row int_1='int_0', smoke='no' .* sums to 0"):
        Network.from_bif(WITH_DEFAULT.replace("0.05, 0.95", "0, 0"))


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            "lines */ 0.3;",
            "lines */ 0.2, 0.1;",
            rf"^line {LINE}, column 3: the block of 'xray' has a row of length 3",
        ),
        (
            "lines */ 0.3;",
            "*/0.3; default 1,0;",
            rf"^line {LINE + 1}, column 10: the block of 'xray' has a second default",
        ),
        (
            "(int_0, no)",
            "(2, no)",
            rf"^line {LINE - 1}, column 3: the block of 'xray' has a row for '2, no': expected a st",
        ),
        (
            "0.05, 0.95",
            "1.0",
            rf"^line {LINE - 1}, column 3: the block of 'xray' has a row of length 1: expected 2",
        ),
    ],
)
def test_a_malformed_block_with_a_default_is_named_with_its_line(old, new, message):
    assert old in WITH_DEFAULT
    with pytest.raises(ValueError, match=message) as caught:
        Network.from_bif(WITH_DEFAULT.replace(old, new))
    assert "\n" not in str(caught.value)


def test_a_few_words_of_default_make_no_large_table():
    names = [f"v{i}" for i in range(40)]
    text = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
    text += f"probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}\n"
    with pytest.raises(ValueError, match="the table of 'v0' has too many entries"):
        Network.from_bif(text)


@pytest.mark.parametrize("closed", ["left", "both"])
def test_intervals_of_pandas_come_back(closed):
    ends = [(-np.inf, -1.5), (-1.5, 2), (2, 10**20), (1e20, np.inf)]
    states = tuple(pd.Interval(*both, closed=closed) for both in ends)
    cut = Network(("x", "y"), (states, ("a", 1)), ((), (0,)), ([0.25] * 4, [[0.5, 0.5]] * 4))
    for back in (Network.from_bif(cut.to_bif()), Network.from_json(cut.to_json())):
        assert back.states == cut.states
        assert [type(one.left) for one in back.states[0]] == [type(one.left) for one in states]
        assert back.to_bif() == cut.to_bif()
    table = pd.cut(pd.Series([0.0, 1.0, 2.0]), 2)
    assert Network(("x",), (tuple(table.cat.categories),), ((),), ([0.5, 0.5],)).to_bif()


def test_other_intervals_are_refused():
    days = pd.Interval(pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-02"))
    truth = Network(("x",), ((days, "other"),), ((),), ([0.5, 0.5],))
    for write in (truth.to_bif, truth.to_json):
        with pytest.raises(ValueError, match="Interval"):
            write()
    text = Network(("x",), ((pd.Interval(0, 1), "other"),), ((),), ([0.5, 0.5],)).to_json()
    with pytest.raises(ValueError, match="interval"):
        Network.from_json(text.replace('"right"', '"shut"'))


# -- the grammar ------------------------------------------------------------------------------------

TWO = """network u {
}
variable A {
  type discrete [ 2 ] { t, f };
}
variable B {
  type discrete [ 2 ] { x, y };
}
probability ( A ) {
  table 0.2, 0.8;
}
probability ( B | A ) {
  (t) 0.25, 0.75;
  (f) 0.5, 0.5;
}
"""
A_BLOCK, B_BLOCK = TWO[TWO.index("variable A") : TWO.index("variable B")], TWO[TWO.index("probability ( B") :]


@pytest.mark.parametrize(
    "old, new",
    [
        (
            "  type discrete [ 2 ] { t, f };",
            "  property position = (1, 2) ;\n  type discrete [ 2 ] { t, f };",
        ),
        ("network u {\n}\n", ""),
        ("network u {\n}\n", 'network "a name" {\n  property author = us;\n}\n'),
        (TWO, TWO.replace("{\n}\n", "{\n", 1) + "}\n"),
        (TWO, B_BLOCK + TWO.replace(B_BLOCK, "")),
        (TWO, re.sub("network|variable|probability|type|discrete|table", lambda word: word[0].upper(), TWO)),
        (TWO, "\ufeff" + TWO.replace("\n", "\r\n")),
        (TWO, TWO.replace("\n", " ") + "\n"),
        ("{ t, f }", '{ "t" | "f" }'),
        ("0.2, 0.8;", "2e-1 | 8.0E-1 ;"),
        ("( B | A )", "( B A )"),
        ("( B | A )", '( "B" | "a" )'),
        (
            "  (t) 0.25, 0.75;\n  (f) 0.5, 0.5;",
            "  table 0.25 0.5 0.75 0.5; // the states of B are the slowest",
        ),
        ("  (t) 0.25, 0.75;\n  (f) 0.5, 0.5;", "  (f) 0.5 0.5; default .25 .75;"),
        ("};\n}", "} /* no end */\n};"),
    ],
    ids=range(15),
)
def test_the_grammar_allows_what_people_write(old, new):
    assert old in TWO
    assert_same(Network.from_bif(TWO.replace(old, new)), Network.from_bif(TWO))


def test_quoted_names_and_states_hold_what_words_cannot():
    text = TWO.replace(" A ", ' "My Var" ').replace("{ t, f }", '{ "(0, 5]", "a, b" }')
    read = Network.from_bif(text.replace("(t)", '("(0, 5]")').replace("(f)", '("a, b")'))
    assert (read.names, read.states[0], read.parent_indices) == (
        ("My Var", "B"),
        ("(0, 5]", "a, b"),
        ((), (0,)),
    )
    assert_same(Network.from_bif(read.to_bif()), read)


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            "{ t, f }",
            "{ low (<5), f }",
            r"^line 4, column 29: the state 'low \(<5\)' of 'A' has .* '\('.* quotes",
        ),
        (
            "{ t, f }",
            "{ f, (0.0, 5.0] }",
            r"the state '\(0.0, 5.0\]' of 'A' has the character '\('.* rename it$",
        ),
        ("{ t, f }", "{ f, [low }", r"the state '\[low' of 'A' has the character '\['"),
        ("{ t, f }", "{ f, very low }", "the state 'very low' of 'A' has the character ' '"),
        ("{ t, f }", "{ t, t }", "has a row for 'f'"),
        ("{ t, f }", "{ t, f", r"^line 4, column 29: found ';', expected a state or \}"),
        ("variable A", "variable My Var", r"^line 3, column 13: found 'Var', expected \{: correct it$"),
        (
            "( B | A )",
            "( My Var | A )",
            "^line 12, column 18: found 'Var', expected '|' after one name.* quotes",
        ),
        (
            "variable A",
            "variabel A",
            "^line 3, column 1: found 'variabel', expected variable, probability, network",
        ),
        ("type discrete", "type continuous", "^line 4, column 8: found 'continuous', expected discrete"),
        ("0.2, 0.8;", "0.2, O.8;", "^line 10, column 14: found 'O.8', expected a number or ;"),
        ("0.2, 0.8;", "0_2, 0.8;", "found '0_2', expected a number"),
        ("0.2, 0.8;", "0.2, 0.8", r"^line 11, column 1: found '\}', expected a number or ;"),
        ("0.2, 0.8;", "0.2, nan;", "'A' has a negative or undefined entry"),
        ("( A ) {\n  table", "( A | B ) {\n  default", "cycle"),
        (
            "( B | A )",
            "( B | C )",
            "^line 12, column 15: the block of 'B' is about 'C', which is not a variable",
        ),
        ("  (t)", "  table 1 0 0 1;\n  (t)", "'B' has a table and rows"),
        ("  (f) 0", "  (t) 0", "^line 14, column 3: the block of 'B' has a second row for 't'"),
        (A_BLOCK, A_BLOCK + A_BLOCK, "^line 6, column 10: 'A' is declared a second time"),
        (B_BLOCK, "", "'B' has no probabilities"),
        ("network u", 'network "u', "a quotation mark is not closed"),
    ],
    ids=range(21),
)
def test_a_fault_is_one_sentence_with_its_place(old, new, message):
    assert old in TWO
    with pytest.raises(ValueError, match=message) as caught:
        Network.from_bif(TWO.replace(old, new, 1))
    assert "\n" not in str(caught.value)
