"""The papers that are covered, one table: what else lists them is made from it; and the BibTeX entry of this tool."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lpmech import __version__

__all__ = ["PAPERS", "TOOL", "Listed", "entries", "judged"]


class Listed(NamedTuple):
    """A paper as it is listed.

    Attributes
    ----------
    bibtex : str
        Its entry; empty for what is no publication.
    about : str
        What a reader may look for in it, in a few words.
    judged : str
        Which text of it the claims were compared with.
    """

    bibtex: str
    about: str = ""
    judged: str = ""

    def in_markdown(self) -> str:
        """Authors, title and what it is about, in a line."""
        about = self.about.replace("*", r"\*")
        if not self.bibtex:
            return about
        authors, title = (
            " ".join(re.sub(r"[{}]", "", found).split())
            for found in re.findall(r"^  (?:author|title) = \{(.*?)\},$", self.bibtex, re.DOTALL | re.MULTILINE)
        )
        names = ", ".join(name.partition(",")[0] for name in authors.split(" and "))
        return f"{names}: *{title}*" + (f" ({about})" if about else "")


#: The papers by key, in order of publication, and the questions across them. The claims of each are `lpmech.papers.KEY`.
PAPERS: dict[str, Listed] = {
    "kairouz2016": Listed(
        r"""@article{kairouz2016,
  author = {Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod},
  title = {Extremal Mechanisms for Local Differential Privacy},
  journal = {Journal of Machine Learning Research},
  volume = {17},
  number = {17},
  pages = {1--51},
  year = {2016},
}
""",
        "staircase mechanisms; from its abstract, not compared with the text",
        "its abstract",
    ),
    "holohan2017": Listed(
        r"""@article{holohan2017,
  author = {Holohan, Naoise and Leith, Douglas J. and Mason, Oliver},
  title = {Optimal Differentially Private Mechanisms for Randomised Response},
  journal = {IEEE Transactions on Information Forensics and Security},
  volume = {12},
  number = {11},
  pages = {2726--2735},
  year = {2017},
}
""",
        "binary; from its abstract, not compared with the text",
        "its abstract",
    ),
    "ghazi2021": Listed(
        r"""@inproceedings{ghazi2021,
  author = {Ghazi, Badih and Golowich, Noah and Kumar, Ravi and Manurangsi, Pasin and Zhang, Chiyuan},
  title = {Deep Learning with Label Differential Privacy},
  booktitle = {Advances in Neural Information Processing Systems},
  volume = {34},
  year = {2021},
}
""",
        "RRWithPrior, LP-MST",
        "a text from the abstract to Appendix G, which names no version",
    ),
    "zhang2025": Listed(
        r"""@misc{zhang2025,
  author = {Zhang, Shun and Zhu, Hai and Chen, Zhili and Xiong, Neal N.},
  title = {Bipartite Randomized Response Mechanism for Local Differential Privacy},
  year = {2025},
  eprint = {2504.20926},
  archiveprefix = {arXiv},
  primaryclass = {cs.CR},
}
""",
        "BRR, BRR*",
        "arXiv:2504.20926v1 [cs.CR], 29 April 2025",
    ),
    "zheng2025": Listed(
        r"""@misc{zheng2025,
  author = {Zheng, Ye and Hu, Yidan},
  title = {Quantifying Classifier Utility under Local Differential Privacy},
  year = {2025},
}
""",
        judged="a text with title and appendices, which names no version and no date",
    ),
    "liu2026": Listed(
        r"""@misc{liu2026,
  author = {Liu, Haixia and Ding, Yi},
  title = {{BlockRR}: A Unified Framework of {RR}-type Algorithms for Label Differential Privacy},
  year = {2026},
}
""",
        judged="a text with title and appendices, which names no version and no date",
    ),
    "zhao2025": Listed(
        r"""@misc{zhao2025,
  author = {Zhao, Puning and Wu, Jiafei and Liu, Zhe and Shen, Li and Zhang, Zhikun and Fan, Rongfei and Sun, Le
    and Li, Qingming},
  title = {Enhancing Learning with Label Local Differential Privacy by Vector Approximation},
  year = {2025},
}
""",
        judged="a text with title and appendices, which names no version and no date",
    ),
    "across": Listed(
        "",
        "questions that no single paper asks: every mechanism under every utility, extreme points, where RR on bins "
        "stops being optimal",
    ),
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
    return [PAPERS[key].bibtex for key in keys if key in PAPERS and PAPERS[key].bibtex]


def judged(key: str) -> str:
    """Which text of a paper its claims were compared with; empty for a paper that is not ours."""
    return PAPERS[key].judged if key in PAPERS else ""
