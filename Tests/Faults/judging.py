"""Whether what a writing command says agrees with what it did."""

import glob
import json
import os
import re

import content
import stores

UNCHANGED = re.compile(r"[Nn]othing was changed|(?:was|were|been) rolled back|[Nn]othing was done|[Nn]othing was restored|left alone"
                       r"|(?:was|is|were) (?:not|n't) changed|wasn't changed|unchanged|stay as they are|no change was made")
CHANGED = re.compile(r"was changed|(?:change|changes) (?:was|were|is|are) |was made|applied|committed|may or may not|restored"
                     r"|in the place|in place|put back|put there|replaced")
LOST_LOG = re.compile(r"[Ll]og\b")


class State:
    """A store's content and its assets, which no row names: all of a state's own assets must be there."""

    def __init__(self, folder, scratch, also=(), prefer=frozenset()):
        self.content = content.read(folder, stores.NAME, scratch, also, prefer)
        assets = os.path.join(folder, stores.ASSETS)
        self.assets = content.files(assets) if os.path.isdir(assets) else {}

    def has_assets_of(self, other):
        return all(self.assets.get(name) == value for name, value in other.assets.items())


def which(state, old, new):
    """Returns `old`, `new` or `both` where they are the same, and what is wrong."""
    names = [n for n, s in (("old", old), ("new", new)) if state.content == s.content]
    if not names:
        return "", f"neither old ({state.content.difference(old.content)}) nor new ({state.content.difference(new.content)})"
    whole = [n for n in names if state.has_assets_of(old if n == "old" else new)]
    if not whole:
        return names[0], f"rows of the {names[0]} store, assets of another: {state.assets}"
    return ("both" if len(whole) == 2 else whole[0]), ""


def log_state(folder):
    """The last state in the newest log, `damaged` if it can't be read; nil if there is none or nothing in it yet."""
    logs = sorted(glob.glob(os.path.join(glob.escape(folder), "*.backup.log")), key=os.path.getmtime)
    if not logs:
        return None
    try:
        with open(logs[-1]) as file:
            text = file.read()
            return json.loads(text.rstrip("\n").split("\n")[-1])["state"] if text else None
    except (ValueError, KeyError, IndexError):
        return "damaged"


def backups(folder):
    return sorted(p for p in glob.glob(os.path.join(glob.escape(folder), "*.backup")) if os.path.isdir(p))


def _json(result):
    try:
        value = json.loads(result.out)
        return value if isinstance(value, dict) else None
    except ValueError:
        return None


def claims(result):
    """What stderr claims: (unchanged, changed)."""
    text = result.text
    rest = UNCHANGED.sub("", text)
    return bool(UNCHANGED.search(text)), bool(CHANGED.search(rest))


def apply_problems(result, state, folder, earlier=()):
    """A run of `--apply --json`, with the store in `state` afterwards. earlier: backups from before the run."""
    problems = list(ending_problems(result))
    log = log_state(folder)
    said_unchanged, said_changed = claims(result)
    made = [b for b in backups(folder) if b not in earlier]
    told = result.out.decode("utf-8", "replace").replace("\\/", "/") + result.text
    if result.code == 0:
        value = _json(result)
        if state == "old":
            problems.append(("false-success", "exit 0, and the store is the old one"))
        if value is None or not value.get("applied"):
            problems.append(("no-result", "exit 0 without a result on stdout"))
        elif not os.path.isdir(str(value.get("backup"))):
            problems.append(("backup-untold", "exit 0, and the backup told isn't there"))
        if log != "applied" and not LOST_LOG.search(told):
            problems.append(("log-disagrees", f"exit 0, the log says {log!r}, and nothing tells that"))
        return problems
    if not result.text.strip():
        problems.append(("silent", f"exit {result.code} and nothing on stderr"))
    if state == "new":
        if said_unchanged and not re.search(r"may or may not", result.text):
            problems.append(("false-unchanged", "the store is the new one, and stderr says nothing was changed"))
        elif not said_changed:
            problems.append(("success-as-failure", f"the change was made, exit {result.code}, stderr doesn't say so"))
        if made and not any(b in told for b in made):
            problems.append(("backup-untold", "the change was made, and no backup is told"))
        if log == "rolled back":
            problems.append(("log-disagrees", "the change was made, and the log says rolled back"))
    elif state == "old" and log == "applied" and made:
        problems.append(("log-disagrees", "the store is the old one, and the log says applied"))
    return problems


def restore_problems(result, state, folder, was_there, earlier=()):
    """A run of `restore --json`."""
    problems = list(ending_problems(result))
    said_unchanged, said_changed = claims(result)
    kept = [p for p in replaced(folder) if p not in earlier]
    told = result.out.decode("utf-8", "replace").replace("\\/", "/") + result.text
    if result.code == 0:
        value = _json(result)
        if state == "old":
            problems.append(("false-success", "exit 0, and the store is the old one"))
        if value is None or "replaced" not in value:
            problems.append(("no-result", "exit 0 without a result on stdout"))
        elif was_there and not os.path.isdir(str(value["replaced"])):
            problems.append(("kept-untold", f"exit 0, and what was there isn't in {value['replaced']!r}"))
        return problems
    if not result.text.strip():
        problems.append(("silent", f"exit {result.code} and nothing on stderr"))
    if state == "new":
        if said_unchanged:
            problems.append(("false-unchanged", "the backup's store is there, and stderr says nothing was changed"))
        elif not said_changed:
            problems.append(("success-as-failure", f"the store was restored, exit {result.code}, stderr doesn't say so"))
        if kept and not any(k in told for k in kept):
            problems.append(("kept-untold", "the store was replaced, and stderr doesn't say where the old one is"))
    return problems


def ending_problems(result):
    if result.timed_out:
        yield "hang", f"still running after {result.seconds:.0f} s"
    elif result.code not in (0, 2, 64):
        yield "crash", f"exit {result.code}"


def replaced(folder):
    return sorted(p for p in glob.glob(os.path.join(glob.escape(folder), "*.replaced")) if os.path.isdir(p))


def leftovers(folder, expected):
    """Names in the folder that nothing accounts for."""
    usual = re.compile(r".*\.backup\Z|.*\.backup\.log\Z|.*\.replaced\Z")
    return [n for n in sorted(os.listdir(folder))
            if n not in expected and not usual.match(n) and not _is_spent(os.path.join(folder, n))]


def _is_spent(path):
    """A journal that SQLite ended by zeroing its header, as it does under a lasting lock. Every reader ignores it."""
    if not path.endswith("-journal"):
        return False
    with open(path, "rb") as file:
        return not any(file.read(28))
