"""
Do units or useless columns change a forecast?
==============================================

Meters or feet, one column copied, one that says nothing: most people expect the same forecasts. Each learner
is fitted to generated rows, and again after such a change; the difference of its forecasts is in bits.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from workbench import check_invariances

learners = {
    "AODE": "aode",
    "C4.5": "c45",
    "nearest neighbors": KNeighborsClassifier(),
    "logistic regression": LogisticRegression(),
}
asked = ["order of columns", "linear transform", "copied column", "irrelevant column"]
found = {name: check_invariances(one, checks=asked, n_truths=2) for name, one in learners.items()}

# %%
# No learner minds the order of columns. Those that cut numbers at thresholds do not see their units, whereas
# distances and penalties depend on them. A copied column counts twice for AODE and for nearest neighbors, and
# a column of noise changes all four, logistic regression least.

tables = {name: one.table.set_index("check") for name, one in found.items()}
bits = pd.DataFrame({name: one["change (bits)"] for name, one in tables.items()})
bits.loc[asked].plot.barh(figsize=(7, 4)).set(xlabel="change of forecasts [bits]", ylabel="")
plt.tight_layout()
print(bits.loc[asked].round(4))
# sphinx_gallery_start_ignore
assert bits.loc["order of columns"].max() < 0.001
assert bits.loc["linear transform", ["AODE", "C4.5"]].max() == 0
assert bits.loc["linear transform", "nearest neighbors"] > 0.05
assert bits.loc["irrelevant column"].min() > 0
assert bits.loc["irrelevant column"].idxmin() == "logistic regression"
# sphinx_gallery_end_ignore
