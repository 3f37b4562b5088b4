"""`restore` with kills and failures: the old or the backup's store is there with its external files, and nothing is lost."""

import os
import sqlite3

import applying
import content
import injecting
import judging
import stores


class Restore:
    """The store of the backup is of kind `backup`; the one that lies in its place was changed since and is of `present`."""

    def __init__(self, binary, backup, present):
        self.binary, self.backup, self.present = binary, backup, present
        self.name = f"restore/{backup}/{present}"

    def build(self, folder):
        stores.base(self.binary, folder, self.backup)
        result = injecting.run(applying.Apply(self.binary, self.backup, "pull").argv(folder), timeout=60)
        if result.code:
            raise SystemExit(f"no backup: {result.describe(2000)}")
        if self.present == "missing":
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(os.path.join(folder, stores.NAME + suffix)):
                    os.remove(os.path.join(folder, stores.NAME + suffix))
        else:
            stores.age(folder, self.present)

    def argv(self, place):
        backup = judging.backups(place)[0]
        return [self.binary, "restore", backup, "--confirm", stores.NAME, "--json", "--no-config"]

    def learn(self, slot):
        place = slot.fresh(self)
        self.expected = set(os.listdir(place)) | {stores.NAME + s for s in ("", "-wal", "-shm")}
        self.old = judging.State(place, slot.scratch)
        self.new = judging.State(judging.backups(place)[0], slot.scratch)
        self.values = frozenset(content.files(os.path.join(place, stores.SUPPORT)).values())
        result = injecting.rerun(self.argv(place), slot)
        restored = judging.State(place, slot.scratch)
        if result.code or restored.content != self.new.content or not restored.has_assets_of(self.new):
            raise SystemExit(f"{self.name} undisturbed: {restored.content.difference(self.new.content)} "
                             f"{result.describe(2000)}")

    def state(self, place, slot):
        return judging.which(judging.State(place, slot.scratch), self.old, self.new)

    def problems(self, result, state, place):
        return judging.restore_problems(result, state, place, self.present != "missing")

    def killed_problems(self, state, place):
        return []

    def again(self, place, slot, state, findings):
        result = injecting.rerun(self.argv(place), slot)
        after, problem = self.state(place, slot)
        problems = []
        if problem or after not in ("new", "both") or result.code:
            problems.append(("second-run", f"store {after or 'torn'} {problem}: {result.describe()}"))
        left = judging.leftovers(place, self.expected)
        if left:
            problems.append(("leftover", f"{left} stay after a second run"))
        if self.present != "missing" and not self.old_is_kept(place, slot):
            problems.append(("lost", f"what was in the place is in none of {judging.replaced(place)}"))
        return problems

    def old_is_kept(self, place, slot):
        """The rows of the old store lie in one of the folders that were kept, its files in some of them or still in place."""
        kept = judging.replaced(place)
        everywhere = [place, *kept]
        assets = {}
        for folder in everywhere:
            for name, value in content.files(os.path.join(folder, stores.ASSETS)).items():
                assets.setdefault(name, set()).add(value)
        if not all(v in assets.get(n, ()) for n, v in self.old.assets.items()):
            return False
        return any(judging.State(folder, slot.scratch, everywhere, self.values).content == self.old.content
                   for folder in kept)


def scenarios(binary, mode):
    pairs = [("wal", "wal"), ("nowal", "nowal"), ("rollback", "rollback"), ("wal", "rollback"), ("rollback", "wal")]
    if mode == "kills":
        pairs += [("wal", "missing")]
    return [Restore(binary, *pair) for pair in pairs]
