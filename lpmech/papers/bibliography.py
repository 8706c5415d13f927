"""BibTeX entries of the papers and of this tool."""

from __future__ import annotations

from collections.abc import Iterable

from lpmech import __version__

__all__ = ["ENTRIES", "TOOL", "entries"]

#: Key of the paper -> entry.
ENTRIES = {
    "kairouz2016": r"""@article{kairouz2016,
  author = {Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod},
  title = {Extremal Mechanisms for Local Differential Privacy},
  journal = {Journal of Machine Learning Research},
  volume = {17},
  number = {17},
  pages = {1--51},
  year = {2016},
}
""",
    "holohan2017": r"""@article{holohan2017,
  author = {Holohan, Naoise and Leith, Douglas J. and Mason, Oliver},
  title = {Optimal Differentially Private Mechanisms for Randomised Response},
  journal = {IEEE Transactions on Information Forensics and Security},
  volume = {12},
  number = {11},
  pages = {2726--2735},
  year = {2017},
}
""",
    "ghazi2021": r"""@inproceedings{ghazi2021,
  author = {Ghazi, Badih and Golowich, Noah and Kumar, Ravi and Manurangsi, Pasin and Zhang, Chiyuan},
  title = {Deep Learning with Label Differential Privacy},
  booktitle = {Advances in Neural Information Processing Systems},
  volume = {34},
  year = {2021},
}
""",
    "zhang2025": r"""@misc{zhang2025,
  author = {Zhang, Shun and Zhu, Hai and Chen, Zhili and Xiong, Neal N.},
  title = {Bipartite Randomized Response Mechanism for Local Differential Privacy},
  year = {2025},
  eprint = {2504.20926},
  archiveprefix = {arXiv},
  primaryclass = {cs.CR},
}
""",
    "zheng2025": r"""@misc{zheng2025,
  author = {Zheng, Ye and Hu, Yidan},
  title = {Quantifying Classifier Utility under Local Differential Privacy},
  year = {2025},
}
""",
    "liu2026": r"""@misc{liu2026,
  author = {Liu, Haixia and Ding, Yi},
  title = {{BlockRR}: A Unified Framework of {RR}-type Algorithms for Label Differential Privacy},
  year = {2026},
}
""",
    "zhao2025": r"""@misc{zhao2025,
  author = {Zhao, Puning and Wu, Jiafei and Liu, Zhe and Shen, Li and Zhang, Zhikun and Fan, Rongfei and Sun, Le
    and Li, Qingming},
  title = {Enhancing Learning with Label Local Differential Privacy by Vector Approximation},
  year = {2025},
}
""",
}

#: The entry of lpmech.
TOOL = rf"""@software{{lpmech,
  author = {{{{The lpmech developers}}}},
  title = {{lpmech: A proof laboratory for randomized-response mechanisms}},
  version = {{{__version__}}},
}}
"""


def entries(keys: Iterable[str]) -> list[str]:
    """The entries of those papers that have one, in the order of `keys`."""
    return [ENTRIES[key] for key in keys if key in ENTRIES]
