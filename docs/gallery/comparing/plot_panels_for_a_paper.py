"""
How do kinds of truths come into one figure of a paper?
=======================================================

``sources=`` draws a figure of several sources as panels: with common axes, each named by its source, and one
legend below. ``save`` writes it as PDF, whose letters stay letters.
"""

import tempfile
from pathlib import Path

from workbench import Source, compare
from workbench.designs import FreshSamples

kinds = {"naive Bayes": "naive_bayes", "TAN": "tan", "AODE": "aode"}
results = compare(
    ["nb", "tan", "aode", "truth"],
    on={kind: Source(kind, key, {"n_attributes": 5}) for kind, key in kinds.items()},
    design=FreshSamples(replicates=20, sizes=(50, 500, 5000), n_test=100),
    metrics="ir_b",
    rows="exact",
)
figure = results.plot("reward_by_size", sources=[*kinds], learners=["nb", "tan", "aode"])

folder = tempfile.TemporaryDirectory()
page = Path(folder.name) / "figure.pdf"
figure.save(page)
print(page.name, f"{page.stat().st_size / 1e3:.0f} kB")

# %%
# As panels. Across them the axes say what no panel does alone: on truths of TAN, naive Bayes stays farther
# behind than any learner does elsewhere. The caption speaks of what is drawn and of nothing else. The same
# means in LaTeX are what ``workbench export STORE --to table.tex --score ir_b`` writes of a store.

print(figure.caption)
print(results.latex(learners=["nb", "tan", "aode"]))
# sphinx_gallery_start_ignore
means = results.table("ir_b").xs("mean", axis=1, level=1)[5000].unstack("source")
behind = means.loc["truth"] - means.drop(index="truth")
assert behind.stack().idxmax() == ("nb", "TAN")
panels = [ax for ax in figure.figure_.axes if ax.get_visible()]
assert len({(ax.get_xlim(), ax.get_ylim()) for ax in panels}) == 1
# sphinx_gallery_end_ignore
folder.cleanup()
