"""Made-up results of any shape, in memory."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest

from workbench import read_study
from workbench.store.reading import KEYS, WORDS
from workbench.store.results import StudyResults
from workbench.study.document import StudyDocument

LEARNERS = ("nb", "tan", "aode", "kdb", "cart", "j48", "one_r", "stump", "prior", "truth")
METRICS = ("ir_b", "kl_divergence", "accuracy", "log_loss", "quadratic_loss")


def study_text(n_sources, replicates, sizes, learners, metrics) -> str:
    """Write a study; learners beyond the known ones are trees of different depths."""
    entries = ", ".join(
        json.dumps(key) if key in LEARNERS else f'{{ key = "{key}", learner = "cart", max_depth = {i + 1} }}'
        for i, key in enumerate(learners)
    )
    sources = "".join(
        f'[[sources]]\nkey = "source {i}"\ngenerator = "tan"\nn_attributes = 3\nconcentration = {i + 1}.0\n'
        for i in range(n_sources)
    )
    return (
        f'name = "made up"\nseed = 1\nlearners = [{entries}]\n{sources}'
        f"[design]\nreplicates = {replicates}\nsizes = {list(sizes)}\nn_test = 100\n"
        f"[scores]\nmetrics = {json.dumps(metrics)}\n"
        'cutoffs = ["none"]\npriors = ["training", "marginal"]\nrows = ["test", "exact"]\n'
    )


@pytest.fixture(scope="session")
def made_up():
    """Return a function that makes up the results of a study: a value for each cell and score."""

    def make(
        n_sources=2, replicates=3, sizes=(20, 200), learners=LEARNERS[:4], metrics=METRICS[:1]
    ) -> StudyResults:
        study = read_study(study_text(n_sources, replicates, sizes, learners, metrics))
        sources, learners = ([one.key for one in members] for members in (study.sources, study.learners))
        places = itertools.product(sources, range(replicates), sizes, [0], [0], learners)
        cells = pd.DataFrame(list(places), columns=list(KEYS))
        cells["source"] = pd.Categorical(cells["source"], sources, ordered=True)
        cells["learner"] = pd.Categorical(cells["learner"], learners, ordered=True)
        cells = cells.assign(cell=range(len(cells)), n_test=100, state="done", exact=1, message=None)
        rng = np.random.default_rng(1)
        scores = [
            pd.DataFrame({"cell": cells["cell"], **key._asdict(), "value": rng.gamma(2.0, 0.3, len(cells))})
            for key in study.keys
        ]
        frame = pd.concat(scores, ignore_index=True).assign(n_infinite=0, mc_error=0.0)
        frame = frame.astype(dict.fromkeys(WORDS, "category"))
        runs = pd.DataFrame({"ended": ["2000-01-01T00:00:00"], "provenance": ['{"versions": {}}']})
        return StudyResults(StudyDocument.of(study), runs, cells, frame)

    return make
