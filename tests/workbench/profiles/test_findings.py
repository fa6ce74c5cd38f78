"""What a profile finds is what was put into made-up scores, and the words say it."""

import pytest

from workbench.base.errors import WorkbenchError
from workbench.profiles.kinds import ALL
from workbench.profiles.scores import LOSS


def steady(place, size):
    return 3.0 / size


@pytest.fixture(scope="module")
def usual(profile_with):
    """Return the profile of a learner without habits."""
    return profile_with(steady)


def test_the_map_has_what_is_lost_and_the_place(usual) -> None:
    table = usual.kinds.table.set_index(["kind", "n_train"])
    row = table.loc[(ALL, 50)]
    assert row["regret"] == pytest.approx(3 / 50, abs=0.002)
    assert row["low"] < 3 / 50 < row["high"]
    assert (row["rank_low"], row["rank_high"], row["n_ranked"]) == (3, 3, 5)  # after nb and categorical_nb


def test_a_probe_shows_a_planted_bias_and_no_other(profile_with) -> None:
    def led_astray(place, size):
        return steady(place, size) + (0.01 * place.level if place.probe == "irrelevant" else 0.0)

    found = profile_with(led_astray)
    strongest = found.responses.of("mine").set_index(["probe", "n_train"])
    assert strongest.loc[("irrelevant", 500), "low"] > 0.4
    others = strongest.drop("irrelevant", level="probe")
    assert ((others["low"] < 0) & (others["high"] > 0)).mean() > 0.9
    assert "0.50 bits" in found.paragraph
    assert "to 50 irrelevant attributes" in found.paragraph


def test_twins_have_the_same_loss_everywhere(usual) -> None:
    from workbench.profiles.habits import habits_of

    found = usual
    scores = found.scores
    values = {name: one.copy() for name, one in scores.values.items()}
    values[LOSS][scores.at("mine")] = values[LOSS][scores.at("nb")]
    twin = type(scores)(scores.suite, scores.learners, scores.places, scores.sizes, values, scores.seconds)
    assert habits_of(twin, "mine").twins == {"nb": 1.0}


def test_blindness_to_interactions_is_said(profile_with) -> None:
    def blind(place, size):
        return 0.5 if place.probe == "interaction" and place.level > 1 else steady(place, size)

    assert "does not detect 2-way and 3-way interactions" in profile_with(blind).paragraph
    assert "detect" not in profile_with(steady).paragraph


def test_cells_that_failed_count_as_the_class_frequencies(profile_with) -> None:
    cell = ("mine", "tan-narrow-easy", 1, 50, "failed", "ValueError: no")
    found = profile_with(steady, failed=[cell])
    place, size = found.scores.places.index("tan-narrow-easy"), found.scores.sizes.index(50)
    loss = found.scores.values[LOSS]
    mine, prior = found.scores.at("mine"), found.scores.at("prior")
    assert loss[mine, place, 1, size] == loss[prior, place, 1, size]
    assert loss[mine, place, 0, size] != loss[prior, place, 0, size]
    assert any("1 fit of" in note and "ValueError: no" in note for note in found.notes)


def test_rows_needed_are_those_of_the_curve(usual) -> None:
    table = usual.needs.set_index(["kind", "share"])
    # shares are 0.7 at 20 rows and 0.88 at 50, with a line between over the logarithm
    expected = 20 * 2.5 ** ((0.8 - 0.7) / 0.18)
    assert table.loc[("tan", 0.8), "size"] == pytest.approx(expected, rel=0.03)


def test_tables_and_pictures_have_names(usual) -> None:
    found = usual
    assert {"map", "probes", "effects", "habits", "neighbors", "needs", "costs", "spread"} <= set(
        found.tables
    )
    with pytest.raises(WorkbenchError, match=r"no table 'mapp'; did you mean 'map'\?"):
        found.table("mapp")
    with pytest.raises(WorkbenchError, match=r"no picture 'prob'"):
        found.plot("prob")


@pytest.mark.slow
def test_the_page_and_the_display_show_the_findings(usual, tmp_path) -> None:
    found = usual
    page = found.report(tmp_path / "mine.html").read_text(encoding="utf-8")
    for words in ("Profile of mine", "Dose-response curves", "Rows needed", "CategoricalNB"):
        assert words in page
    assert "Profile of <b>" not in page
    assert "mine loses 0." in found._repr_html_()
    assert found.report(tmp_path / "mine.md").read_text(encoding="utf-8").count("## ") > 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["map", "habits"])
def test_pictures_draw_every_learner(usual, name) -> None:
    found = usual
    display = found.plot(name)
    panel = display.ax_.child_axes[0]
    assert {"mine", "naive Bayes", "TAN", "C4.5"} <= {line.get_label() for line in panel.lines}
    assert display.caption.endswith(".")


def test_a_learner_that_fails_on_a_place_is_described_by_the_others(profile_with) -> None:
    cells = [("mine", "tan-narrow-easy", truth, 50, "failed", "ValueError: no") for truth in range(4)]

    def gone(values):
        values = values.copy()
        values[0, places.index("tan-narrow-easy"), :, sizes.index(50)] = float("nan")
        return values

    usual = profile_with(steady)
    places, sizes = usual.scores.places, usual.scores.sizes
    found = profile_with(steady, failed=cells, change=gone)
    assert found.paragraph
    assert found._repr_html_()
    n = found.habits.table.set_index("n_train")["n"]
    assert n[50] <= usual.habits.table.set_index("n_train")["n"][50]


def test_a_learner_that_fails_on_numbers_says_so(profile_with) -> None:
    from workbench.profiles.part import SuitePart

    part = SuitePart(4, 500)
    cells = [
        ("mine", place.key, truth, size, "failed", "ValueError: numbers")
        for place in part.content.places
        if place.probe == "units"
        for truth in range(4)
        for size in part.sizes(place)
    ]
    paragraph = profile_with(steady, failed=cells).paragraph
    assert "It fails on numbers in unequal units" in paragraph
    assert paragraph.count("unequal units") == 1  # and no loss there is spoken of
    assert "It fails" not in profile_with(steady, failed=cells[:3]).paragraph


def test_the_class_frequencies_may_be_a_companion(usual) -> None:
    from dataclasses import replace

    found = replace(usual, companions=("nb", "prior"))
    from workbench.profiles.document import document_of

    assert document_of(found).sections


def test_seconds_too_short_for_exponents_are_shown_without(usual) -> None:
    from dataclasses import replace

    import pandas as pd

    from workbench.profiles.document import document_of

    seconds = dict.fromkeys(("fit", "fit_low", "fit_high", "predict"), 1e-4)
    row = {"axis": "columns", "value": 8, **seconds, "ratio": 0.1, "ratio_low": 0.1, "ratio_high": 0.2}
    found = replace(usual, costs=replace(usual.costs, scaling=pd.DataFrame([row])))
    assert document_of(found).sections


def test_a_profile_says_what_the_learner_was_given() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    from workbench.profiles.profile import CERTAIN, _what_it_is
    from workbench.study.learner_spec import LearnerSpec, read_learners

    (logistic,) = read_learners({"logistic": LogisticRegression()}, "codes")
    (certain,) = read_learners({"certain": LinearSVC()})
    assert [*_what_it_is(logistic)] == [
        "Its input was nominal columns as codes of their values. Another `input` may change its bias."
    ]
    assert [*_what_it_is(certain)][1:] == [CERTAIN]
    assert [*_what_it_is(LearnerSpec("nb", "nb"))] == []
