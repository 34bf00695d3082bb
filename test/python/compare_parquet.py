"""Compares two Parquet files as pyarrow and pandas read them: schemas, dtypes, and every row of every column.

Usage: compare_parquet.py PUBLISHED EXPORTED. Prints one JSON object; differences are sentences.
"""

import json
import sys

import pandas
import pyarrow.parquet


def listed(value):
    """A cell as plain Python: nested lists reach pandas as arrays of dicts."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [listed(item) for item in value]
    if isinstance(value, dict):
        return {key: listed(item) for key, item in value.items()}
    return value


def compare(name, ours, theirs, differences):
    if len(ours) != len(theirs):
        differences.append(f"{name}: {len(ours)} rows, {len(theirs)} exported")
    for row, (one, other) in enumerate(zip(ours, theirs)):
        if listed(one) != listed(other):
            differences.append(f"{name}, row {row}")


published, exported = sys.argv[1:]
differences = []

files = [pyarrow.parquet.ParquetFile(path) for path in (published, exported)]
if not files[0].schema.equals(files[1].schema):
    differences.append(f"Parquet schema: {files[1].schema}")
arrow = [file.read() for file in files]
if not arrow[0].schema.equals(arrow[1].schema):
    differences.append(f"Arrow schema: {arrow[1].schema}")
for column in arrow[0].column_names:
    compare(f"pyarrow: {column}", *(table.column(column).to_pylist() for table in arrow), differences)

frames = [pandas.read_parquet(path) for path in (published, exported)]
if list(frames[0].columns) != list(frames[1].columns):
    differences.append(f"pandas columns: {list(frames[1].columns)}")
if not (frames[0].dtypes == frames[1].dtypes).all():
    differences.append(f"pandas dtypes: {frames[1].dtypes.to_dict()}")
if not frames[0].index.equals(frames[1].index):
    differences.append("pandas index")
for column in frames[0].columns:
    compare(f"pandas: {column}", *(frame[column] for frame in frames), differences)

print(
    json.dumps(
        {
            "rows": len(frames[1]),
            "columns": list(frames[1].columns),
            "dtypes": [str(dtype) for dtype in frames[1].dtypes],
            "differences": differences,
        }
    )
)
