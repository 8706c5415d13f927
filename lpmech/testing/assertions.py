"""Assertions about channels and formulas for other people's tests.

They take arrays, and functions of the parameters of a domain (`lpmech.statements.domain.as_domain`); they return what
was proved and what was only sampled (`lpmech.testing.results.Checked`), and raise `FailedAssertionError` with a
witness.
Nothing but numpy is loaded before a function is followed, or a program solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Unpack

from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel
from lpmech.statements.domain import Domain, as_domain
from lpmech.statements.following import Called, called, scalars, tables
from lpmech.statements.numbers import number_or_table
from lpmech.statements.properties import channel_of, equal, level_of, monotone, private_channel_of, tight_channel_of
from lpmech.testing.checking import How, checked
from lpmech.testing.results import Checked

if TYPE_CHECKING:
    from lpmech.programs import Program

__all__ = [
    "assert_channel",
    "assert_dominates",
    "assert_monotone",
    "assert_optimal",
    "assert_private",
    "assert_same_formula",
    "assert_tight",
]

#: A range, a text or a mapping: see `as_domain`.
DomainLike = Domain | Mapping[str, Any] | str | None


def assert_channel(channel: object, domain: DomainLike = None, **how: Unpack[How]) -> Checked:
    """No entry is negative and every row sums to one.

    Parameters
    ----------
    channel : Channel, array_like of shape (K, J), or callable
        A function takes parameters of the domain by name and returns such a matrix. Entries are numbers or text
        (``"1/3"``); ints, Fractions, sympy's rationals and text are exact.
    domain : mapping or str, optional
        For which parameters: see `lpmech.statements.domain.as_domain`.
    **how
        ``require=`` and ``floats=``, as all assertions take them: see `lpmech.testing.checking.How`.

    Returns
    -------
    Checked
        Floats are compared up to a relative 1e-9, exact numbers exactly.

    Raises
    ------
    FailedAssertionError
        With the row, or the entry, and the simplest parameters tried at which it is wrong.
    InvalidInputError
        If it is no matrix, or a function of other parameters.

    Examples
    --------
    >>> from lpmech.testing import assert_channel
    >>> def binary(t):
    ...     return [[t / (t + 1), 1 / (t + 1)], [1 / (t + 1), t / (t + 1)]]
    >>> print(assert_channel(binary, domain="t > 1"))  # doctest: +ELLIPSIS
    a channel: proved (for all t with t > 1: followed as rational functions, exact signs; ...
    """
    __tracebackhide__ = True
    about = as_domain(domain)
    rows = tables(channel, "channel", about)
    return checked("a channel", channel_of(rows), [rows], about, how)


def assert_private(
    channel: object,
    epsilon: PrivacyLevel | float | str | None = None,
    domain: DomainLike = None,
    *,
    ratio: Any = None,
    labels: Sequence[Any] | None = None,
    trials: int = 20_000,
    seed: int | None = None,
    **how: Unpack[How],
) -> Checked:
    """The channel is epsilon-private: no entry is more than e^epsilon times another one of its column.

    Parameters
    ----------
    channel : Channel, array_like of shape (K, J), or callable
        As for `assert_channel`, which is checked as well.
    epsilon : float, PrivacyLevel, str or callable
        A text is a formula in the parameters.
    domain : mapping or str, optional
        For which parameters.
    ratio : int, Fraction, str or callable
        e^epsilon in place of epsilon: exact, such as ``"7/2"``, or a formula such as ``"t"``.
    labels : sequence, optional
        The channel is a sampler: a function of a label that draws an output. It is asked for these labels, in random
        order, and its level bounded from the answers; see `lpmech.audit.black_box`.
    trials : int
        How often a sampler is asked for each label, in each half of two runs.
    seed : int, optional
        Of the order of the labels.
    **how
        See `assert_channel`.

    Returns
    -------
    Checked
        Floats are compared up to a relative 1e-9. Exact entries beside a float epsilon are compared exactly with
        e^epsilon rounded down to 128 bits. Of a sampler ``supported``, with bounds of confidence 0.999999.

    Raises
    ------
    FailedAssertionError
        With output, the two inputs, and their ratio against e^epsilon.
    InvalidInputError
        If the channel, the level or the domain is not usable, or not exactly one of epsilon and ratio is given.

    Examples
    --------
    >>> from lpmech.testing import assert_private
    >>> print(assert_private([["3/4", "1/4"], ["1/4", "3/4"]], ratio=3))
    private at e^epsilon = 3: proved (exact arithmetic on every entry)
    >>> assert_private([["4/5", "1/5"], ["1/4", "3/4"]], ratio=3)
    Traceback (most recent call last):
    ...
    lpmech.testing.results.FailedAssertionError: not private at e^epsilon = 3
      output 0: 4/5 = 0.8 for input 0 against 1/4 = 0.25 for input 1, ratio 16/5 = 3.2, more than e^epsilon = 3
    """
    __tracebackhide__ = True
    about = as_domain(domain)
    level = level_of(epsilon, ratio, about)
    if labels is not None:
        from lpmech.testing.sampling import sampler_private

        return sampler_private(channel, level, labels, trials, seed, how)
    rows = tables(channel, "channel", about)

    return checked(f"private at {level.text}", private_channel_of(rows, level), [rows], about, how)


def assert_tight(
    channel: object,
    epsilon: PrivacyLevel | float | str | None = None,
    domain: DomainLike = None,
    *,
    ratio: Any = None,
    **how: Unpack[How],
) -> Checked:
    """The channel is epsilon-private, and some two entries of a column have the ratio e^epsilon.

    Parameters, returned value and errors are those of `assert_private`, of a channel; the failure shows the largest
    ratio.

    Examples
    --------
    >>> from lpmech.testing import assert_tight
    >>> print(assert_tight([[0.75, 0.25], [0.25, 0.75]], ratio=3))
    tight at e^epsilon = 3: not proved, only supported (floats, up to rounding 1e-09; exactly: not checked)
    """
    __tracebackhide__ = True
    about = as_domain(domain)
    rows = tables(channel, "channel", about)
    level = level_of(epsilon, ratio, about)
    return checked(f"tight at {level.text}", tight_channel_of(rows, level), [rows], about, how)


def assert_optimal(
    channel: object, program: Program | Callable[..., Program], domain: DomainLike = None, **how: Unpack[How]
) -> Checked:
    """The channel is one of the program, and no other one is worth more.

    Parameters
    ----------
    channel : Channel, array_like of shape (K, J), number, or callable
        A channel, or the value of the optimum; or a function of parameters that returns one of them.
    program : Program or callable
        Such as `lpmech.optimal_channel` makes; or a function of parameters that returns one.
    domain : mapping or str, optional
        For which parameters; the program is solved at each of its points, of a domain that is not finite at some.

    Returns
    -------
    Checked
        Exact where channel and program are: the optimum then has a proof, its dual, that is checked.

    Raises
    ------
    FailedAssertionError
        With both values and the better channel, also as its attribute `better`.
    InvalidInputError
        If the argument has another shape than the program, or is not usable.

    Examples
    --------
    >>> from lpmech import PrivacyLevel, optimal_channel
    >>> from lpmech.testing import assert_optimal
    >>> def warner(t, K):
    ...     return [[(t if y == j else 1) / (t + K - 1) for j in range(K)] for y in range(K)]
    >>> def program(t, K):
    ...     return optimal_channel([[int(y == j) for j in range(K)] for y in range(K)], PrivacyLevel.from_ratio(t))
    >>> print(assert_optimal(warner, program, domain={"t": [2, "7/2"], "K": range(2, 4)}))
    optimal: proved (called at all 4 points of t in {2, 7/2}, K in 2..3: exact arithmetic)
    """
    __tracebackhide__ = True
    from lpmech.programs import Program
    from lpmech.statements.optimal import is_optimal

    def read(value: Any, argument: str) -> Program:
        if not isinstance(value, Program):
            allowed = "a Program, as lpmech.optimal_channel makes it, or a function of one"
            raise InvalidInputError(argument, value, allowed)
        return value

    about = as_domain(domain)
    programs, given = called(program, "program", about, read), _either(channel, "channel", about)
    return checked("optimal", lambda at: is_optimal(given(at), programs(at), at), [], about, how, [given, programs])


def assert_same_formula(f: object, g: object, domain: DomainLike = None, **how: Unpack[How]) -> Checked:
    """Two formulas are defined and equal for all parameters.

    Parameters
    ----------
    f, g : callable, str or number
        Functions of parameters of the domain, or formulas in the language of ``lpmech check``; numbers or matrices.
    domain : mapping or str
        For which parameters.

    Raises
    ------
    FailedAssertionError
        With the simplest parameters tried at which they differ.
    InvalidInputError
        If an argument is not usable.

    Examples
    --------
    >>> from lpmech.testing import assert_same_formula
    >>> def hit_rate(t, K):
    ...     return t / (t + K - 1)
    >>> print(assert_same_formula(hit_rate, "1 - (K - 1)/(t + K - 1)", "t > 1, K >= 2"))  # doctest: +ELLIPSIS
    hit_rate = 1 - (K - 1)/(t + K - 1): proved (for all whole K, real t with t > 1, K >= 2: ...
    >>> assert_same_formula(hit_rate, "t/(t + K)", "t > 1, K >= 2")
    Traceback (most recent call last):
    ...
    lpmech.testing.results.FailedAssertionError: not hit_rate = t/(t + K)
      at t = 2, K = 2:
      2/3 = 0.6666666667 against 1/2 = 0.5
    """
    __tracebackhide__ = True
    about = as_domain(domain)
    names = _name(f, "f"), _name(g, "g")
    first, second = (_either(value, argument, about) for value, argument in ((f, "f"), (g, "g")))
    _all_used(about, first, second)

    return checked(f"{names[0]} = {names[1]}", equal(first, second), [first, second], about, how)


def assert_monotone(
    f: object,
    parameter: str,
    domain: DomainLike,
    direction: Literal["increasing", "decreasing"] = "increasing",
    **how: Unpack[How],
) -> Checked:
    """A formula does not fall, or does not rise, in a parameter, whatever the others are.

    Parameters
    ----------
    f : callable or str
        Function of parameters of the domain, or a formula; its values are numbers.
    parameter : str
        Of whole numbers neighbours are compared, of listed values those next to each other, of real numbers any two.
    domain : mapping or str
        For which parameters.
    direction : {"increasing", "decreasing"}

    Raises
    ------
    FailedAssertionError
        With both values of the parameter and both of the formula.
    InvalidInputError
        If an argument is not usable.

    Examples
    --------
    >>> from lpmech.testing import assert_monotone
    >>> print(assert_monotone("t/(t + K - 1)", "t", "t > 1, K >= 2"))  # doctest: +ELLIPSIS
    t/(t + K - 1) increasing in t: proved (for all whole K, real t, t_next with ...
    """
    __tracebackhide__ = True
    if direction not in ("increasing", "decreasing"):
        raise InvalidInputError("direction", direction, "'increasing' or 'decreasing'")
    about = as_domain(domain)
    chosen = about.parameter(parameter, "parameter")
    value = scalars(f, "f", about)
    pairs, required = monotone(value, about, chosen, direction == "increasing")
    return checked(f"{_name(f, 'f')} {direction} in {parameter}", required, [value], pairs, how)


def assert_dominates(
    a: object,
    b: object,
    domain: DomainLike = None,
    *,
    utility: object = None,
    prior: object = None,
    **how: Unpack[How],
) -> Checked:
    """One channel, or formula, is at least as good as another one everywhere.

    Parameters
    ----------
    a, b : Channel, array_like of shape (K, J), callable, str or number
        Of numbers, and of functions or formulas whose values are numbers, the first is at least the second. Of channels
        with a utility, the expected utility is. Of channels without one, the second is the first followed by a channel
        (it is a garbling of it): then, and only then, the first is at least as good for every utility and prior.
    domain : mapping or str, optional
        For which parameters.
    utility : array_like of shape (K, J), optional
    prior : array_like of shape (K,), optional
        Uniform if omitted.

    Raises
    ------
    FailedAssertionError
        With both values; of channels without a utility with one for which the second is better, also as the attribute
        `better` (a row for each input, a column for each output of the second channel).
    InvalidInputError
        If an argument is not usable.

    Examples
    --------
    >>> from lpmech.testing import assert_dominates
    >>> print(assert_dominates([["3/4", "1/4"], ["1/4", "3/4"]], [["2/3", "1/3"], ["1/3", "2/3"]]))
    a dominates b for every utility and prior: proved (exact arithmetic on every entry)
    """
    __tracebackhide__ = True
    from lpmech.statements.dominating import domination

    about = as_domain(domain)
    first, second = _either(a, "a", about), _either(b, "b", about)
    names = _usual(a, "a"), _usual(b, "b")
    return checked(*domination(first, second, about, utility, prior, names), about, how, [first, second])


def _either(value: object, argument: str, domain: Domain) -> Called:
    """A function whose values are numbers or matrices; which one, it shows when it is called."""
    return called(value, argument, domain, number_or_table)


def _all_used(domain: Domain, *functions: Called) -> None:
    idle = [name for name in domain.names if not any(name in function.names for function in functions)]
    if idle:
        raise InvalidInputError("domain", f"{', '.join(idle)}", "parameters that a function has")


def _name(value: object, usual: str) -> str:
    return str(value) if isinstance(value, (str, int, float, Fraction)) else _usual(value, usual)


def _usual(value: object, usual: str) -> str:
    name = getattr(value, "__name__", usual)
    return usual if name == "<lambda>" else str(name)
