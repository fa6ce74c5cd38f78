"""Studies in Python and TOML: what is accepted, what is reported, what decides the identity."""

import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from generators import random_aode, random_tan, write_network
from generators.suites.suite import suite
from learners import TANClassifier
from tests.documents import numbers_of
from workbench import Study, read_study, write_study
from workbench.base.cell import Cell
from workbench.base.errors import LeftOutWarning, WorkbenchError
from workbench.designs import RandomSplits, StudyOutline
from workbench.study.dataset_source import DatasetSource
from workbench.study.document import StudyDocument
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source

BAD = {
    "no TOML": ("name = ", "", "the study is not TOML"),
    "other version": ("seed = 1", "seed = 1\nversion = 2", "this workbench reads version 1"),
    "unknown key": ("seed = 1", "sed = 1", "unknown key 'sed' in a study; did you mean 'seed'?"),
    "unknown learner": ('"cart"', '"crat"', "unknown learner 'crat'; did you mean 'cart'?"),
    "learner twice": ('"cart"', '"truth"', "learners has the key 'truth' twice"),
    "same learner twice": ('"cart"', '{learner="prior", key="p"}', "learners 'p' and 'prior' are the same"),
    "learner's parameter": ('"cart"', '{learner="cart", max_dept=1}', "did you mean 'max_depth'?"),
    "generator's parameter": ("arity =", "arty =", "unknown parameter 'arty' of generator 'tan'"),
    "no generator": (
        'generator = "tan"',
        "",
        "a source needs one of 'generator', 'suite', 'file', 'json' and 'dataset'",
    ),
    "missing file": (
        'generator = "tan"\nn_attributes = 2\narity = [2, 3]',
        'file = "nowhere.json"',
        "there is no truth file nowhere.json",
    ),
    "design's key": ("replicates", "replicate", "did you mean 'replicates'?"),
    "once no list": ("replicates = 3", 'replicates = 3\nonce = "cart"', "once is 'cart': expected keys of"),
    "unknown metric": ('"ir_b"', '"irb"', "unknown metric 'irb'; did you mean 'ir_b'?"),
    "metrics no list": ('["ir_b", "accuracy", "kl_divergence"]', '"ir_b"', "expected a list, ['ir_b']"),
}


@pytest.mark.parametrize("old, new, message", BAD.values(), ids=BAD)
def test_bad_toml_is_one_sentence_that_names_the_nearest_key(tiny_toml, old, new, message):
    assert old in tiny_toml
    with pytest.raises(WorkbenchError) as caught:
        read_study(tiny_toml.replace(old, new, 1))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_toml_survives_a_round_trip(tiny_toml):
    study = read_study(tiny_toml)
    again = read_study(write_study(study))
    assert again == study
    assert numbers_of(again) == numbers_of(study)


def test_learners_that_have_one_training_set_are_of_the_study(tiny_toml):
    text = tiny_toml.replace("replicates = 3", 'replicates = 3\ntraining_sets = 2\nonce = ["cart"]')
    study = read_study(text)
    study.check_draws()
    assert read_study(write_study(study)) == study
    (cells,) = study.design.rounds(StudyOutline({"tan": 1}, ("nb", "cart"), scores=list))
    assert {(cell.learner, cell.training_set) for cell in cells} == {("nb", 0), ("nb", 1), ("cart", 0)}
    with pytest.raises(WorkbenchError, match="unknown learner 'crat' in once; did you mean 'cart'"):
        read_study(text.replace('once = ["cart"]', 'once = ["crat"]')).check_draws()


def test_tables_of_learners_take_parameters_and_keys():
    learners = (
        LearnerSpec("nb", learner="nb"),
        LearnerSpec("wide", estimator=TANClassifier(smoothing="laplace")),
    )
    study = Study("s", 1, (Source("tan", generator="tan"),), learners)
    again = read_study(write_study(study))
    assert [spec.key for spec in again.learners] == ["nb", "wide"]
    assert again.learner("wide").build().smoothing == "laplace"
    assert numbers_of(again) == numbers_of(study)


def test_truths_given_in_python_survive_a_round_trip():
    truths = (random_tan(n_attributes=2, random_state=1), random_aode(n_attributes=2, random_state=1))
    study = Study("s", 1, (Source("mine", truths=truths),), (LearnerSpec("nb", learner="nb"),))
    assert numbers_of(read_study(write_study(study))) == numbers_of(study)


@pytest.mark.parametrize("way", ["python", "json"])
def test_a_truth_given_again_counts_once_in_every_way(way):
    first, second = (random_tan(n_attributes=2, random_state=seed) for seed in (1, 2))
    truths = (first, second, first, first)
    texts = json.dumps([truth.to_json() for truth in truths])
    toml = f'name = "s"\nseed = 1\nlearners = ["nb"]\n[[sources]]\nkey = "p"\njson = {texts}'
    make = {
        "json": lambda: read_study(toml),
        "python": lambda: Study("s", 1, (Source("p", truths=truths),), (LearnerSpec("nb", learner="nb"),)),
    }[way]
    with pytest.warns(LeftOutWarning, match="'p' has 2 truths, as 2 of 4 are duplicates"):
        study = make()
    assert [one.to_json() for one in study.sources[0].truths] == [first.to_json(), second.to_json()]


def test_files_of_truths_are_sought_next_to_the_study(tmp_path, tiny_toml):
    truth = random_tan(n_attributes=2, random_state=1)
    (tmp_path / "truth.json").write_text(truth.to_json(), encoding="utf-8")
    source = 'generator = "tan"\nn_attributes = 2\narity = [2, 3]'
    (tmp_path / "study.toml").write_text(tiny_toml.replace(source, 'file = "truth.json"'), encoding="utf-8")
    study = read_study(tmp_path / "study.toml")
    assert study.sources[0].key == "truth"
    assert study.sources[0].truths[0].to_json() == truth.to_json()


@pytest.mark.parametrize(
    "name, place, n_cells",
    [("hope2004_simulation", "papers/hope2004_simulation/study.toml", 3240), ("small", "small.toml", 252)],
)
def test_the_studies_of_the_repository_are_sound(experiments, name, place, n_cells):
    from workbench.engine.runner import missing_cells

    study = read_study(experiments / place)
    assert study.name == name
    assert [len(cells) for cells in missing_cells(study, "nowhere.db")] == [n_cells, n_cells]


def test_the_identity_changes_with_the_seed_and_not_with_spelling(tiny_toml):
    study = read_study(tiny_toml)
    spelled = tiny_toml.replace(
        "n_attributes = 2", 'n_attributes = 2\nrows = "dirichlet"\nconcentration = 1.0'
    )
    assert numbers_of(read_study(spelled)) == numbers_of(study)
    other = read_study(tiny_toml.replace("seed = 1", "seed = 2"))
    assert numbers_of(other) != numbers_of(study)


def test_a_source_is_a_generator_or_truths():
    with pytest.raises(WorkbenchError, match="needs exactly one of a generator, truths, and a place"):
        Source("x")
    with pytest.raises(WorkbenchError, match="contains a dict: expected truths"):
        Source("x", truths=({},))


def test_a_generator_given_as_rows_or_as_a_key_alone_is_told_its_form() -> None:
    with pytest.raises(WorkbenchError, match=r'did you mean Source\("tan", "tan"\)\?'):
        Source("tan")
    with pytest.raises(WorkbenchError, match=r'generator \'tan\' give Source\("tan", "tan"\)'):
        DatasetSource("tan", "tan").content  # noqa: B018 - reads the rows


def test_a_learner_is_an_instance():
    with pytest.raises(WorkbenchError, match=r"is the class TANClassifier"):
        LearnerSpec("tan", estimator=TANClassifier)


def test_a_metric_without_prior_is_asked_for_once():
    keys = Scores(metrics=("accuracy",), priors=("training", "marginal"), cutoffs=("none", "2001")).keys
    assert [tuple(key) for key in keys] == [
        ("accuracy", "none", "test", "none"),
        ("accuracy", "none", "exact", "none"),
        ("accuracy", "none", "test", "2001"),
        ("accuracy", "none", "exact", "2001"),
    ]


def test_what_is_compared_survives_a_round_trip(tiny_toml):
    study = read_study(tiny_toml.replace("seed = 1", 'seed = 1\ncompared = ["truth", "cart"]'))
    assert study.compared == ("truth", "cart")
    again = read_study(write_study(study))
    assert again == study
    assert again.compared == ("truth", "cart")
    assert StudyDocument.of(study).compared_learners() == ["cart", "truth"]
    assert read_study(tiny_toml).compared == ()
    assert numbers_of(study) != numbers_of(read_study(tiny_toml))


@pytest.mark.parametrize(
    "compared, sentence",
    [
        ('["cart", "turth"]', "unknown learner 'turth' in compared; did you mean 'truth'?"),
        ('["cart", "cart"]', "compared is ['cart', 'cart']: expected at least two learners, each named once"),
        ('"cart"', "compared is 'cart': expected a list"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(tiny_toml, compared, sentence):
    with pytest.raises(WorkbenchError) as caught:
        read_study(tiny_toml.replace("seed = 1", f"seed = 1\ncompared = {compared}"))
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_what_is_compared_changes_no_cell(tiny):
    other = replace(tiny, compared=("cart", "truth"))
    cell = Cell("tan", 0, 20, "cart")
    assert other.identify(cell) == tiny.identify(cell)


def test_the_class_of_a_file_is_named_in_toml(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("kind,a\n" + "x,1.5\ny,2.5\n" * 3)
    text = 'name = "n"\nseed = 1\nlearners = ["prior"]\ndesign = {kind = "half_splits"}\n[[sources]]\n'
    study = read_study(f'{text}dataset = "{path}"\nclass = "kind"\n')
    assert study.sources[0].content.classes == ("x", "y")
    assert read_study(write_study(study)) == study
    with pytest.raises(WorkbenchError, match="no column 'kin' for the class: did you mean 'kind'"):
        read_study(f'{text}dataset = "{path}"\nclass = "kin"\n')
    with pytest.raises(
        WorkbenchError, match=r"'iris' is iris with class = 'kind': class, nominal, .* are options of files"
    ):
        read_study(f'{text}dataset = "iris"\nclass = "kind"\n')
    with pytest.raises(WorkbenchError, match="unknown key 'quux' in a source of a data set"):
        read_study(f'{text}dataset = "{path}"\nquux = "kind"\n')
    with pytest.raises(WorkbenchError, match="has the data set 3: expected a name"):
        read_study(f"{text}dataset = 3\n")


TABLE = """
name = "n"
seed = 1
learners = ["prior"]
design = {kind = "random_splits"}
[[sources]]
"""


def test_codes_and_encoding_of_a_file_are_said_in_toml(tmp_path):
    path = tmp_path / "some.csv"
    path.write_bytes("k,a,class\n1,\u00e9,u\n2,y,v\n".encode("latin-1") * 1 + b"1,x,u\n2,x,v\n")
    with pytest.raises(WorkbenchError, match='such as latin-1 \\(encoding = "latin-1" in a study'):
        read_study(f'{TABLE}dataset = "{path}"\nencoding = "utf-8"')
    study = read_study(f'{TABLE}dataset = "{path}"\nencoding = "latin-1"\nnominal = ["k"]')
    assert study.sources[0].content.X.to_numpy().tolist() == [[1, "\u00e9"], [2, "y"], [1, "x"], [2, "x"]]
    assert study.sources[0].content.X["k"].dtype == object
    assert read_study(write_study(study)) == study
    assert study.sources[0].key == "some"  # as compare calls it
    with pytest.raises(WorkbenchError, match="nominal = 'k': expected a list of names of columns"):
        read_study(f'{TABLE}dataset = "{path}"\nnominal = "k"')
    with pytest.raises(WorkbenchError, match="iris with encoding = 'utf-8': class, nominal"):
        read_study(f'{TABLE}dataset = "iris"\nencoding = "utf-8"')


@pytest.mark.parametrize("kind", ["five_by_two", "half_splits", "random_splits", "repeated_folds"])
@pytest.mark.parametrize("value", ['"false"'])
def test_stratified_is_a_truth_value(kind, value):
    design = f'{{kind = "{kind}", stratified = {value}}}'
    with pytest.raises(WorkbenchError, match=r"stratified is .*: expected true or false, without quotes"):
        read_study(TABLE.replace('{kind = "random_splits"}', design) + 'dataset = "iris"')


@pytest.mark.parametrize("share", [0, 1.0, "half", True, float("nan")])
def test_a_share_leaves_something_on_both_sides(share):
    with pytest.raises(WorkbenchError, match=r"train is .*: expected a share, more than 0 and less than 1"):
        RandomSplits(train=share)


@pytest.mark.parametrize("share", [0.1, 0.99])
def test_a_nominal_size_leaves_a_row_on_both_sides(share):
    (cells,) = RandomSplits(train=share, repeats=1).rounds(StudyOutline({}, ("nb",), list, {"t": 4}))
    assert [(cell.n_train, cell.n_test) for cell in cells] == [(1, 3) if share < 0.5 else (3, 1)]


def test_a_share_too_small_for_a_table_is_reported_before_anything_is_computed():
    study = read_study(
        TABLE.replace('"random_splits"', '"random_splits", train = 0.001') + 'dataset = "iris"'
    )
    with pytest.raises(WorkbenchError, match="has 150 rows: expected enough for a row in both parts"):
        study.check_draws()


# -- alterations of truths that are given --------------------------------------------------------


def _json_source(truth, key="lawn", **options):
    return Source(key, truths=(truth,), parameters=options)


@pytest.fixture
def lawn():
    return random_tan(n_attributes=3, n_classes=2, random_state=4)


@pytest.fixture
def lawn_toml(tiny_toml, tmp_path, lawn):
    """The tiny study on a truth in a file, with `{options}` to fill in."""
    (tmp_path / "lawn.json").write_text(lawn.to_json(), encoding="utf-8")
    place = (tmp_path / "lawn.json").as_posix()
    source = 'generator = "tan"\nn_attributes = 2\narity = [2, 3]'
    assert source in tiny_toml
    return lambda options: tiny_toml.replace(source, f'file = "{place}"\n{options}')


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("label_noise = 0.1", "label_noise"),
        ('missing = 0.2\nmechanism = "at_random"', "missing_values"),
        ("irrelevant = 2", "irrelevant_attributes"),
        ("redundant = 1\nfidelity = 0.8", "noisy_copies"),
        ('numeric = "all"', "numeric_cuts"),
    ],
)
def test_a_truth_that_is_given_is_altered(lawn_toml, options, kind):
    study = read_study(lawn_toml(options))
    study.check_draws()
    (source,) = study.sources
    assert source.draw(seed=1, replicate=0).kind == kind
    again = read_study(write_study(study))
    assert again.sources[0].parameters == source.parameters
    assert numbers_of(again) == numbers_of(study)


def test_the_identity_of_an_altered_truth_holds_its_hash_and_the_options(lawn):
    clean, noisy = _json_source(lawn), _json_source(lawn, label_noise=0.1, irrelevant=0)
    assert noisy.identity(0) == {**clean.identity(0), "altered": {"label_noise": 0.1}}
    assert list(clean.identity(0)) == ["truth"]
    assert _json_source(lawn, label_noise=0.0, missing=0).identity(0) == clean.identity(0)
    assert _json_source(lawn, missing=0).draw(seed=1, replicate=0) is lawn
    assert noisy.only(3).draw(seed=1, replicate=3).to_json() == noisy.draw(seed=1, replicate=3).to_json()


def test_each_replicate_and_seed_alters_a_given_truth_otherwise(lawn):
    source = _json_source(lawn, irrelevant=2)
    drawn = [source.draw(seed=seed, replicate=i).to_json() for seed in (1, 2) for i in range(3)]
    assert len(set(drawn)) == 6
    assert drawn == [source.draw(seed=seed, replicate=i).to_json() for seed in (1, 2) for i in range(3)]


def test_a_clean_and_a_noisy_copy_of_a_truth_are_two_sources(lawn):
    noisy = _json_source(lawn, "noisy", label_noise=0.1)
    study = Study("s", 1, (_json_source(lawn), noisy), (LearnerSpec("nb", learner="nb"),))
    again = read_study(write_study(study))
    assert numbers_of(again) == numbers_of(study)
    assert [dict(source.parameters) for source in again.sources] == [{}, {"label_noise": 0.1}]


def test_a_suite_is_altered_too(tiny_toml, monkeypatch):
    whole = suite("bias-v1")
    few = type(whole)("few", "", whole.truths[:1])
    monkeypatch.setattr(sys.modules["generators.suites.suite"], "suite", lambda name: few)
    source = 'generator = "tan"\nn_attributes = 2\narity = [2, 3]'
    text = tiny_toml.replace(source, 'suite = "few"\nmissing = 0.3')
    assert read_study(text).sources[0].draw(seed=1, replicate=0).kind == "missing_values"
    with pytest.raises(WorkbenchError, match="'ceiling' draws truths"):
        read_study(text.replace("missing = 0.3", "ceiling = [0.1, 0.2]"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "bayes_error = [0.1, 0.2]",
            "'bayes_error' draws truths until one meets a bound, but those",
        ),
        ("tries = 3", "'tries' draws truths until one meets a bound"),
        ("label_nois = 0.1", "unknown alteration 'label_nois' of source 'lawn'; did you mean 'label_noise'?"),
    ],
)
def test_what_cannot_be_done_to_a_given_truth_is_refused(lawn_toml, options, message):
    with pytest.raises(WorkbenchError) as caught:
        read_study(lawn_toml(options))
    assert message in str(caught.value)


def test_a_given_truth_that_cannot_be_altered_so_is_reported_before_anything_is_computed(lawn_toml):
    study = read_study(lawn_toml("label_noise = 1.5"))
    with pytest.raises(
        WorkbenchError, match="source 'lawn' cannot alter its truth: the rate of wrong labels"
    ):
        study.check_draws()


@pytest.mark.filterwarnings("ignore:source 'lawn' has 1 truth for 3 replicates")
def test_a_study_on_an_altered_file_is_run_and_restored(lawn_toml, tmp_path):
    import workbench

    text = lawn_toml("label_noise = 0.2\nmissing = 0.1").replace('"accuracy", ', "")
    workbench.run(read_study(text), tmp_path / "later.db")
    workbench.rescore(tmp_path / "later.db", "accuracy")  # which draws truths and test rows again
    whole = text.replace('["ir_b", ', '["ir_b", "accuracy", ')
    workbench.run(read_study(whole), tmp_path / "whole.db")
    order = ["replicate", "n_train", "learner", "metric", "prior", "rows", "cutoff"]
    later, first = (
        workbench.load(tmp_path / name).frame().sort_values(order) for name in ("later.db", "whole.db")
    )
    one_metric = later[later["metric"] == "accuracy"], first[first["metric"] == "accuracy"]
    on_test = [frame[frame["rows"] == "test"]["value"].tolist() for frame in one_metric]
    assert len(on_test[0]) > 0
    assert on_test[0] == on_test[1]
    divergence = first[(first["metric"] == "kl_divergence") & (first["learner"] == "truth")]["value"]
    assert divergence.abs().max() < 1e-12


@pytest.mark.parametrize("ending", [".bif", ".net", ".xml"])
def test_a_network_of_another_program_is_a_truth(lawn_toml, lawn, tmp_path, ending):
    write_network(lawn.with_class(None), tmp_path / f"lawn{ending}")
    text = lawn_toml(f'class = "{lawn.class_name}"').replace("lawn.json", f"lawn{ending}")
    assert read_study(text).sources[0].truths == (lawn,)
    with pytest.raises(WorkbenchError, match="without a class"):
        read_study(text.replace(f'class = "{lawn.class_name}"', ""))
    with pytest.raises(WorkbenchError, match="cannot be read: unknown variable 'z'"):
        read_study(text.replace(f'class = "{lawn.class_name}"', 'class = "z"'))
    with pytest.raises(WorkbenchError, match="there is no truth file"):
        read_study(text.replace("lawn.", "law."))
    with pytest.raises(WorkbenchError, match="network of GeNIe"):
        read_study(text.replace(ending, ".xdsl"))
    with pytest.raises(WorkbenchError, match="declares its class"):
        read_study(text.replace(ending, ".json"))


def test_what_is_empty_is_said_to_be_empty(lawn_toml, tmp_path):
    from workbench.study.toml import default_store

    with pytest.raises(WorkbenchError, match=r"source 'x' needs exactly one of a generator, truths"):
        Source("x", truths=[])
    for read in (read_study, default_store):
        with pytest.raises(WorkbenchError, match="the study has no 'name'"):
            read("\n")
    (tmp_path / "lawn.json").write_text("\n", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"the truth file .*lawn\.json is empty"):
        read_study(lawn_toml(""))
    (tmp_path / "lawn.json").write_text("{}", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"the truth file .*lawn\.json cannot be read: the JSON"):
        read_study(lawn_toml(""))


class Reader(ClassifierMixin, BaseEstimator):
    """A learner with a parameter called as a key of its entry."""

    def __init__(self, input="x"):
        self.input = input

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X


@pytest.mark.parametrize("given", ["estimator", "learner"])
def test_a_parameter_with_the_name_of_a_key_is_not_written(given, monkeypatch):
    def spec(value):
        if given == "estimator":
            return LearnerSpec("r", estimator=Reader(value))
        return LearnerSpec("r", learner="reader_module:Reader", parameters={"input": value})

    monkeypatch.setitem(sys.modules, "reader_module", SimpleNamespace(Reader=Reader))
    sources = (Source("tan", generator="tan"),)
    with pytest.raises(WorkbenchError, match="has the parameter input = 'codes'"):
        write_study(Study("tiny", 1, sources, (spec("codes"),)))
    if given == "estimator":
        assert "input" not in write_study(Study("tiny", 1, sources, (spec("x"),)))
