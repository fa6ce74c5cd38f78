"""
What does a learner take for granted?
=====================================

How much does it cost k nearest neighbors that numbers are in unequal units? A profile turns one knob at a
time, for all learners alike.
"""

from sklearn.neighbors import KNeighborsClassifier

from workbench import profile

knn = {"knn15": KNeighborsClassifier(15)}
found = profile(knn, learners=["nb", "tan", "c45"], truths=4, largest=50, invariances=False)
found.plot("probes")

# %%
# A part of the suite shows it: four truths of each place, 50 training rows. Nearest neighbors lose more and
# more as units drift apart, the others nothing, as they cut numbers into intervals.

effects = found.responses.effects.pivot(index="probe", columns="learner", values="effect")
print(effects.round(2).sort_values("knn15", ascending=False).head(6))
# sphinx_gallery_start_ignore
assert effects.loc["units", "knn15"] > 0.2
assert effects.loc["units", ["nb", "tan", "c45"]].abs().max() < 0.05
# sphinx_gallery_end_ignore

# %%
# The same in words:

print("\n".join(found.sentences[:5]))
