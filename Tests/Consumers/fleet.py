"""What DuckDB and Spark read of a fleet, and the guide's job for a cluster."""

import datetime
import decimal
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import zipfile

import duckdb

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Sources/storescope/storescope.docc/Fleet.md"
QUERIES = ROOT / "Queries/fleet"
ADDRESSES = 1000
PER_ZIP = 10
LARGEST = 3_000_000


def check(check, program, stores, folder):
    tree, places = folder / "tree", folder / "places.txt"
    make(tree, program, stores, folder)
    places.write_text("".join(f"{path}\n" for path in sorted(tree.iterdir())))
    result = program.run("fleet", tree, "--to", folder / "fleet", "--quiet")
    if not check.expect(result.returncode == 0, "fleet --to", result.stderr.strip()):
        return
    written = opened(folder / "fleet")
    found = count(written, "stores") + count(written, "failures")
    check.count("addresses", found)
    check.count("of them in archives", count(written, "stores WHERE address LIKE '%.zip!/%'"))
    check.count("of them failures", count(written, "failures"))
    check.expect(found == ADDRESSES, "fleet --to", f"{found} rows for {ADDRESSES} addresses")
    run_job(check, program, folder, places)
    compare_tables(check, written, folder / "parquet")
    compare_queries(check, folder)


def make(tree, program, stores, folder):
    """A folder per hundred stores: copies, stores with mirrors, and damaged ones; a tenth of all in archives."""
    program.run("demo", folder)
    demo = folder / "Journeys.store"
    stores = [store for store in stores if store.stat().st_size < LARGEST]
    chance = random.Random(19)
    for number in range(ADDRESSES):
        store = demo if number % 3 == 0 else stores[number % len(stores)]
        place = tree / f"{number // 100}" / f"{number:04}" / "App.store"
        place.parent.mkdir(parents=True)
        shutil.copyfile(store, place)
        if (wal := pathlib.Path(f"{store}-wal")).exists():
            shutil.copyfile(wal, f"{place}-wal")
        if number % 6 == 0:
            identify(place, number)
        if number % 13 == 7:
            damage(place, chance, number)
    for start in range(0, ADDRESSES // 10, PER_ZIP):
        with zipfile.ZipFile(tree / f"case-{start // PER_ZIP}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(start, start + PER_ZIP):
                place = tree / "0" / f"{number:04}"
                for path in sorted(place.iterdir()):
                    archive.write(path, f"AppData/{number:04}/{path.name}")
                shutil.rmtree(place)
    (tree / "0").rmdir()


def identify(place, number):
    """Another store than the one it is a copy of, with another share of what is pending. So that every query has rows, some
    are wiped by the next launch, as their history ends before the token, and a few are much larger than the others."""
    connection = sqlite3.connect(place)
    if number % 18 == 0:
        connection.execute("DELETE FROM ACHANGE")
        connection.execute("DELETE FROM ATRANSACTION")
    else:
        connection.execute("UPDATE Z_METADATA SET Z_UUID = ?", [f"{number:08X}-0000-4000-8000-000000000000"])
    if number % 4 == 0:
        connection.execute("DELETE FROM ANSCKEVENT WHERE Z_PK % 3 = ?", [number % 3])
    if number % 90 == 30:
        connection.execute("CREATE TABLE other AS SELECT zeroblob(?) AS a", [20 * place.stat().st_size])
    connection.commit()
    connection.close()


def damage(place, chance, number):
    pathlib.Path(f"{place}-wal").unlink(missing_ok=True)
    content = bytearray(place.read_bytes())
    if number % 2:
        content = content[: len(content) // 3 + 17]
    else:
        content[4096:8192] = chance.randbytes(4096)
    place.write_bytes(content)


def run_job(check, program, folder, places):
    """The guide's job as it is printed, by two workers."""
    page = GUIDE.read_text()
    (folder / "job.py").write_text(page.split("```python\n")[1].split("```")[0])
    shutil.copy(program.path, folder / "storescope")
    words = ["--master", "local[2]", "--files", "storescope", "job.py", places, folder / "fleet", folder / "parquet"]
    result = subprocess.run(
        [pathlib.Path(sysconfig.get_path("scripts")) / "spark-submit", *words],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable},
    )
    if check.expect(result.returncode == 0, "the job", result.stderr[-2000:]):
        check.count("lines of the job", len((folder / "job.py").read_text().splitlines()))
        check.expect(" 0 of them without a row" in result.stdout, "the job", result.stdout[:200])


def opened(folder):
    home = pathlib.Path.cwd()
    os.chdir(folder)
    try:
        connection = duckdb.connect()
        connection.execute(pathlib.Path("load.sql").read_text())
        # The views are by relative paths.
        for name in datasets(folder):
            connection.execute(f"CREATE TABLE own_{name} AS FROM {name}; DROP VIEW {name}")
            connection.execute(f"ALTER TABLE own_{name} RENAME TO {name}")
        return connection
    finally:
        os.chdir(home)


def datasets(folder):
    return list(json.loads((folder / "spark-schemas.json").read_text()))


def count(connection, table):
    return connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]


def compare_tables(check, written, parquet):
    for name in [row[0] for row in written.execute("SHOW TABLES").fetchall()]:
        columns = ", ".join(
            f'"{column}"::{kind} AS "{column}"'
            for column, kind, *_ in written.execute(f"DESCRIBE {name}").fetchall()
        )
        written.execute(f"CREATE TEMP TABLE job AS SELECT {columns} FROM '{parquet}/{name}/*.parquet'")
        check.count("rows compared", count(written, name))
        for one, other, what in [(name, "job", "only in fleet --to"), ("job", name, "only in the job")]:
            rest = written.execute(f"FROM {one} EXCEPT ALL FROM {other} LIMIT 2").fetchall()
            check.expect(not rest, name, f"{what}: {rest}")
        written.execute("DROP TABLE job")


def compare_queries(check, folder):
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    fleet = folder / "fleet"
    for name, schema in json.loads((fleet / "spark-schemas.json").read_text()).items():
        frame = spark.read.schema(StructType.fromJson(schema)).option("mode", "FAILFAST")
        frame.json(f"{fleet}/{name}*.ndjson").createOrReplaceTempView(name)
    connection = opened(fleet)
    for file in sorted(QUERIES.glob("*.sql")):
        query = file.read_text()
        check.expect(query == (fleet / "queries" / file.name).read_text(), file.name, "isn't in the folder as it is")
        result = connection.execute(query)
        one = [[column[0] for column in result.description], *map(plain, result.fetchall())]
        frame = spark.sql(query)
        other = [frame.columns, *map(plain, frame.collect())]
        check.count("queries")
        check.count("rows of queries", len(one) - 1)
        check.expect(len(one) > 1, file.name, "has no row, so nothing was compared")
        for left, right in zip(one, other):
            if not check.expect(repr(left) == repr(right), file.name, f"{left} in DuckDB, {right} in Spark"):
                break
        check.expect(len(one) == len(other), file.name, f"{len(one)} lines in DuckDB, {len(other)} in Spark")
    spark.stop()


def plain(row):
    """Without what belongs to the engine; a type that differs stays different."""
    return [
        str(value) + " decimal" if isinstance(value, decimal.Decimal)
        else value.replace(tzinfo=None).isoformat() if isinstance(value, datetime.datetime)
        else list(value) if isinstance(value, (list, tuple))
        else value
        for value in row
    ]
