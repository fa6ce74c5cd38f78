"""Networks in files: XMLBIF and Hugin's .net are read as pgmpy reads them, and come back as they were."""

import gzip
import logging
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import Network, random_dag, random_tan, read_network, write_network

# pgmpy takes seconds to import, and warns of its own modules
pytestmark = pytest.mark.filterwarnings("ignore:`pgmpy:FutureWarning")
ENDINGS = (".bif", ".xml", ".net")

NAMES = st.sampled_from(
    ["a b", "(0, 5]", "x, y", '"', "\\\\", "a -- b", "<&>", "]]>", "größe", "🙂", "%", "//", "", "-->"]
)
words = NAMES | st.text(max_size=6)
values = words | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False)


@st.composite
def networks(draw):
    names = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    states = [draw(st.lists(values, min_size=1, max_size=4, unique=True)) for _ in names]
    parents = [
        tuple(draw(st.lists(st.sampled_from(range(v)), max_size=2, unique=True)) if v else ())
        for v in range(len(names))
    ]
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    cpts = [
        rng.dirichlet(np.full(len(own), 0.3), [len(states[above]) for above in up])
        for own, up in zip(states, parents, strict=True)
    ]
    return Network(names, states, parents, cpts, draw(st.none() | st.integers(0, len(names) - 1)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("networks")


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=60, deadline=None)
@given(truth=networks())
def test_every_network_comes_back(folder, ending, truth):
    path = folder / f"truth{ending}"
    write_network(truth, path)
    assert read_network(path) == truth


@pytest.mark.parametrize("ending", ENDINGS)
def test_intervals_of_pandas_and_numbers_come_back(tmp_path, ending):
    states = (pd.Interval(-np.inf, 2), pd.Interval(2, 10**20))
    truth = Network(("x", "y"), (states, (1, 2.5)), ((), (0,)), ([0.3, 0.7], [[0.1, 0.9], [1 / 3, 2 / 3]]), 1)
    write_network(truth, tmp_path / f"cut{ending}")
    assert read_network(tmp_path / f"cut{ending}") == truth


def pgmpys(ending: str, text: str) -> tuple[list[str], dict, dict, dict]:
    """Return what pgmpy reads: names, and by name states, parents and tables with the variable first."""
    logging.getLogger("pgmpy").setLevel(logging.ERROR)
    from pgmpy import readwrite

    if ending == ".xml":
        # it takes no declared encoding in text
        reader = readwrite.XMLBIFReader(string=text.partition("?>\n")[2])
        return reader.variables, reader.variable_states, reader.variable_parents, reader.variable_CPD
    reader = {".bif": readwrite.BIFReader, ".net": readwrite.NETReader}[ending](string=text)
    states = {name: [state.strip('"') for state in own] for name, own in reader.variable_states.items()}
    return reader.variable_names, states, reader.variable_parents, reader.variable_cpds


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("truth", [random_tan(random_state=3), random_dag(n_nodes=6, random_state=4)])
def test_pgmpy_reads_the_same(tmp_path, ending, truth):
    path = tmp_path / f"truth{ending}"
    write_network(truth, path)
    text = path.read_text()
    names, states, parents, tables = pgmpys(ending, text)
    read = read_network(path)
    labelled = [f"s{state}" if isinstance(state, int) else state for state in range(9)]
    assert list(names) == list(read.names)
    for v, name in enumerate(names):
        assert list(parents.get(name, ())) == [read.names[above] for above in read.parent_indices[v]]
        assert list(states[name]) == labelled[: len(read.states[v])]
        rows = read.cpts[v].reshape(-1, len(read.states[v]))
        np.testing.assert_allclose(
            np.asarray(tables[name], float).reshape(len(rows.T), -1), rows.T, atol=1e-12
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["asia", "child", "hailfinder", "water"])
def test_published_networks_are_the_same_in_every_format(tmp_path, name):
    import pgmpy

    models = Path(pgmpy.__file__).parent / "utils" / "example_models"
    with gzip.open(models / f"{name}.bif.gz", "rt") as file:
        truth = Network.from_bif(file.read())
    for ending in ENDINGS:
        write_network(truth, tmp_path / f"{name}{ending}")
        assert read_network(tmp_path / f"{name}{ending}") == truth


XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
  <!ATTLIST BIF VERSION CDATA #REQUIRED>
  <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>by hand</NAME>
<DEFINITION>
  <FOR>wet grass</FOR>
  <GIVEN>rain</GIVEN>
  <TABLE>0.9 0.1 <!-- dry --> 0.25 7.5e-1</TABLE>
</DEFINITION>
<VARIABLE TYPE="nature">
  <NAME>rain</NAME>
  <OUTCOME>(0, 5]</OUTCOME>
  <OUTCOME>&lt;0</OUTCOME>
  <PROPERTY>position = (73, 165)</PROPERTY>
  <PROPERTY>role = class</PROPERTY>
</VARIABLE>
<VARIABLE TYPE="nature"><NAME>wet grass</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
<DEFINITION><FOR>rain</FOR><TABLE>0.2 0.8</TABLE></DEFINITION>
</NETWORK>
</BIF>
"""
NET = """% by hand
class_of_files = "ignored";
net
{
    node_size = (80 40);
    HR_Grid_X = "10";
}

discrete node rain
{
    label = "It rains; { or not }";
    position = (100 200);
    states = ("(0, 5]" "a \\"quote\\"");
    role = "class";
}
potential (grass | rain) % before its variable
{
    data = ((0.9 0.1)   % dry
            (0.25 7.5e-1));
}
node grass { states = ("no" "yes"); subtype = label; }
potential ( rain ) { data = ( 0.2 0.8 ); }
""".replace('class_of_files = "ignored";\n', "")


def test_what_others_write_is_read(tmp_path):
    (tmp_path / "a.xml").write_text(XML)
    (tmp_path / "latin.xml").write_bytes(
        XML.replace("UTF-8", "ISO-8859-1").replace("grass", "grün").encode("latin-1")
    )
    (tmp_path / "a.net").write_text(NET.replace("\n", "\r\n"))
    xml, net = read_network(tmp_path / "a.xml"), read_network(tmp_path / "a.net")
    assert (xml.names, xml.states[0], xml.class_name) == (("rain", "wet grass"), ("(0, 5]", "<0"), "rain")
    assert (net.names, net.states[0], net.class_name) == (("rain", "grass"), ("(0, 5]", 'a "quote"'), "rain")
    for read in (xml, net):
        assert [cpt.tolist() for cpt in read.cpts] == [[0.2, 0.8], [[0.9, 0.1], [0.25, 0.75]]]
    assert read_network(tmp_path / "latin.xml", class_name="wet grün").class_index == 1


LAUGHS = '<!DOCTYPE BIF [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><BIF><NETWORK><NAME>&b;</NAME></NETWORK></BIF>'


@pytest.mark.parametrize(
    "ending, old, new, message",
    [
        (".xml", XML, LAUGHS, "^line 1, column .*: found the entity 'a', expected none"),
        (".xml", XML, LAUGHS.replace("ENTITY a", "ENTITY % a"), "the entity 'a'"),
        (".xml", XML, LAUGHS.replace('a "ha"', 'a SYSTEM "file:///etc/hostname"'), "the entity 'a'"),
        (".xml", "0.2 0.8", "0.2 &a; 0.8", "^line 23, column .*undefined entity: correct the XML"),
        (".xml", "</NETWORK>", "", "^line .*: mismatched tag: correct the XML"),
        (".xml", XML, "", "no element found"),
        (".xml", XML, "<smile/>", "found <SMILE>, expected BIF"),
        (".xml", "0.2 0.8", "0.2 o.8", "^line 23, column 1: the table of 'rain' is wrong, .*o.8"),
        (".xml", "0.2 0.8", "0.2", "^line 23, column 1: the table of 'rain' has 1 numbers: expected 2"),
        (".xml", "<FOR>rain</FOR>", "", "has 0 parts <FOR>: expected one"),
        (".xml", 'TYPE="nature">\n', 'TYPE="utility">\n', "of the type 'utility'"),
        (".xml", "<GIVEN>rain", "<GIVEN>snow", "^line 10, column 1: .* 'snow', which is not a variable"),
        (".xml", "<OUTCOME>no", "<VALUE>1</VALUE><OUTCOME>no", "found <VALUE> in <VARIABLE>, expected NAME"),
        (".xml", "UTF-8", "klingon", "encoding"),
        (
            ".net",
            "discrete node",
            "continuous node",
            "^line 8, column 1: found 'continuous', expected net, node",
        ),
        (".net", "node grass", "utility grass", "found 'utility'"),
        (".net", "0.2 0.8", "0.2 0,8 x", "found 'x', expected a number or ;"),
        (".net", "0.2 0.8", "0.2 0.8 0", "the table of 'rain' has 3 numbers: expected 2"),
        (".net", "data = ( 0.2 0.8 );", "", "the table of 'rain' has 0 numbers"),
        (".net", "(grass | rain)", "(grass rain)", r"found 'rain', expected \)"),
        (".net", 'states = ("no" "yes");', "", "'grass' has no states"),
        (".net", "HR_Grid_X =", "HR_Grid_X", "^line 5, column .*: found '10', expected ="),
    ],
    ids=range(22),
)
def test_a_fault_is_one_sentence(tmp_path, ending, old, new, message):
    text = {".xml": XML, ".net": NET}[ending]
    assert old in text
    path = tmp_path / f"odd{ending}"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=message) as caught:
        read_network(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name, message",
    [
        ("a.dne", "Netica.*GeNIe.*Hugin's .net"),
        ("a.xdsl", "network of GeNIe"),
        ("a.dsc", "MSBNx"),
        ("a.txt", r"the ending '.txt': expected one of .bif, .net, .xml"),
    ],
)
def test_other_formats_are_refused_by_name(name, message):
    for attempt in (read_network, lambda path: write_network(random_tan(random_state=1), path)):
        with pytest.raises(ValueError, match=message):
            attempt(name)
