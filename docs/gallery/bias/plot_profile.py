"""
What does a learner take for granted?
=====================================

How much does it cost k nearest neighbors that attributes are irrelevant, and naive Bayes that they depend on
each other? A profile turns one knob at a time, on the same truths and rows for all learners.
"""

from sklearn.neighbors import KNeighborsClassifier

from workbench import profile

knn = {"knn15": KNeighborsClassifier(15)}
found = profile(knn, learners=["nb", "tan", "c45"], truths=2, largest=50, invariances=False)
found.plot("probes")

# %%
# A small part of the suite shows it: two truths of each place, 50 training rows. Nearest neighbors lose more
# and more as irrelevant attributes are added, since all attributes weigh alike. The knobs by their cost:

effects = found.responses.of("knn15").set_index("probe")["effect"].sort_values(ascending=False)
print(effects.round(2).head(6))
# sphinx_gallery_start_ignore
assert effects["irrelevant"] > 0.05
# sphinx_gallery_end_ignore

# %%
# The same in words:

print("\n".join(found.sentences[:3]))
