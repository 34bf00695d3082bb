"""Reads a file of verl rows as pandas does, and prints its rows as JSON. Usage: read_verl.py FILE."""

import json
import sys

import pandas


def plain(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


frame = pandas.read_parquet(sys.argv[1])
rows = [{column: plain(row[column]) for column in frame.columns} for _, row in frame.iterrows()]
for row in rows:
    row["right"] = json.loads(row["reward_model"]["ground_truth"])
print(json.dumps(rows))
