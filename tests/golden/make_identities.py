"""Write identities.json: what every learner, metric and design is known by in cells and stores.

    python tests/golden/make_identities.py

Seeds and stores hang on these words, so the file grows with a new member and changes for no other reason.
"""

import json
from pathlib import Path
from typing import Any

from workbench.base import catalogue
from workbench.base.identity import class_identity, learner_identity


def identities() -> dict[str, dict[str, Any]]:
    def members(family: str) -> dict[str, Any]:
        return {key: catalogue.find(family, key) for key in catalogue.keys(family)}

    learners = {key: learner_identity(learner()) for key, learner in members("learners").items()}
    for identity in learners.values():
        if "version" in identity:  # of somebody else's package, so not ours to keep
            identity["version"] = "any"
    return {
        "learners": learners,
        "metrics": {key: class_identity(type(metric)) for key, metric in members("metrics").items()},
        "designs": {key: design().describe() for key, design in members("designs").items()},
    }


if __name__ == "__main__":
    text = json.dumps(identities(), indent=1, sort_keys=True)
    Path(__file__).with_name("identities.json").write_text(text + "\n", encoding="utf-8")
