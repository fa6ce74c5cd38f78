"""What a report shows of a whole study: its figures, their tables, how many truths were passed over."""

import importlib.metadata
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import VotingClassifier
from sklearn.naive_bayes import BernoulliNB

import workbench
from generators import random_tan
from learners import NaiveBayesClassifier, TANClassifier
from tests.marks import mostly_slow
from workbench import load, read_study, run
from workbench.analyses import BestMap, BiasVariance, SampleComplexity, paired_scores
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.names import source_name
from workbench.designs import FreshSamples
from workbench.figures import STUDY_FIGURES, StudyDisplay, bias_variance
from workbench.report.content import gather
from workbench.report.document import Document, Picture, Section, Text
from workbench.report.findings import Findings
from workbench.report.renderers.forms import write_forms
from workbench.report.renderers.html import write_html
from workbench.report.renderers.latex import write_latex
from workbench.report.renderers.markdown import write_markdown
from workbench.report.renderers.pictures import pictures_of
from workbench.report.sections import truths as report_truths
from workbench.report.sections.study_figures import SECTION as ACROSS_SECTION
from workbench.report.table import Number, Table
from workbench.report.words import source_word
from workbench.store.restored_study import stored_sources
from workbench.study.source import Source

ACROSS = ACROSS_SECTION.title
EMPTY = Document("t", "", "", (), "", (), (), "", (), "")
SIZES = (20, 100, 1000)
STUDY = """
name = "several training sets"
seed = 4
learners = ["nb", "tan", "truth"]
[[sources]]
generator = "tan"
n_attributes = 2
[[sources]]
key = "hard ones"
generator = "tan"
n_attributes = 3
n_classes = 2
bayes_error = [0.2, 0.3]
class_entropy = [0.5, 1]
[design]
replicates = 3
sizes = [20, 200]
n_test = 40
training_sets = 3
[scores]
metrics = ["ir_b"]
"""


def parts_of(results, section=ACROSS_SECTION, kind=object):
    """Return the parts of one section, without the others, which take their time to be computed and drawn."""
    if not section.applies(results):
        return []
    return [part for part in section.parts(Findings(results, results.choose())) if isinstance(part, kind)]


def across(results):
    """Return a report of that section alone."""
    return replace(EMPTY, title=results.study.name, sections=(Section(ACROSS, tuple(parts_of(results))),))


def names(results):
    return [part.name for part in parts_of(results, kind=Picture)]


def learner(seed, sizes=SIZES, n=3):
    """Return scores of `n` truths that rise with the size and stay below 1."""
    noise = np.random.default_rng(seed).uniform(-0.1, 0.1, size=(n, len(sizes)))
    return np.linspace(0.2, 0.8, len(sizes)) + noise


def study_of(n_learners=3, sizes=SIZES, n=3):
    return {f"learner_{i}": learner(i, sizes, n) for i in range(n_learners)}


def with_truth(scores, value=1.0):
    return {**scores, "truth": np.full_like(next(iter(scores.values())), value)}


def numbers_of(table):
    return {cell.name: cell for row in table.rows for cell in row if isinstance(cell, Number) and cell.name}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "sets.db"
    run(read_study(STUDY), path)
    return path


# The map


@pytest.mark.parametrize("sources", mostly_slow([["tan"], ["tan", "aode"]], 1))
def test_a_report_has_one_map_and_its_table_says_what_the_analysis_found(made_up, sources):
    results = made_up({key: study_of() for key in sources}, sizes=SIZES)
    assert names(results) == ["best_map"]
    (table,) = parts_of(results, kind=Table)
    found = BestMap.of(paired_scores(results)).table
    assert len(table.rows) == len(found) == len(sources) * len(SIZES)
    for row, expected in zip(table.rows, found.itertuples(), strict=True):
        second = expected.second if expected.p_second > 0 else "\u2013"
        assert (row[0], row[1].value, row[2], row[4]) == (
            source_name(expected.source), expected.n_train, expected.best, second,
        )  # fmt: skip
        assert (row[3].value, row[5].value) == (expected.p_best, expected.p_second)


def test_a_probability_from_resamples_is_never_shown_as_certain(made_up):
    sure = {"good": learner(1) + 10, "bad": learner(2)}
    (table,) = parts_of(made_up({"tan": sure}, sizes=SIZES), kind=Table)
    assert {(row[2], row[3].text, row[4], row[5].text) for row in table.rows} == {
        ("good", "> 0.999", "\u2013", "< 0.001")
    }


def test_there_is_no_map_of_one_truth_or_of_one_learner(made_up):
    assert parts_of(made_up({"tan": study_of(n=1)}, sizes=SIZES)) == []
    assert parts_of(made_up({"tan": study_of(n_learners=1)}, sizes=SIZES)) == []


def test_the_map_leaves_out_the_sources_that_cannot_be_compared(made_up):
    one, few = study_of(n_learners=1), study_of(n=1)
    results = made_up({"odd": one, "tan": study_of(), "few": few}, sizes=SIZES)
    (table,) = parts_of(results, kind=Table)
    assert {row[0] for row in table.rows} == {"TAN"}
    assert names(results) == ["best_map"]


# Rows needed


def test_rows_needed_are_shown_where_the_truth_and_three_sizes_are_there(made_up):
    results = made_up({"tan": with_truth(study_of()), "aode": with_truth(study_of())}, sizes=SIZES)
    assert names(results) == ["best_map", "sample_complexity"]
    table = parts_of(results, kind=Table)[-1]
    found = SampleComplexity.of(paired_scores(results)).table
    numbers = numbers_of(table)
    assert len(numbers) == len(found) == 12
    for row in found.itertuples():
        cell = numbers[f"rows_needed|ir_b|marginal|exact|none|{row.source}|{row.learner}|{row.share}"]
        assert (cell.value, cell.low, cell.high) == (row.n_train, row.low, row.high)
        assert cell.text.startswith(f"{row.label} [")


def test_rows_needed_are_left_out_in_silence_without_truth_or_with_two_sizes(made_up):
    two = (20, 1000)
    without, short = study_of(), with_truth(study_of(sizes=two))
    for results in (made_up({"tan": without}, sizes=SIZES), made_up({"tan": short}, sizes=two)):
        assert names(results) == ["best_map"]
        assert parts_of(results, kind=Text) == []


def test_why_rows_needed_are_not_drawn_is_said_where_the_study_is_made_for_it(made_up):
    results = made_up({"tan": with_truth(study_of(), value=0.0)}, sizes=SIZES)
    assert names(results) == ["best_map"]
    (said,) = parts_of(results, kind=Text)
    assert "on tan" in said.content


# Bias and variance


@pytest.mark.slow
def test_bias_and_variance_are_shown_for_each_source_with_the_numbers_of_the_analysis(store):
    results = load(store)
    assert names(results) == ["best_map", "bias_variance_tan", "bias_variance_hard_ones"]
    tables = parts_of(results, kind=Table)[1:]
    assert [table.title.split(":")[0] for table in tables] == ["TAN truths", "hard ones truths"]
    numbers = {name: cell for table in tables for name, cell in numbers_of(table).items()}
    found = BiasVariance.of(results).table
    assert len(numbers) == 3 * len(found) == 24
    for row in found.to_dict("records"):
        for what in ("loss", "bias", "variance"):
            cell = numbers[
                f"{what}|kl_divergence|none|test|none|{row['source']}|{row['learner']}|{row['n_train']}"
            ]
            expected = (row[what], row[f"{what}_low"], row[f"{what}_high"])
            assert (cell.value, cell.low, cell.high) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_too_many_kept_predictions_are_not_read_and_the_report_says_how_to_draw_them(store, monkeypatch):
    results = load(store)
    for name, most in {"MOST_PREDICTIONS": 72, "MOST_FORECASTS": 72 * 40, "MOST_TRUTHS": 6}.items():
        monkeypatch.setattr(bias_variance, name, most)
    assert len(names(results)) == 3
    monkeypatch.setattr(bias_variance, "MOST_TRUTHS", 5)
    monkeypatch.setattr(BiasVariance, "of", lambda *_, **__: pytest.fail("it was read"))
    assert names(results) == ["best_map"]
    (said,) = parts_of(results, kind=Text)
    for fact in ("72 kept predictions of 2,880 rows on 6 truths", "workbench analyze bias STORE"):
        assert fact in said.content


@pytest.mark.slow
def test_what_hinders_bias_and_variance_is_said(tmp_path):
    study = replace(read_study(STUDY), keep_predictions=False)
    (said,) = parts_of(run(study, tmp_path / "bare.db"), kind=Text)
    assert "no predictions" in said.content
    learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    given_truths = {
        "on": [random_tan(n_attributes=2, random_state=seed) for seed in range(2)],
        "design": FreshSamples(replicates=1, sizes=(20,), n_test=20, training_sets=2),
    }
    (said,) = parts_of(workbench.compare(learners, **given_truths), kind=Text)
    assert "memory" in said.content
    stored = {**given_truths, "store": tmp_path / "given.db"}
    assert "bias_variance_truths" in names(workbench.compare(learners, **stored))
    unjudged = VotingClassifier([("one", BernoulliNB()), ("two", BernoulliNB())], voting="soft")
    results = workbench.compare({**learners, "vote": unjudged}, **stored)
    with pytest.raises(WorkbenchError, match=r"Python objects .*: learner 'vote'"):  # TOML cannot express it
        results.study.to_toml()
    assert "bias_variance_truths" in names(results)


# Figures of others


@dataclass
class Counted(StudyDisplay):
    """Draw how many cells there are."""

    n: int
    key = "counted"
    title = "Cells"

    @classmethod
    def from_results(cls, results, **score):
        return cls(len(results.cells()))

    def draw(self, ax):
        ax.set_title("counted")

    @property
    def caption(self):
        return f"There are {self.n} cells."


class OfEach(Counted):
    """Return nothing for the first source."""

    key = "of_each"

    @classmethod
    def reported(cls, results, experiments):
        for one in experiments:
            display = cls(len(one.blocks))
            display.source = one.source
            yield display
        yield "The cells of `others` are not drawn."


class Never(Counted):
    """Fail in the foreseen way."""

    @classmethod
    def from_results(cls, results, **score):
        raise WorkbenchError("it cannot be")


TWO = {"tan": study_of(), "a b": study_of()}


@pytest.mark.slow
def test_a_figure_of_one_line_more_is_drawn_in_every_form(made_up, monkeypatch, tmp_path):
    for kind in (Counted, OfEach):
        monkeypatch.setitem(STUDY_FIGURES, kind.key, kind)
    monkeypatch.setitem(STUDY_FIGURES, "never", Never)
    results = made_up(TWO, sizes=SIZES)
    said = f"There are {len(results.cells())} cells."
    assert names(results) == ["best_map", "counted", "of_each_tan", "of_each_a_b"]
    write_forms(lambda: across(results), *(tmp_path / f"r.{ending}" for ending in ("html", "md", "tex")))
    for ending in ("html", "md", "tex"):
        text = (tmp_path / f"r.{ending}").read_text(encoding="utf-8")
        assert text.count(said) == (2 if ending == "html" else 1)  # the page: read aloud too
        assert "Cells: a b truths" in text
        assert re.search("The cells of (`|<code>|.texttt{)others", text)
    assert {"counted.svg", "of_each_a_b.svg"} <= {p.name for p in (tmp_path / "r_figures").iterdir()}


@pytest.mark.slow
def test_a_figure_of_an_installed_package_is_drawn_once(made_up, monkeypatch):
    points = [importlib.metadata.EntryPoint("counted", f"{__name__}:Counted", "workbench.figures")]
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [p for p in points if p.group == group]
    )
    monkeypatch.setattr(catalogue, "_imported", imported(catalogue._imported))
    for cached in (catalogue.find, catalogue._others):
        cached.cache_clear()
    try:
        results = made_up(TWO, sizes=SIZES)
        assert names(results) == ["best_map", "counted"]
        everything = [picture.name for picture in pictures_of(gather(results))]
        assert len(everything) == len(set(everything))
        assert results.plot("counted").n == len(results.cells())
    finally:
        for cached in (catalogue.find, catalogue._others):
            cached.cache_clear()


def imported(others):
    """Find the figure here, as tests cannot be imported by name."""
    return lambda place: Counted if place == f"{__name__}:Counted" else others(place)


@pytest.mark.slow
def test_nothing_is_shown_twice(store):
    document = gather(load(store))
    titles = [(s.title, part.title) for s in document.sections for part in s.parts if isinstance(part, Table)]
    assert len(titles) == len(set(titles))
    drawn = [picture.name for picture in pictures_of(document)]
    assert len(drawn) == len(set(drawn))
    assert not any(
        section.title != ACROSS and picture.name.startswith(tuple(STUDY_FIGURES))
        for section in document.sections
        for picture in section.parts
        if isinstance(picture, Picture)
    )


# How the page takes them


def test_sources_of_the_same_words_have_numbers_in_names_of_files(made_up):
    results = made_up({key: study_of() for key in ("a b", "tan", "a-b")}, sizes=SIZES)
    assert [source_word(results, key) for key in ("a b", "tan", "a-b")] == ["a_b 1", "tan", "a_b 3"]


def sentence_of(content):
    return replace(EMPTY, sections=(Section("S", (Text(content),)),))


@pytest.mark.slow
@settings(max_examples=20)
@given(st.text(alphabet="`<>b \n&/\\", max_size=30))
def test_no_name_in_a_sentence_ends_its_line_or_its_code(tmp_path_factory, name):
    folder = tmp_path_factory.getbasetemp()
    content = f"Bias on {name} is not drawn: `results.plot` draws it."
    (folder / "s.md").unlink(missing_ok=True)  # without a footer it would be taken for somebody else's
    write_markdown(sentence_of(content), folder / "s.md")
    body = (folder / "s.md").read_text(encoding="utf-8").split("## S\n\n")[1].removesuffix("\n\n\n")
    assert "\n" not in body
    for write, ending in ((write_html, "html"), (write_latex, "tex")):
        write(sentence_of(content), folder / f"s.{ending}")
    page = (folder / "s.html").read_text(encoding="utf-8")
    shown = re.search(r"(?s)<h2>S</h2>\s*<p>(.*?)</p>", page)[1]
    assert not re.search("<(?!/?code>)", shown)


# Truths that were passed over


def passed_over(results):
    return [part.content for part in parts_of(results, report_truths.SECTION, Text)]


def test_how_many_truths_were_passed_over_is_that_of_drawing_again(store):
    results = load(store)
    source = stored_sources(results.study)["hard ones"]
    tries = [source.drawn(seed=4, replicate=i).tries for i in range(3)]
    assert max(tries) > 1
    (said,) = passed_over(results)
    for fact in (
        "hard ones",
        "from 0.2 to 0.3",
        "0.5 to 1",
        f"{np.mean(tries):.1f} each",
        f"{max(tries)} at most",
    ):
        assert fact in said


def test_truths_are_drawn_again_only_so_many_times(store, monkeypatch):
    results = load(store)
    source = stored_sources(results.study)["hard ones"]
    first = source.drawn(seed=4, replicate=0).tries
    monkeypatch.setattr(report_truths, "MOST_DRAWS", first - 1)
    (said,) = passed_over(results)
    assert f"or the first 1 of its 3 truths it drew {first:.1f} each on average and {first} at most" in said


def test_sources_without_bounds_say_nothing_of_tries(small):
    assert parts_of(small, report_truths.SECTION, Picture)
    assert passed_over(small) == []


def test_a_replicate_without_such_a_truth_takes_only_the_sentence(store, monkeypatch):
    real = Source.drawn

    def drawn(self, *, seed, replicate):
        if replicate:
            raise ValueError("none of 1,000 truths has it")
        return real(self, seed=seed, replicate=replicate)

    results = load(store)
    monkeypatch.setattr(Source, "drawn", drawn)
    parts = report_truths.SECTION.parts(Findings(results))
    assert [part.name for part in parts] == [
        "truth_tan",
        "truth_hard_ones",
    ]


@pytest.mark.slow
def test_a_report_goes_by_the_score_that_is_asked_for(tmp_path, on_datasets, sketched):
    text = STUDY.replace('["nb", "tan", "truth"]', '["nb", "tan", "cart", "truth"]')
    results = run(read_study(text + 'cutoffs = ["none", "2002"]'), tmp_path / "s.db")
    usual, plain, cut = gather(results), gather(results, "///none"), gather(results, "//test/2002")
    (best,) = [part for part in cut.sections[2].parts if isinstance(part, Table) and "best" in part.title]
    assert "clipped as in 2002" in cut.opening
    assert "exact" in usual.opening
    assert "clipped as in 2002" in usual.opening  # since cart can only be compared after it
    assert "clipped" not in plain.opening
    assert "clipped as in 2002" in best.title
    assert "score of CART is infinite" in usual.surety
    assert "CART" in plain.surety
    assert "Not compared" not in cut.surety
    path = results.report(tmp_path / "s.html", score="///2002")
    assert "clipped as in 2002" in path.read_text(encoding="utf-8")
    with pytest.raises(WorkbenchError, match="unknown metric 'irb'"):
        gather(results, "irb")
    assert "clipped as in 2002" in gather(on_datasets, "ir_b///2002").parts[0]
