"""
When is a graph shorter than a tree?
====================================

Where two answers lead to the same further questions, a tree must repeat these questions; a graph
joins its branches instead. Both learners choose the theory with the shortest message, theory and
classes together.
"""

import matplotlib.pyplot as plt

from generators import random_decision_graph
from learners import MMLGraphClassifier, MMLTreeClassifier

truth = random_decision_graph(n_attributes=6, arity=2, n_classes=2, n_leaves=3, random_state=4)
X, y = truth.sample(2000, random_state=1)

tree, graph = MMLTreeClassifier().fit(X, y), MMLGraphClassifier().fit(X, y)
lengths = {"tree": tree.message_length_, "graph": graph.message_length_}

figure, ax = plt.subplots(figsize=(9, 3.5), layout="constrained")
graph.plot(ax)

# %%
# The graph's message is shorter: what it saves are the questions that the tree states again.

print({name: f"{bits:.0f} bits" for name, bits in lengths.items()})
# sphinx_gallery_start_ignore
assert lengths["graph"] < lengths["tree"]
# sphinx_gallery_end_ignore
