"""What somebody who gets a redacted copy can read in it."""

import contextlib
import json
import pathlib
import plistlib
import shutil
import sqlite3
import struct
import zlib

import numpy

# Their texts and numbers are names, keys and the state of history and mirror, which a copy keeps.
STRUCTURE = {"Z_PRIMARYKEY", "Z_MODELCACHE", "Z_METADATA", "ACHANGE", "ATRANSACTION"}
# What frameworks, not apps, write.
FRAMEWORK = ["NSCloudKitMirroringDelegate", "com.apple.coredata", "PFCloudKit", "CDMR", "CKErrorDomain", "NSCK"]
SHORTEST = 4


def check(check, program, stores, folder):
    for store in stores:
        for has_model in [True, False]:
            place = folder / "copy"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            path = place / store.name
            for suffix in ["", "-wal", "-shm", "-journal"]:
                if (source := pathlib.Path(f"{store}{suffix}")).exists():
                    shutil.copyfile(source, f"{path}{suffix}")
            names, had_model = take_model(path, removes=not has_model)
            if has_model and not had_model:
                continue
            where = f"{store.name} {'with' if has_model else 'without'} its model"
            redact(check, program, path, where, names, has_model)


def take_model(path, removes):
    """The text of the cached model, and whether there is any; takes it out of the store."""
    with opened(path) as connection:
        try:
            content = connection.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
        except sqlite3.OperationalError:
            return b"", False
        if removes:
            connection.execute("DELETE FROM Z_MODELCACHE")
            connection.commit()
    if not content or not content[0]:
        return b"", False
    try:
        return zlib.decompress(content[0], -15), True
    except zlib.error:
        return content[0], True


@contextlib.contextmanager
def opened(path):
    connection = sqlite3.connect(path)
    connection.text_factory = lambda text: text.decode(errors="replace")
    try:
        yield connection
    finally:
        connection.close()


def redact(check, program, path, where, names, has_model):
    copy = path.with_name("Redacted.sqlite")
    result = program.run("redact", path, "-o", copy, "--salt", "a check's own", "--quiet")
    if not check.expect(result.returncode == 0, where, result.stderr.strip()):
        return
    check.count("copies")
    if has_model:
        before, after = (findings(program, one) for one in [path, copy])
        check.count("findings compared", len(before))
        check.expect(before == after, where, f"doctor finds {before}, in the copy {after}")
    original, redacted = Values(path, names), Values(copy, names)
    check.count("texts looked for", len(original.texts))
    check.count("fractions and dates looked for", len(original.numbers))
    files = [copy, *(f for f in copy.parent.rglob(".Redacted_SUPPORT/**/*") if f.is_file())]
    found = found_in(files, original.texts)
    check.expect(not found, where, f"{len(found)} texts are left, such as one of {len(next(iter(found), ''))} characters")
    left = original.numbers & redacted.numbers
    check.expect(not left, where, f"{len(left)} fractions or dates are left")


def findings(program, path):
    return [(one["rule"], one["count"]) for one in program.json("doctor", path)["findings"]]


class Values:
    """What the app's tables hold."""

    def __init__(self, path, names):
        self.texts, self.numbers = set(), set()
        structure = bytearray(names)
        with opened(path) as connection:
            for name, sql in connection.execute("SELECT name, sql FROM sqlite_master"):
                structure += f"{name} {sql}\n".encode()
            for row in connection.execute("SELECT Z_NAME FROM Z_PRIMARYKEY"):
                structure += f"{row[0]}\n".encode()
            structure += "\n".join(authors(connection)).encode()
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            ).fetchall()
            for (table,) in tables:
                if table not in STRUCTURE and not table.startswith(("sqlite_", "ANSCK", "Z_RT")):
                    self.read(connection, table)
        structure = bytes(structure)
        self.texts = {
            text
            for text in self.texts
            if len(text) >= SHORTEST
            and not any(text.startswith(name) for name in FRAMEWORK)
            and text.encode(errors="replace") not in structure
            # A mark is made of hexadecimal digits, and may have a few of them in a row by chance.
            and not (len(text) <= 6 and set(text) <= set("0123456789abcdef"))
        }

    def read(self, connection, table):
        quoted = '"' + table.replace('"', '""') + '"'
        columns = connection.execute(f"PRAGMA table_info({quoted})").fetchall()
        types = [column[2].upper() for column in columns]
        for row in connection.execute(f"SELECT * FROM {quoted}"):
            for kind, value in zip(types, row):
                if isinstance(value, str):
                    self.add(value)
                elif isinstance(value, bytes):
                    self.add_blob(value)
                elif isinstance(value, (int, float)) and not isinstance(value, bool):
                    is_date = kind == "TIMESTAMP" and abs(value) > 1_000_000
                    if is_date or value != int_or(value):
                        self.numbers.add(float(value))

    def add(self, value):
        if isinstance(value, str):
            # Of a URI, entity and number stay; a number by itself is no text.
            if not value.startswith("x-coredata:") and not value.isdigit():
                self.texts.add(value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key not in ("$class", "$classes", "$classname"):
                    self.add(inner)
        elif isinstance(value, (list, tuple)):
            for inner in value:
                self.add(inner)
        elif isinstance(value, bytes):
            self.add_blob(value)

    def add_blob(self, blob):
        # Core Data puts a 1 before a large value that it keeps in the row.
        for content in [blob, blob[1:] if blob[:1] == b"\1" else b""]:
            try:
                if content[:6] == b"bplist":
                    value = plistlib.loads(content)
                    is_archive = isinstance(value, dict) and "$objects" in value
                    self.add(objects(value) if is_archive else value)
                elif content[:1] in (b"{", b"["):
                    self.add(json.loads(content))
            except (ValueError, plistlib.InvalidFileException, RecursionError, struct.error, OverflowError):
                pass


def authors(connection):
    """Names that an app's code chose for its contexts and saves, which a copy keeps; those of programs it doesn't."""
    known = [column[1] for column in connection.execute("PRAGMA table_info(ATRANSACTION)")]
    columns = [column for column in ["ZAUTHORTS", "ZCONTEXTNAMETS"] if column in known]
    if not columns:
        return []
    chosen = " UNION ".join(f"SELECT {column} FROM ATRANSACTION" for column in columns)
    return [row[0] for row in connection.execute(f"SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK IN ({chosen})")]


def objects(archive):
    """An archive's values without the names of classes and fields, which are a program's."""
    return [one for one in archive["$objects"] if one != "$null" and not (isinstance(one, dict) and "$classes" in one)]


def int_or(value):
    try:
        return int(value)
    except (ValueError, OverflowError):
        return value


def found_in(files, texts):
    """Those of the texts that the files have anywhere, in UTF-8 or UTF-16."""
    found = set()
    for file in files:
        content = file.read_bytes()
        if len(content) < 4:
            continue
        # Most texts are known not to be there by four of their bytes.
        octets = numpy.frombuffer(content, numpy.uint8).astype(numpy.uint32)
        words = octets[:-3] << 24 | octets[1:-2] << 16 | octets[2:-1] << 8 | octets[3:]
        known = set(numpy.unique(words).tolist())
        for text in texts:
            for encoding in ["utf-8", "utf-16-le", "utf-16-be"]:
                needle = text.encode(encoding, errors="replace")
                begin, end = (int.from_bytes(part, "big") for part in [needle[:4], needle[-4:]])
                if begin in known and end in known and needle in content:
                    found.add(text)
    return found
