"""Hypothesis: no wall-clock deadlines anywhere; the same examples every time under CI. Commands print 160 columns."""

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# the readline library, which pytest loads, leaves a COLUMNS of its own to child processes
os.environ["COLUMNS"] = "160"


# a background process ignores Ctrl-C, and so would every program that the tests start and interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def own_ledger(monkeypatch, tmp_path):
    """A ledger of label-private fits of this test's own: what other tests spent does not count."""
    monkeypatch.setenv("LPMECH_LEARNING_LEDGER", str(tmp_path / "ledger"))
    return tmp_path / "ledger"


#: Files of `make thorough`, which CI runs as well: outputs of pages and notebooks, whole commands in processes of their
#: own, simulations, other libraries, the engine and the claims put to the test; single tests of other files are marked so
#: themselves. `make test` runs the others.
_THOROUGH = {
    "test_audit", "test_cells", "test_cluster", "test_compare_channels", "test_conditions",
    "test_conditions_of_claims", "test_conjectures_sound", "test_continuous", "test_decided", "test_deploy",
    "test_derivative", "test_discovery", "test_every_prior", "test_excess_risk", "test_exercised", "test_extras",
    "test_large", "test_learning_ledger", "test_least_variance", "test_library", "test_liu2026_hypotheses",
    "test_monotone", "test_mutants", "test_nasty_labels", "test_noisy_counts_in_estimates", "test_notebooks",
    "test_other_libraries", "test_pages", "test_paper_programs", "test_papers_outside", "test_perturbation",
    "test_pieces", "test_prior_maps", "test_proofs_need_hypotheses", "test_proofs_of_papers",
    "test_published_alike", "test_readme", "test_referee", "test_robustness", "test_rocq_compiles", "test_rounding",
    "test_scikit_learn_conventions", "test_soundness", "test_squares", "test_testing", "test_testing_plugin",
    "test_testing_sound", "test_vectors", "test_where",
}  # fmt: skip


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.stem in _THOROUGH:
            item.add_marker("thorough")
