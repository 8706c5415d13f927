"""Write the files of this folder: label counts of liu2026 and scikit-learn's data; rows of patients and tumours."""

import csv
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from sklearn import datasets

HERE = Path(__file__).parent


def main() -> None:
    """Write one CSV file with the columns label,count for every example."""
    majority = [5000, 4900, 4700, 4600, 4500, 4800]
    write("cifar10_1", dict(enumerate([*majority, 1000, 1500, 1000, 1500])))
    write("cifar10_2", dict(enumerate([*majority, 600, 500, 700, 400])))
    for name in ("breast_cancer", "wine", "digits"):
        data = getattr(datasets, f"load_{name}")()
        names = [str(n) for n in data.target_names]
        tally = Counter(data.target.tolist())
        write(name, {names[label]: tally[label] for label in sorted(tally)})
    # Disease progression after one year, 25 to 346, rounded to multiples of 25: ordered labels for distance utilities.
    progression = 25 * np.rint(datasets.load_diabetes().target / 25).astype(int)
    tally = Counter(progression.tolist())
    write("diabetes", {label: tally[label] for label in sorted(tally)})
    write_patients(1000)
    write_tumours()


def write(name: str, counts: Mapping[object, int]) -> None:
    """Write one example."""
    with (HERE / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["label", "count"])
        writer.writerows(counts.items())


def write_patients(number: int) -> None:
    """Write invented patients, a row each: a ward, and how severe the illness is."""
    draw = random.Random(0)
    with (HERE / "severity.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "ward", "severity"])
        for patient in range(number):
            severity = draw.choices(["mild", "moderate", "severe", "critical"], [50, 30, 14, 6])[0]
            writer.writerow([patient, draw.choice(["north", "south"]), severity])


def write_tumours() -> None:
    """Write the first four features of scikit-learn's breast cancer data, a row a tumour, and what it is."""
    data = datasets.load_breast_cancer()
    with (HERE / "features" / "tumours.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["radius", "texture", "perimeter", "area", "kind"])
        for features, kind in zip(data.data[:, :4].tolist(), data.target_names[data.target].tolist(), strict=True):
            writer.writerow([*features, kind])


if __name__ == "__main__":
    main()
