"""Runs one program from outside and measures it."""

import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass
class Result:
    argv: list
    code: int  # 128 + N if signal N ended it
    out: bytes
    err: bytes
    seconds: float
    peak_kib: int  # the highest resident size of the process
    timed_out: bool

    @property
    def text(self):
        return self.err.decode("utf-8", "replace")

    @property
    def crashed(self):
        """Ended by a signal that no caller sent, as a trap, an abort or an invalid access does."""
        return self.code in {128 + s for s in (4, 5, 6, 7, 8, 11, 31)}

    def describe(self, limit=300):
        return (f"exit {self.code}{' (timed out)' if self.timed_out else ''}, {self.seconds:.1f} s, "
                f"stdout {self.out[:limit]!r}, stderr {self.text[:limit]!r}")


def command_line(argv):
    return " ".join(shlex.quote(str(a)) for a in argv)


def environment(home):
    """A user without any configuration, on no terminal."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(home), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def run(argv, timeout=30, cwd=None, home="/nonexistent", stdin=subprocess.DEVNULL, user=None, extra=None,
        most_kib=None):
    """Runs it to its end, or kills its whole session after `timeout` seconds, or once it is larger than `most_kib`."""
    env = environment(home)
    env.update(extra or {})
    argv = [str(a) for a in argv]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        child = subprocess.Popen(argv, stdin=stdin, stdout=out, stderr=err, cwd=cwd, env=env,
                                 start_new_session=True, user=user)
        late = threading.Event()

        def stop():
            late.set()
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(timeout, stop)
        timer.start()
        ended = threading.Event()
        if most_kib:
            threading.Thread(target=_watch, args=(child.pid, most_kib, ended, stop), daemon=True).start()
        # wait4 gives the peak of this child alone; a limit set on it would change what is measured.
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        ended.set()
        seconds = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        code = child.returncode if child.returncode >= 0 else 128 - child.returncode
        out.seek(0)
        err.seek(0)
        return Result(argv, code, out.read(64 << 20), err.read(4 << 20), seconds, usage.ru_maxrss, late.is_set())


def _watch(pid, most_kib, ended, stop):
    while not ended.wait(0.05):
        try:
            with open(f"/proc/{pid}/statm") as file:
                if int(file.read().split()[1]) * (os.sysconf("SC_PAGE_SIZE") >> 10) > most_kib:
                    stop()
        except (OSError, IndexError, ValueError):
            return
