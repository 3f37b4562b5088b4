"""What other programs read of an export."""

import json
import os
import pathlib
import shutil
import subprocess
import sysconfig
import warnings

import duckdb
import pandas

DATES = {"date", "impossibleDate"}
FORMATS = [["ndjson"], ["csv"], ["ndjson", "--compress", "gzip"], ["csv", "--compress", "zstd"]]


def export(check, program, store, folder, words):
    """The manifest; None if there is none."""
    shutil.rmtree(folder, ignore_errors=True)
    result = program.run("export", store, "--to", folder, "--format", *words, "--quiet")
    if not check.expect(result.returncode == 0, store.name, result.stderr.strip()):
        return None
    check.count("exports")
    return json.loads((folder / "manifest.json").read_text())


def dates(file):
    """Its columns of dates, by the manifest."""
    return [c["name"] for c in file["columns"] if "date" in c["holds"] and set(c["holds"]) <= DATES]


def check(check, program, stores, folder):
    for store in stores:
        for words in FORMATS:
            manifest = export(check, program, store, folder / "dump", words)
            if manifest:
                where = f"{store.name} {' '.join(words)}"
                read_with_duckdb(check, where, manifest, folder / "dump")
                read_with_pandas(check, where, manifest, folder / "dump")
        if export(check, program, store, folder / "dump", ["ndjson"]):
            run_header(check, store.name, folder / "dump")


def read_with_duckdb(check, where, manifest, folder):
    home = pathlib.Path.cwd()
    os.chdir(folder)
    try:
        connection = duckdb.connect()
        connection.execute(pathlib.Path("load.sql").read_text())
    except duckdb.Error as error:
        return check.expect(False, where, f"load.sql: {error}")
    finally:
        os.chdir(home)
    for file in manifest["files"]:
        table = pathlib.Path(file["file"]).name.split(".")[0]
        rows = connection.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]
        check.expect(rows == file["rows"], where, f"DuckDB reads {rows} of {file['rows']} rows of {table}")
        types = {row[0]: row[1] for row in connection.execute(f'DESCRIBE "{table}"').fetchall()}
        check.count("tables in DuckDB")
        check.count("rows in DuckDB", rows)
        for column in dates(file):
            check.count("date columns in DuckDB")
            kind = types.get(column)
            check.expect(kind == "TIMESTAMP WITH TIME ZONE", where, f"{table}.{column} is {kind}")


def read_with_pandas(check, where, manifest, folder):
    for file in manifest["files"]:
        path = folder / file["file"]
        if manifest["format"] == "csv":
            frame = pandas.read_csv(path, low_memory=False)
        elif file["rows"] == 0:
            continue
        else:
            frame = pandas.read_json(path, lines=True, convert_dates=False)
        check.count("files in pandas")
        check.expect(len(frame) == file["rows"], where, f"pandas reads {len(frame)} rows of {path.name}")
        for column in dates(file):
            check.count("date columns in pandas")
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    read = pandas.to_datetime(frame[column], utc=True)
                except (KeyError, ValueError, UserWarning) as error:
                    check.expect(False, where, f"pandas: {path.name} {column}: {error}")
                    continue
            lost = int((read.isna() & frame[column].notna()).sum())
            check.expect(lost == 0, where, f"pandas: {lost} dates of {path.name} {column} are lost")


def run_header(check, where, folder):
    """The two command lines at the top of load.sql, as they stand."""
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    lines = [line[2:].strip() for line in (folder / "load.sql").read_text().splitlines() if line[:2] == "--"]
    commands = [line for line in lines if line.startswith("duckdb ")]
    check.expect(len(commands) == 2, where, f"load.sql's header has {commands}")
    for command in commands:
        result = subprocess.run(
            ["sh", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        check.count("command lines")
        check.expect(result.returncode == 0, where, f"{command}: {result.stderr.strip()}")
    manifest = json.loads((folder / "manifest.json").read_text())
    made = list((folder / "parquet").glob("*.parquet"))
    check.count("Parquet files", len(made))
    check.expect(len(made) == len(manifest["files"]), where, f"{len(made)} Parquet files")
    rows = sum(duckdb.execute(f"SELECT COUNT(*) FROM '{file}'").fetchone()[0] for file in made)
    check.expect(rows == sum(file["rows"] for file in manifest["files"]), where, f"{rows} rows in Parquet")


def check_spark(check, program, stores, folder):
    from pyspark.sql import SparkSession, functions
    from pyspark.sql.types import StructType

    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    for store in stores:
        manifest = export(check, program, store, folder / "dump", ["ndjson"])
        if not manifest:
            continue
        schemas = json.loads((folder / "dump" / "spark-schemas.json").read_text())
        for file in manifest["files"]:
            schema = StructType.fromJson(schemas[file["file"]])
            frame = spark.read.schema(schema).option("mode", "FAILFAST").json(str(folder / "dump" / file["file"]))
            columns = dates(file)
            kinds = {field.name: field.dataType.typeName() for field in schema}
            # Counting a column makes Spark read it.
            counted = [functions.count(functions.col(f"`{column.replace('`', '``')}`")) for column in columns]
            row = frame.select(functions.count(functions.lit(1)), *counted).collect()[0]
            check.count("tables in Spark")
            check.count("rows in Spark", row[0])
            check.expect(row[0] == file["rows"], store.name, f"Spark reads {row[0]} rows of {file['file']}")
            for column, read in zip(columns, row[1:]):
                check.count("date columns in Spark")
                check.expect(kinds[column] == "timestamp", store.name, f"{column} is {kinds[column]}")
    spark.stop()
