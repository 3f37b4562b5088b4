"""Stores made to be slow, huge or to give away other files, and every reading command on them: 20 s and 1 GiB must do."""

import gzip
import os
import plistlib
import shutil
import sqlite3
import zlib
from concurrent.futures import ThreadPoolExecutor

import commands
import stores
from findings import Findings
from process import command_line, run

LONG = 10_000_000
SECRET = b"this-is-another-file-of-the-user-and-no-value"
ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"


def sql(*statements, writable=False):
    def make(connection, folder):
        if writable:
            connection.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            words = statement if isinstance(statement, tuple) else (statement,)
            connection.execute(words[0], words[1:])
        if writable:
            version = connection.execute("PRAGMA schema_version").fetchone()[0]
            connection.execute(f"PRAGMA schema_version={version + 1}")
    return make


def view(table, endless):
    """The table's place is taken by a view with its columns."""
    def make(connection, folder):
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        first = connection.execute(f'SELECT * FROM "{table}" LIMIT 1').fetchone() or (1,) * len(columns)
        connection.execute(f'ALTER TABLE "{table}" RENAME TO kept')
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("CREATE TABLE first AS SELECT * FROM kept LIMIT 1")
        if first and not connection.execute("SELECT count(*) FROM first").fetchone()[0]:
            connection.execute("INSERT INTO first DEFAULT VALUES")
        names = ", ".join(f'first."{c}"' if c != "Z_PK" else 'c.n AS "Z_PK"' for c in columns)
        end = "" if endless else " LIMIT 1000"
        connection.execute(f'CREATE VIEW "{table}" AS {ENDLESS} SELECT {names} FROM c, first{end}')
    return make


def generated(table, column, expression="printf('%.*c', 99999999, 'x')"):
    """The column is computed at each reading. The text of the schema is changed, not the rows."""
    def make(connection, folder):
        text, = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        for kind in ("VARCHAR", "BLOB", "INTEGER", "TIMESTAMP", "FLOAT"):
            for form in (f"{column} {kind}", f'"{column}" {kind}'):
                if form in text:
                    text = text.replace(form, f"{form} AS ({expression})", 1)
        assert " AS (" in text, (table, column, text)
        sql(("UPDATE sqlite_master SET sql = ? WHERE name = ?", text, table), writable=True)(connection, folder)
    return make


def index(expression):
    def make(connection, folder):
        connection.execute("CREATE INDEX hostile ON ZTAG(Z_OPT + 1)")
        sql(("UPDATE sqlite_master SET sql = ? WHERE name = 'hostile'", f"CREATE INDEX hostile ON ZTAG({expression})"),
            writable=True)(connection, folder)
    return make


def many_rows(table, count, column, value):
    def make(connection, folder):
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        names = ", ".join(f'"{c}"' for c in columns)
        values = ", ".join("n + 1000" if c == "Z_PK" else "?" if c == column else f'"{c}"' for c in columns)
        connection.execute(f'INSERT INTO "{table}"({names}) WITH c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?) '
                           f'SELECT {values} FROM c, (SELECT * FROM "{table}" LIMIT 1)', (count, value))
    return make


def external(count, make_file):
    """So many rows name one external file."""
    def make(connection, folder):
        many_rows("ZATTACHMENT", count, "ZDATA", b"\x02" + stores.SHARED.encode() + b"\0")(connection, folder)
        make_file(os.path.join(folder, stores.SUPPORT, stores.SHARED))
    return make


def sparse(size):
    def make(path):
        stores.write(path, b"")
        os.truncate(path, size)
    return make


def linked(target):
    def make(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.remove(path)
        os.symlink(target, path)
    return make


def secret_folder(connection, folder):
    """The folder of external values itself is a link to a folder of others."""
    many_rows("ZATTACHMENT", 1, "ZDATA", b"\x02" + stores.SHARED.encode() + b"\0")(connection, folder)
    shutil.rmtree(os.path.join(folder, stores.SUPPORT))
    outside = os.path.join(os.path.dirname(folder), "private")
    stores.write(os.path.join(outside, stores.SHARED), SECRET)
    os.symlink(outside, os.path.join(folder, stores.SUPPORT))


def secret_file(connection, folder):
    outside = os.path.join(os.path.dirname(folder), "private", "key")
    stores.write(outside, SECRET)
    external(1, linked(outside))(connection, folder)
    os.makedirs(os.path.join(folder, stores.ASSETS), exist_ok=True)
    os.symlink(outside, os.path.join(folder, stores.ASSETS, "asset"))


def full_text(connection, folder):
    """As systems from iOS 27 on write it: an index whose tokenizer no other program has."""
    connection.execute("CREATE VIRTUAL TABLE Z_FTS_Tag USING fts5(ZNAME, content='')")
    connection.execute("CREATE TRIGGER Z_FTS_Tag_INSERT AFTER INSERT ON ZTAG BEGIN INSERT INTO Z_FTS_Tag(rowid, ZNAME) "
                       "VALUES (new.Z_PK, new.ZNAME); END")
    sql(("UPDATE sqlite_master SET sql = ? WHERE name = 'Z_FTS_Tag'",
         "CREATE VIRTUAL TABLE Z_FTS_Tag USING fts5(ZNAME, content='', contentless_delete=1, tokenize = '_CoreDataTokenizer')"),
        writable=True)(connection, folder)


def no_model(then):
    def make(connection, folder):
        connection.execute("DELETE FROM Z_MODELCACHE")
        then(connection, folder)
    return make


def long_names(*pairs):
    return sql(*[(f'UPDATE "{table}" SET "{column}" = ?', "N" * LONG) for table, column in pairs])


def virtual(spelling, text=""):
    return sql(("INSERT INTO sqlite_master VALUES ('table', 'hostile', 'hostile', 0, ?)",
                f"{spelling} hostile USING nosuchmodule(a{text})"), writable=True)


def models(folder, count, with_hashes=True):
    """A .momd with so many versions, each of which may be a part of the store's model: they would have to be tried together.

    without hashes: no list of them says which model is which, so that each has to be read.
    """
    path = os.path.join(folder, "Many.momd")
    os.makedirs(path)
    store = os.path.join(folder, stores.NAME)
    packed, = stores.column(store, "SELECT Z_CONTENT FROM Z_MODELCACHE")[0]
    metadata, = stores.column(store, "SELECT Z_PLIST FROM Z_METADATA")[0]
    hashes = sorted(plistlib.loads(metadata)["NSStoreModelVersionHashes"].items())
    model = zlib.decompress(packed, -15)
    if not with_hashes:
        model = model.replace(b"PackingItem", b"PackingItex")
    names = {}
    for number in range(count):
        stores.write(os.path.join(path, f"Version {number}.mom"), model)
        names[f"Version {number}"] = dict([hashes[number % (len(hashes) - 1)]])
    if with_hashes:
        stores.write(os.path.join(path, "VersionInfo.plist"), plistlib.dumps(
            {"NSManagedObjectModel_CurrentVersionName": "Version 0", "NSManagedObjectModel_VersionHashes": names},
            fmt=plistlib.FMT_BINARY))
    return path


BOMB = gzip.compress(bytes(40_000_000), 9)
FRAMEWORK = (("Z_PRIMARYKEY", "Z_NAME"), ("Z_METADATA", "Z_UUID"), ("Z_METADATA", "Z_PLIST"), ("Z_MODELCACHE", "Z_CONTENT"),
             ("ATRANSACTIONSTRING", "ZNAME"), ("ATRANSACTION", "ZQUERYGEN"), ("ACHANGE", "ZCOLUMNS"),
             ("ANSCKEVENT", "ZERRORDOMAIN"), ("ANSCKRECORDMETADATA", "ZCKRECORDNAME"),
             ("ANSCKRECORDZONEMETADATA", "ZCKRECORDZONENAME"), ("ANSCKMETADATAENTRY", "ZKEY"), ("ZTAG", "ZNAME"))
VIEWED = ("ZTAG", "ZENTRY", "Z_2TAGS", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION",
          "ATRANSACTIONSTRING", "ANSCKEVENT", "ANSCKRECORDMETADATA", "ANSCKMETADATAENTRY")


def shapes():
    """Name -> (what makes it of the demo store, the entity to read)."""
    made = {}
    for table in VIEWED:
        made[f"view for {table}"] = (view(table, False), "Tag")
        made[f"endless view for {table}"] = (view(table, True), "Tag")
    for table, column in FRAMEWORK:
        made[f"generated {table}.{column}"] = (generated(table, column), "Tag")
    made["generated blob in ZTAG"] = (generated("ZTAG", "ZNAME", "zeroblob(999999999)"), "Tag")
    made["slow generated column"] = (generated("ZTAG", "ZNAME", "length(hex(hex(zeroblob(90000000))))"), "Tag")
    made["generated column in every row of ACHANGE"] = (generated("ACHANGE", "ZENTITY", "length(zeroblob(99999999))"), "Tag")
    made["index on an expensive expression"] = (index("length(hex(zeroblob(90000000)))"), "Tag")
    made["entity names of 10 MB, no model"] = (no_model(sql((
        "UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_NAME = 'Tag'", "T" * LONG))), "Entry")
    made["all entity names of 1 MB, no model"] = (no_model(sql(
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = Z_NAME || ?", "T" * 1_000_000))), "Entry")
    for table, column in FRAMEWORK:
        if column in ("Z_PLIST", "Z_CONTENT", "ZQUERYGEN", "ZCOLUMNS", "ZKEY"):
            continue
        unique = [(f'UPDATE "{table}" SET "{column}" = "{column}" || rowid || ? WHERE rowid <= 8', "N" * LONG)]
        made[f"10 MB in {table}.{column}"] = (sql(*unique), "Tag")
    made["blobs of 10 MB in the framework's tables"] = (sql(
        *[(f"UPDATE {t} SET {c} = zeroblob(10000000) WHERE rowid <= 8",) for t, c in
          (("Z_METADATA", "Z_PLIST"), ("Z_MODELCACHE", "Z_CONTENT"), ("ATRANSACTION", "ZQUERYGEN"), ("ACHANGE", "ZCOLUMNS"))]),
        "Tag")
    made["names of 900 kB in the schema"] = (sql(
        f'CREATE TABLE "Z{"T" * 900_000}"(Z_PK INTEGER PRIMARY KEY)', f'CREATE VIEW "{"V" * 900_000}" AS SELECT 1',
        f'ALTER TABLE ZTAG ADD COLUMN "Z{"C" * 900_000}" VARCHAR', f'CREATE INDEX "{"I" * 900_000}" ON ZTAG(Z_OPT)'), "Tag")
    made["100,000 entities"] = (sql("INSERT INTO Z_PRIMARYKEY WITH c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE "
                                    "n < 100100) SELECT n, 'E' || n, 0, 0 FROM c WHERE n < 16000 OR n > 20000"), "Tag")
    made["entities that are their own parents"] = (sql("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT",
                                                       "DELETE FROM Z_MODELCACHE"), "Tag")
    made["extreme numbers"] = (sql("UPDATE ZTAG SET Z_OPT = 9223372036854775807", "UPDATE Z_PRIMARYKEY SET Z_MAX = "
                                   "9223372036854775807", "UPDATE ATRANSACTION SET ZTIMESTAMP = 1e308",
                                   "UPDATE ACHANGE SET ZENTITYPK = -9223372036854775808, ZENTITY = 9223372036854775807"),
                               "Tag")
    made["500 rows of one sparse external file"] = (external(500, sparse(255 << 20)), "Attachment")
    made["300 rows of a gzip bomb"] = (many_rows("ZENTRY", 300, "ZTHUMBNAIL", BOMB), "Entry")
    made["external file that is a gzip bomb"] = (external(100, lambda p: stores.write(p, BOMB)), "Attachment")
    made["external file that links to another"] = (secret_file, "Attachment")
    made["external folder that links to another"] = (secret_folder, "Attachment")
    made["external file that is a FIFO"] = (external(3, lambda p: (os.makedirs(os.path.dirname(p), exist_ok=True),
                                                                 os.mkfifo(p))), "Attachment")
    made["external file that links to /dev/zero"] = (external(3, linked("/dev/zero")), "Attachment")
    made["virtual table"] = (virtual("CREATE VIRTUAL TABLE"), "Tag")
    made["virtual table with a comment"] = (virtual("CREATE/**/VIRTUAL TABLE"), "Tag")
    made["virtual table on several lines"] = (virtual("create\n--\nvirtual\ttable"), "Tag")
    made["full-text index of iOS 27"] = (full_text, "Tag")
    made["trigger that never ends"] = (sql(
        f"CREATE TRIGGER t AFTER UPDATE ON ZTAG BEGIN INSERT INTO ZTAG(ZNAME) {ENDLESS} SELECT n FROM c; END"), "Tag")
    made["300 models"] = (lambda connection, folder: None, "Tag")
    made["300 models without hashes"] = (lambda connection, folder: None, "Tag")
    return made


def check(options):
    findings = Findings("hostile")
    root = commands.empty(os.path.join(options.work, "hostile"))
    healthy = stores.demo(options.binary, os.path.join(root, "healthy"))
    other = os.path.join(stores.demo(options.binary, os.path.join(root, "other")), stores.NAME)
    stores.edit(healthy, "rollback", lambda connection: None)

    def one(number, name, make, entity):
        folder = os.path.join(root, f"{number:02}", "folder")
        shutil.copytree(healthy, folder, symlinks=True)
        store = os.path.join(folder, stores.NAME)
        connection = sqlite3.connect(store, isolation_level=None)
        try:
            make(connection, folder)
        finally:
            connection.close()
        extra = ["--model", models(folder, 300, name == "300 models")] if name.startswith("300 models") else []
        out = os.path.join(os.path.dirname(folder), "out")
        for index_, (command, words) in enumerate(commands.reading(store, out, entity, other).items()):
            if (index_ + number) % options.sample:
                continue
            commands.empty(out)
            result = run([options.binary, *words, *extra], timeout=commands.SECONDS + 1, most_kib=commands.MOST)
            findings.ran()
            findings.count(f"exit {result.code}")
            where = f"{name} / {command}"
            commands.limits(findings, result, where)
            if SECRET in result.out or leaks(out):
                findings.violation("leak", where, "another file of the user's comes out", command_line(result.argv))
            if name.startswith("virtual table") and command == "rows" and result.code:
                findings.violation("unreadable", where, result.describe(), command_line(result.argv))
            if options.only:
                print(command, f"{result.seconds:.1f} s, {result.peak_kib >> 10} MiB", result.describe(200))
        if not options.only:
            shutil.rmtree(os.path.dirname(folder), ignore_errors=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(one, number, name, *shape) for number, (name, shape) in enumerate(shapes().items())
                if options.only in (None, name)]
        for job in jobs:
            job.result()
    return findings.finish()


def leaks(folder):
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if os.path.isfile(path) and os.path.getsize(path) < 50 << 20:
                with open(path, "rb") as file:
                    if SECRET in file.read():
                        return True
    return False
