"""All commands in the groups of the help: where the function of each is, and the example that ends its help.

A command's module is loaded when the command is called; `lpmech --help` loads all of them, for their first lines.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cyclopts import App, Group

from lpmech import __version__

__all__ = ["COMMANDS", "MOVED", "Command", "app"]

#: Commands that stood at the top before they were put under `reproduce`.
MOVED = ("circle", "concentration", "excess-risk", "numbers", "places", "train")


class Command(NamedTuple):
    """A command: its group if it stands at the top, its name, module:function, and the arguments of its example."""

    group: str
    name: str
    found_at: str
    example: str


_LABELS, _PAPERS, _EXPERIMENTS, _OPTIONS = "For labels", "For papers and formulas", "Experiments", "Options"

#: In the order of the help. Examples follow on each other: `certify` reads what `design` has written.
COMMANDS = (
    Command(
        _LABELS,
        "design",
        "designing:design",
        "examples/severity.csv --column severity --order mild,moderate,severe,critical --keep-labels --epsilon 1 "
        "--counts-are private --spend 0.2 --output mechanism",
    ),
    Command(_LABELS, "certify", "certificates:certify", "mechanism"),
    Command(
        _LABELS,
        "randomize",
        "release:randomize",
        "examples/severity.csv --column severity --channel mechanism --output released.csv",
    ),
    Command(_LABELS, "estimate", "release:estimate", "released.csv --column severity --channel mechanism --by ward"),
    Command(_LABELS, "audit", "auditing:audit", "mechanism --epsilon 1"),
    Command(
        _LABELS, "forecast", "forecasting:forecast", "examples/severity.csv --label severity --epsilon 1 --repeats 2"
    ),
    Command(_LABELS, "losses", "labels:losses", "examples/wine.csv --ratio 3"),
    Command(_LABELS, "regimes", "labels:regimes", "examples/wine.csv"),
    Command(_LABELS, "explore", "exploring:explore", "examples/wine.csv --counts-are public --output explore.html"),
    Command(_LABELS, "epsilons", "labels:epsilons", "examples/wine.csv --epsilon 0.5 1 2 --releases 3"),
    Command(
        _LABELS, "several", "several:several", "examples/severity.csv --column severity --labels-each 2 --epsilon 1"
    ),
    Command("", "program ghazi2021", "programs:ghazi2021", "examples/cifar10_1.csv --ratio 3 --show"),
    Command("", "program liu2026", "programs:liu2026", "examples/wine.csv --epsilon 1 --sigma 1.2"),
    Command("", "program zhang2025", "programs:zhang2025", "examples/wine.csv --ratio 2 --utility tanimoto"),
    Command(_PAPERS, "compare", "comparing:compare", "randomized_response hadamard_response --ratio 4"),
    Command(_PAPERS, "verify", "papers:verify", 'liu2026 --only "Lemma 3.1"'),
    Command(_PAPERS, "show", "papers:show", 'liu2026 "Alg. 1 line 4"'),
    Command(_PAPERS, "report", "reporting:report", 'liu2026 --only "Lemma 3.1" --output report.html'),
    Command(_PAPERS, "check", "check:check", '"t/(t+K-1), 1/(t+K-1)"'),
    Command(_PAPERS, "when", "when:when", '"t/(t+K-1) >= 1/4"'),
    Command(_PAPERS, "discover", "discover:discover", "--utility window"),
    Command(_PAPERS, "formulas", "formulas:formulas", "variance"),
    Command("", "new paper", "papers:new_paper", "my_paper"),
    Command(_PAPERS, "bibtex", "papers:bibtex", "liu2026 zhang2025"),
    Command("", "reproduce figures", "figures:figures", "zheng2025"),
    Command("", "reproduce circle", "training:circle", "2 --classes 3 5 --repeats 2"),
    Command("", "reproduce excess-risk", "training:excess_risk", "--dataset iris --sizes 100 300 --repeats 2"),
    Command("", "reproduce compare", "training:compare", "--dataset digits-1 --epsilon 1 --repeats 2"),
    Command("", "reproduce train", "training:train", "sgd --epsilon 8 --repeats 2"),
    Command(
        "",
        "reproduce utility",
        "robustness:reproduce_utility",
        "examples/features/tumours.csv --label kind --sensitive radius texture --epsilon 4 --rows 3 --samples 50",
    ),
    Command("", "reproduce numbers", "values:numbers", "--clip 1 --step 0.5 --epsilon 2"),
    Command("", "reproduce concentration", "values:concentration", "--size 11 --steps 2 --epsilon 2"),
    Command("", "reproduce places", "values:places", "--region Pacific --epsilon 1"),
)

_ROOMS = {
    "program": ("Solve a paper's own linear program for label counts, beside its closed form.", _LABELS),
    "new": ("Start a paper of your own from a commented template.", _PAPERS),
    "reproduce": ("Repeat a paper's experiment, or its like on data that are at hand.", _EXPERIMENTS),
}


class _Described(App):
    """Loads the commands before it prints their first lines."""

    def help_print(self, *given: Any, **options: Any) -> None:
        for each in (self, *self.resolved_commands().values()):
            each.resolved_commands()
        super().help_print(*given, **options)


app = _Described(
    name="lpmech",
    help="A proof laboratory for randomized-response mechanisms, built on linear programming.",
    version=__version__,
    suppress_keyboard_interrupt=False,
)


def _register() -> None:
    groups = {name: Group.create_ordered(name) for name in (_LABELS, _PAPERS, _EXPERIMENTS, _OPTIONS)}
    for flag in ("--help", "--version"):
        app[flag].group = (groups[_OPTIONS],)
    rooms: dict[str, App] = {}
    for place, command in enumerate(COMMANDS):
        room, _, name = command.name.rpartition(" ")
        if room and room not in rooms:
            text, group = _ROOMS[room]
            rooms[room] = App(name=room, help=text, group=groups[group], sort_key=place)
            app.command(rooms[room])
        rooms.get(room, app).command(
            f"{__package__}.{command.found_at}",
            name=name,
            group=groups.get(command.group),
            sort_key=place,
            help_epilogue=f"Example: `lpmech {command.name} {command.example}`",
        )


_register()
