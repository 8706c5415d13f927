"""Mechanisms of other people's libraries, loaded without what those libraries do not need for them.

diffprivlib's package imports its scikit-learn models, which use private names that scikit-learn has moved, and pure-ldp's
imports statsmodels, which it does not declare. Neither is needed by the mechanisms, so those packages stand here as
bare folders: their modules are imported, their ``__init__`` is not run.
"""

import random
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType

import numpy as np


def as_bare_folder(package):
    """Put a package without the contents of its ``__init__`` where ``import`` looks for it."""
    spec = find_spec(package)
    bare = ModuleType(package)
    bare.__path__, bare.__spec__ = list(spec.submodule_search_locations), spec
    sys.modules[package] = bare


for name in ("diffprivlib", "pure_ldp.frequency_oracles"):
    as_bare_folder(name)

from diffprivlib import mechanisms as diffprivlib  # noqa: E402
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer  # noqa: E402
from pure_ldp.frequency_oracles.histogram_encoding import HEClient  # noqa: E402
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer  # noqa: E402

__all__ = ["DEClient", "DEServer", "HEClient", "UEClient", "UEServer", "diffprivlib", "global_seed"]


@contextmanager
def global_seed(seed):
    """pure-ldp draws from the global generators of `random` and numpy: seeded here, and put back afterwards."""
    before, before_numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(before_numpy)
