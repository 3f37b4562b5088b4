"""`--apply` with kills and failures: the store is the old or the new one, and what is said agrees with it."""

import os
import sqlite3

import injecting
import judging
import stores

OPERATIONS = {
    "pull": ["resync", "--pull"],
    "clear-events": ["repair", "clear-events"],
    "prune-history": ["repair", "prune-history"],
    "reset": ["reset", "--server-zone", "kept", "--discard-pending-deletes"],
    "push": ["resync", "--push"],
}


class Apply:
    def __init__(self, binary, kind, operation):
        self.binary, self.kind, self.operation = binary, kind, operation
        self.name = f"apply/{kind}/{operation}"

    def build(self, folder):
        stores.base(self.binary, folder, self.kind)

    def argv(self, place, operation=None):
        command = OPERATIONS[operation or self.operation]
        words = [command[0], os.path.join(place, stores.NAME), *command[1:]]
        return [self.binary, *words, "--apply", "--confirm", stores.NAME, "--json", "--no-config"]

    def learn(self, slot):
        place = slot.fresh(self)
        self.expected = set(os.listdir(place)) | {stores.NAME + s for s in ("-wal", "-shm")}
        self.old = judging.State(place, slot.scratch)
        result = injecting.rerun(self.argv(place), slot)
        self.new = judging.State(place, slot.scratch)
        if result.code or self.old.content == self.new.content or self.new.content.problem:
            raise SystemExit(f"{self.name} undisturbed: {self.new.content.problem} {result.describe(2000)}")

    def state(self, place, slot):
        return judging.which(judging.State(place, slot.scratch), self.old, self.new)

    def problems(self, result, state, place):
        return judging.apply_problems(result, state, place)

    def killed_problems(self, state, place):
        log = judging.log_state(place)
        if log == "applied" and state == "old" or log == "rolled back" and state == "new" or log == "damaged":
            return [("log-disagrees", f"the store is the {state} one, and the log says {log!r}")]
        return []

    def again(self, place, slot, state, findings):
        """The same command once more must come to the new store and leave nothing of the first run but its backup."""
        store = os.path.join(place, stores.NAME)
        if os.path.exists(store + "-journal") and os.path.getsize(store + "-journal"):
            # A cut-off transaction is the app's to roll back: storescope refuses until then.
            connection = sqlite3.connect(store)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            connection.close()
            findings.count("hot journals rolled back by an app before the second run")
        result = injecting.rerun(self.argv(place), slot)
        after, problem = self.state(place, slot)
        problems = []
        if problem or after != "new" or result.code and state == "old":
            problems.append(("second-run", f"store {after or 'torn'} {problem}: {result.describe()}"))
        left = judging.leftovers(place, self.expected)
        if left and result.code:
            # Nothing to do is no reason to clean up; another operation, which has something to do, is.
            injecting.rerun(self.argv(place, "clear-events" if self.operation == "pull" else "pull"), slot)
            left = judging.leftovers(place, self.expected)
        if left:
            problems.append(("leftover", f"{left} stay after a second run"))
        return problems


def scenarios(binary, mode):
    operations = ("pull", "clear-events", "prune-history", "reset") if mode == "kills" else ("pull", "prune-history")
    return [Apply(binary, kind, operation) for kind in stores.KINDS for operation in operations]
