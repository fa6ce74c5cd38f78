"""What a notebook shows, executed cell by cell in a kernel."""

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.process

#: Cells of one notebook by name; the last expression of a cell is what is displayed.
CELLS = {
    "compare": """
        from sklearn.datasets import load_iris
        from workbench import compare
        iris = load_iris(return_X_y=True, as_frame=True)
        results = compare(["nb", "tan", "cart"], on={"iris": iris}, cv=3)
        """,
    "results": "results",
    "figure": "_ = results.plot()",
    "later figure": "import matplotlib.pyplot as plt; plt.plot([1, 2]);",
    "network": """
        from generators import random_tan
        truth = random_tan(n_attributes=4, random_state=1)
        truth
        """,
    "learned": """
        from learners import learn_network
        X, y = truth.sample(300, random_state=1)
        learned = learn_network(X.assign(y=y))
        learned
        """,
    "average": "learned.plot();",
    "tree": """
        from learners import C45Classifier
        C45Classifier().fit(*iris).export_text()
        """,
    "failure": "compare(['nb'], on={'iris': iris}, metrics='acuracy')",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, list]:
    """Execute the notebook, and return the outputs of each cell."""
    lines = {name: "\n".join(line.removeprefix("        ") for line in text.strip("\n").split("\n"))
             for name, text in CELLS.items()}  # fmt: skip
    cells = [nbformat.v4.new_code_cell(text) for text in lines.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=None, allow_errors=True).execute()
    return {name: cell["outputs"] for name, cell in zip(CELLS, notebook["cells"], strict=True)}


def pages(outputs) -> str:
    return "".join(one["data"].get("text/html", "") for one in outputs if "data" in one)


def test_nothing_fails_but_what_should(outputs):
    failed = {name: one["evalue"] for name, own in outputs.items() for one in own if "evalue" in one}
    assert failed == {"failure": "unknown metric 'acuracy'; did you mean 'accuracy'?"}


def test_progress_is_one_display_that_says_what_learners_are_given(outputs):
    (shown,) = outputs["compare"]
    page = shown["data"]["text/html"]
    assert "class of iris: &#x27;target&#x27;: 0, 1 and 2" in page
    assert "naive Bayes, TAN: a table of 4 columns, all numeric" in page
    assert "9 of 9 cells in " in page
    assert "<progress" not in page


def test_results_show_the_answer_and_who_stands_where(outputs):
    page = pages(outputs["results"])
    assert "iris" in page
    for learner in ("naive Bayes", "TAN", "CART"):
        assert learner in page


@pytest.mark.parametrize("cell", ["figure", "later figure", "average"])
def test_figures_are_shown_and_later_ones_too(outputs, cell):
    assert any("image/png" in one["data"] for one in outputs[cell] if "data" in one)


def test_trees_and_networks_are_shown(outputs):
    assert "petal" in pages(outputs["tree"])
    for cell in ("network", "learned"):
        assert "<svg" in pages(outputs[cell])
        assert "<details" in pages(outputs[cell])


def test_the_traceback_of_a_misspelled_word_is_short(outputs):
    (error,) = outputs["failure"]
    frames = [line for line in error["traceback"] if "Cell In[" in line or "File " in line]
    assert len(frames) <= 2
