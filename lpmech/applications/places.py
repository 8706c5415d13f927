"""Places of the Earth: names, coordinates, how often each occurs, and regions by the prefix of a hierarchical name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

from lpmech.entries import Array, rational_from_text, whole_number
from lpmech.errors import DataFileError, LabelError
from lpmech.extras import needs
from lpmech.files.csv_rows import read_rows, whole_count
from lpmech.priors import prior_from_counts, uniform_prior
from lpmech.utilities import great_circle

__all__ = ["Places", "iso_6709", "read_places", "world_places"]

_ISO_6709 = re.compile(r"([+-])(\d{2})([0-5]\d)([0-5]\d)?([+-])(\d{3})([0-5]\d)([0-5]\d)?")


@dataclass(frozen=True)
class Places:
    """Distinct places with coordinates, and optionally how often each is the true place.

    Parameters
    ----------
    names : tuple of str
        At least one, distinct; levels of a hierarchical name are separated by "/", the widest first.
    coordinates : tuple of (number, number)
        Latitude and longitude of every place in degrees, shape (K, 2).
    counts : tuple of int, optional
        Whole numbers that give the prior; uniform if omitted.

    Raises
    ------
    LabelError
        If there is no place, a name is empty or occurs twice, or the sizes differ.
    UtilityError
        If a latitude is outside [-90, 90] or a longitude outside [-180, 180].
    PriorError
        If a count is negative or fractional.
    """

    names: tuple[str, ...]
    coordinates: tuple[tuple[float, float], ...]
    counts: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not self.names or not all(self.names) or len(set(self.names)) != len(self.names):
            raise LabelError("names", self.names, "at least one name, none empty, once each")
        if len(self.coordinates) != len(self.names):
            raise LabelError("coordinates", f"{len(self.coordinates)} pairs", f"{len(self.names)}, one for each name")
        for pair in self.coordinates:
            great_circle([pair])
        if self.counts is not None:
            if len(self.counts) != len(self.names):
                raise LabelError("counts", f"{len(self.counts)} counts", f"{len(self.names)}, one for each name")
            prior_from_counts((*self.counts, 1))  # all zero is no prior, but no error before one is asked for

    def __len__(self) -> int:
        return len(self.names)

    @property
    def prior(self) -> Array:
        """Exact distribution of the true place, shape (K,): from the counts, uniform without.

        Raises
        ------
        PriorError
            If all counts are zero.
        """
        return uniform_prior(len(self)) if self.counts is None else prior_from_counts(self.counts)

    @property
    def weight(self) -> int:
        """Sum of the counts; the number of places without."""
        return len(self) if self.counts is None else sum(self.counts)

    @property
    def utility(self) -> Array:
        """Minus the great-circle distance in kilometres, shape (K, K)."""
        return great_circle(self.coordinates)

    def regions(self, depth: int = 1) -> dict[str, Places]:
        """The places by the common prefix of their names, in order of first appearance.

        Parameters
        ----------
        depth : int
            How many levels of the name make the prefix; the last level never does. With 0 there is one region, "".

        Raises
        ------
        LabelError
            If the depth is not a whole number >= 0.

        Notes
        -----
        zhang2025, section V.E, partitions locations by a common prefix of a hierarchical code and perturbs within each
        part. The released place then reveals the part: the privacy level holds between places of one region only.
        """
        depth = whole_number(depth, "depth", 0, error=LabelError)
        members: dict[str, list[int]] = {}
        for k, name in enumerate(self.names):
            members.setdefault("/".join(name.split("/")[:-1][:depth]), []).append(k)
        return {prefix: self._chosen(indices) for prefix, indices in members.items()}

    def _chosen(self, indices: Sequence[int]) -> Places:
        return Places(
            tuple(self.names[k] for k in indices),
            tuple(self.coordinates[k] for k in indices),
            None if self.counts is None else tuple(self.counts[k] for k in indices),
        )


def world_places() -> Places:
    """The places of the IANA time zone database, about 400, named by region: Europe/Paris, America/Argentina/Ushuaia.

    Notes
    -----
    Source: ``zone.tab`` (public domain), as installed with the package tzdata. These are the places after which time
    zones are named, neither check-ins of people nor weighted by population.
    """
    with needs("places"):
        room = files("tzdata")
    table = room.joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]
    found = {row[2]: iso_6709(row[1]) for row in rows}
    return Places(tuple(found), tuple((float(latitude), float(longitude)) for latitude, longitude in found.values()))


def iso_6709(text: str) -> tuple[Fraction, Fraction]:
    """Latitude and longitude in degrees from +-DDMM+-DDDMM or +-DDMMSS+-DDDMMSS, exactly.

    Raises
    ------
    DataFileError
        If the text has another form, sixty minutes or seconds, or lies beyond a pole or the 180th meridian.
    """
    match = _ISO_6709.fullmatch(text)
    if match is None or (match[4] is None) != (match[8] is None):
        raise DataFileError("coordinates", text, "ISO 6709: +-DDMM+-DDDMM or +-DDMMSS+-DDDMMSS")
    latitude, longitude = _whole_degrees(*match.groups()[:4]), _whole_degrees(*match.groups()[4:])
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise DataFileError("coordinates", text, "ISO 6709: a latitude in [-90, 90], a longitude in [-180, 180]")
    return latitude, longitude


def _whole_degrees(sign: str, degrees: str, minutes: str, seconds: str | None) -> Fraction:
    return int(f"{sign}1") * (int(degrees) + Fraction(int(minutes), 60) + Fraction(int(seconds or 0), 3600))


def read_places(path: str | Path) -> Places:
    """Read places from a CSV file with the columns ``place,latitude,longitude`` and optionally ``count``.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or has no rows; if a row has the wrong number of cells, a name is empty or
        occurs twice, a coordinate is not a number of degrees in its range, a count is not a whole number >= 0, there
        are fewer than two places, or all counts are zero.
    """
    rows = read_rows(path)
    columns = ["place", "latitude", "longitude", "count"]
    header = [cell.strip().lower() for cell in rows[0]]
    if header not in (columns[:3], columns):
        raise DataFileError("places", f"{path} with header {','.join(rows[0])}", ",".join(columns) + " (count if any)")
    found: dict[str, tuple[float, float]] = {}
    counts: list[int] = []
    for number, row in enumerate(rows[1:], start=2):
        where = f"{path} line {number}"
        if len(row) != len(header):
            raise DataFileError("places", f"{where}: {','.join(row)}", f"{len(header)} cells: {','.join(header)}")
        name = row[0].strip()
        if not name or name in found:
            raise DataFileError("places", f"{where}: place {name!r}", "a name that is not empty, once each")
        found[name] = (_degrees(where, row[1], 90), _degrees(where, row[2], 180))
        counts += [_count(where, cell) for cell in row[3:]]
    if len(found) < 2:
        raise DataFileError("places", f"{path} with places {list(found)}", "at least two places")
    if counts and not any(counts):
        raise DataFileError("places", f"{path} with all counts zero", "at least one positive count")
    return Places(tuple(found), tuple(found.values()), tuple(counts) or None)


def _degrees(where: str, text: str, largest: int) -> float:
    value = rational_from_text(text)
    if value is None or abs(value) > largest:
        raise DataFileError("places", f"{where}: coordinate {text!r}", f"degrees from -{largest} to {largest}")
    return float(value)


def _count(where: str, text: str) -> int:
    count = whole_count(text)
    if count is None:
        raise DataFileError("counts", f"{where}: count {text!r}", "a whole number >= 0")
    return count
