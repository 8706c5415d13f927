"""BRR on the integers 1..N: the former path of these functions of `lpmech.mechanisms.bipartite_rr`."""

from lpmech.mechanisms.bipartite_rr.closed_form import (
    end_point_sum,
    m_end_point,
    m_end_point_printed,
    m_integers,
    m_middle,
    m_middle_printed,
    middle_sum_even,
    middle_sum_odd,
)

__all__ = [
    "end_point_sum",
    "middle_sum_even",
    "middle_sum_odd",
    "m_end_point",
    "m_middle",
    "m_integers",
    "m_end_point_printed",
    "m_middle_printed",
]
