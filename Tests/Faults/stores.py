"""Makes the stores that the checks run on, out of the binary's own demo store."""

import os
import shutil
import sqlite3

from process import run

NAME = "Journeys.store"
SUPPORT = ".Journeys_SUPPORT/_EXTERNAL_DATA"
ASSETS = "Journeys_ckAssets"
KINDS = ("wal", "nowal", "rollback")
SHARED = "7C9E6679-7425-40DE-944B-E07FC1F90AE7"  # an external file whose content later differs
LATER = "0F8FAD5B-D9CB-469F-A165-70867728950E"  # an external file that only the later store has


def demo(binary, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    result = run([binary, "demo", folder])
    if not os.path.exists(os.path.join(folder, NAME)):
        raise SystemExit(f"no demo store: {result.describe()}")
    return folder


def edit(folder, kind, change, name=NAME):
    """Runs `change` on the store and leaves it in the journal mode of `kind`: `wal` with commits in the WAL only."""
    path = os.path.join(folder, name)
    work = path + ".edit"
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        if kind == "rollback":
            connection.execute("PRAGMA journal_mode=DELETE")
            change(connection)
            return
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        change(connection)
        if kind == "wal":
            # As an app leaves them that was killed: copied before the close, which would move the WAL into the store.
            for suffix in ("", "-wal", "-shm"):
                shutil.copyfile(path + suffix, work + suffix)
    finally:
        connection.close()
    if kind == "wal":
        for suffix in ("", "-wal", "-shm"):
            os.replace(work + suffix, path + suffix)


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def add_attachment(connection, key, uuid):
    connection.execute("INSERT INTO ZATTACHMENT SELECT ?, Z_ENT, Z_OPT, ZBYTECOUNT, ZENTRY, ZFILENAME, ? FROM ZATTACHMENT "
                       "WHERE Z_PK = 1", (key, b"\x02" + uuid.encode() + b"\0"))
    connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_NAME = 'Attachment'", (key,))


def base(binary, folder, kind):
    """The demo store with a second external value, assets, and a change that in `wal` only the WAL has."""
    demo(binary, folder)
    write(os.path.join(folder, SUPPORT, SHARED), b"first content " * 700)
    write(os.path.join(folder, ASSETS, "one"), b"asset one, first")
    write(os.path.join(folder, ASSETS, "two"), b"asset two")

    def change(connection):
        add_attachment(connection, 2, SHARED)
        connection.execute("UPDATE ZTAG SET Z_OPT = Z_OPT + 1")
    edit(folder, kind, change)
    return folder


def age(folder, kind):
    """What an app did after the backup: rows changed, a value added, external files of known names rewritten."""
    write(os.path.join(folder, SUPPORT, SHARED), b"second content " * 900)
    write(os.path.join(folder, SUPPORT, LATER), b"later value " * 500)
    write(os.path.join(folder, ASSETS, "one"), b"asset one, second")
    write(os.path.join(folder, ASSETS, "three"), b"asset three")
    os.remove(os.path.join(folder, ASSETS, "two"))

    def change(connection):
        add_attachment(connection, 3, LATER)
        connection.execute("UPDATE ZPERSON SET Z_OPT = Z_OPT + 7")
        connection.execute("DELETE FROM ZPACKINGITEM WHERE Z_PK = 1")
    edit(folder, kind, change)


def column(path, sql):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()
