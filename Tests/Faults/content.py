"""What a store holds, apart from how its bytes lie in files: every row of every table, with external values by content."""

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import threading
from dataclasses import dataclass, field

# A value kept in a file of its own: tag 02, the file's name, NUL.
REFERENCE = re.compile(rb"\x02([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})\x00?\Z")


@dataclass
class Content:
    rows: str  # a hash over the schema and all rows; references stand as the content of their files
    problem: str = ""  # why it is no whole store
    tables: dict = field(default_factory=dict)  # table -> hash
    missing: list = field(default_factory=list)  # external files that rows name and that aren't there

    def __eq__(self, other):
        return (self.rows, self.problem, self.missing) == (other.rows, other.problem, other.missing)

    def difference(self, other):
        if self.problem:
            return self.problem
        names = [t for t in sorted(set(self.tables) | set(other.tables)) if self.tables.get(t) != other.tables.get(t)]
        return f"differs in {names}, missing files {self.missing}"


def sha(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


_cache = {}
_lock = threading.Lock()


def support(name):
    return f".{os.path.splitext(name)[0]}_SUPPORT/_EXTERNAL_DATA"


def read(folder, name, scratch, also=(), prefer=frozenset()):
    """Reads a copy of the store, as the app's next launch would: with its WAL, or after rolling a journal back.

    also: other folders in which external files are looked for; prefer: contents that win if there are several.
    """
    def resolve(uuid):
        found = []
        for place in (folder, *also):
            path = os.path.join(place, support(name), uuid)
            if os.path.isfile(path):
                found.append(sha(path))
        return next((f for f in found if f in prefer), found[0] if found else None)

    main = os.path.join(folder, name)
    if not os.path.isfile(main):
        return Content("", "there is no store")
    parts = [p for p in ("", "-wal", "-journal") if os.path.isfile(main + p) and os.path.getsize(main + p)]
    key = tuple((p, sha(main + p)) for p in parts)
    with _lock:
        known = _cache.get(key)
    if known is None:
        with tempfile.TemporaryDirectory(dir=scratch) as copy:
            for part in parts:
                shutil.copyfile(main + part, os.path.join(copy, name + part))
            known = _dump(os.path.join(copy, name))
        with _lock:
            _cache[key] = known
    tables, problem = known
    if problem:
        return Content("", problem)
    hashes, missing = {}, []
    for table, (digest, references) in tables.items():
        contents = [resolve(u) for u in references]
        missing += [u for u, c in zip(references, contents) if c is None]
        hashes[table] = digest + "".join(c or "-" for c in contents)
    return Content(hashlib.sha256(repr(sorted(hashes.items())).encode()).hexdigest(), "", hashes, missing)


def _dump(path):
    """Returns (table -> (hash, references in row order), problem)."""
    try:
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        try:
            check = connection.execute("PRAGMA integrity_check").fetchall()
            if check != [(b"ok",)]:
                return None, f"integrity_check: {check[:3]}"
            schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
            tables = {"schema": (hashlib.sha256(repr(schema).encode()).hexdigest(), [])}
            for kind, name, _, sql in schema:
                if kind != b"table" or (sql or b"").upper().startswith(b"CREATE VIRTUAL"):
                    continue
                digest, references = hashlib.sha256(), []
                quoted = name.decode().replace('"', '""')
                for row in connection.execute(f'SELECT * FROM "{quoted}"'):
                    values = []
                    for value in row:
                        match = REFERENCE.match(value) if isinstance(value, bytes) and len(value) < 40 else None
                        if match:
                            references.append(match[1].decode())
                        values.append("external" if match else value)
                    digest.update(repr(values).encode())
                tables[name.decode()] = (digest.hexdigest(), references)
            return tables, ""
        finally:
            connection.close()
    except sqlite3.Error as error:
        return None, f"sqlite: {error}"


def files(folder):
    """Path below the folder -> hash of each regular file, link target of each link, '/' for a folder."""
    found = {}
    for root, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(root, name)
            relative = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[relative] = "-> " + os.readlink(path)
            elif os.path.isdir(path):
                found[relative] = "/"
            elif os.path.isfile(path):
                found[relative] = sha(path)
            else:
                found[relative] = "special"
    return found
