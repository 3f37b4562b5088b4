"""Runs a program on a terminal of its own, as a person does."""

import os
import pty
import select
import signal
import time

from process import environment


class Terminal:
    def __init__(self, argv, cwd, home, extra=None):
        self.shown = b""
        env = {**environment(home), "TERM": "xterm", **(extra or {})}
        self.pid, self.end = pty.fork()
        if not self.pid:
            try:
                os.chdir(cwd)
                os.execvpe(str(argv[0]), [str(a) for a in argv], env)
            finally:
                os._exit(127)

    def wait_for(self, text, seconds=15):
        """Whether the text is shown within that time."""
        until = time.monotonic() + seconds
        while text not in self.shown:
            if time.monotonic() > until or not self._read(0.1):
                return text in self.shown
        return True

    def _read(self, seconds):
        ready, _, _ = select.select([self.end], [], [], seconds)
        if ready:
            try:
                data = os.read(self.end, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.shown += data
        return True

    def type(self, text):
        os.write(self.end, text)

    def finish(self, seconds=30):
        """Reads to the end. Returns the exit code; 137 if it had to be killed."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._read(0.1):
            pass
        pid = 0
        while not pid and time.monotonic() < until:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if not pid:
                time.sleep(0.02)
        if not pid:
            os.kill(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code
