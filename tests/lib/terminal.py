# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a shell in a real terminal by tmux, and reads the screen as a user sees it."""
import contextlib
import os
import re
import shutil
import subprocess
import time

from lib import kernel
from lib.ktap import assert_true, descendants, expect_eq, fail, needs, scratch_dir


def needs_terminal():
    needs(shutil.which("tmux"), "needs tmux")


def printed_on_terminal(argv):
    """Runs a command with a terminal as its stderr. Returns everything that it prints there. The
    output must fit into the terminal's buffer of 4 KiB."""
    ours, its = os.openpty()
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=its, check=True)
    os.close(its)
    return read_terminal(ours)


def terminated_on_terminal(argv, pattern):
    """Runs a command like printed_on_terminal(), and sends SIGTERM to it after it has printed
    @pattern, a regular expression."""
    ours, its = os.openpty()
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=its) as child:
        os.close(its)
        text = read_terminal(ours, pattern)
        child.terminate()
        text += read_terminal(ours)
    return text


def read_terminal(ours, pattern=None):
    """Reads until the text has @pattern. Without @pattern, reads until all processes have closed
    the terminal, and closes it, too."""
    text = b""
    with contextlib.suppress(OSError):  # EIO: the end
        while not (pattern and re.search(pattern, text.decode())):
            text += os.read(ours, 1 << 16)
    if not pattern:
        os.close(ours)
    return text.decode()


class Terminal:
    """A terminal with a shell. Inside its with block, the shell is ready for input."""

    def __init__(self, width=100, height=24):
        self.socket = os.path.join(scratch_dir(), "tmux")
        self.size = ("-x", str(width), "-y", str(height))

    def tmux(self, *words):
        done = subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", *words], text=True,
                              capture_output=True, check=False, encoding="utf-8",
                              env={**os.environ, "LC_ALL": "C.UTF-8", "PS1": "$ "})
        assert_true(done.returncode == 0, f"tmux {words}: {done.stderr}")
        return done.stdout

    def __enter__(self):
        self.tmux("new-session", "-d", *self.size, "sh")
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def screen(self):
        return self.tmux("capture-pane", "-p").split("\n")[:-1]

    def says(self, what):
        """Returns a variable of tmux about the terminal, such as cursor_flag or alternate_on."""
        return self.tmux("display-message", "-p", f"#{{{what}}}").strip()

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def resize(self, width, height):
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def programs(self):
        """Returns the state and the kernel stack of each program in the terminal."""
        return "".join(f"{name} {pid} {kernel.read('/proc', str(pid), 'wchan')}\n"
                       f"{kernel.read('/proc', str(pid), 'stack')}\n"
                       for pid, name in descendants(int(self.says("pane_pid"))))

    def wait(self, holds, what):
        """Waits until holds(screen) is true and the screen no longer changes. Returns the screen.
        Only the time limit of the test limits the wait, because a busy machine may be slow."""
        before = None
        try:
            while not (holds(screen := self.screen()) and screen == before):
                before = screen
                time.sleep(0.05)
        except SystemExit:
            fail(f"{what} on the screen:\n" + "\n".join([*(before or ()), self.programs()]))
            raise
        return screen

    def wait_for(self, text):
        return self.wait(lambda screen: any(text in line for line in screen), text)

    def start(self, line):
        """Starts a shell line. Stores the terminal's settings before the line and after it. ended()
        compares them."""
        self.before, self.after, self.status = (
            os.path.join(scratch_dir(), name) for name in ("before", "after", "status"))
        if os.path.exists(self.status):
            os.unlink(self.status)
        script = os.path.join(scratch_dir(), "line.sh")
        with open(script, "w", encoding="utf-8") as f:
            f.write(f"stty -a >{self.before}\n{line}\ns=$?\nstty -a >{self.after}\n"
                    f"echo $s >{self.status}.new && mv {self.status}.new {self.status}\n")
        self.type(f"clear; sh {script}")
        self.press("Enter")

    def ended(self):
        """Waits for the end of the line, and returns its status. Checks that the terminal has been
        restored."""
        self.wait(lambda _: os.path.exists(self.status), "the end")
        # without the size, which the test may have changed
        settings = [re.sub(r"rows \d+; columns \d+; ", "", open(path, encoding="ascii").read())
                    for path in (self.before, self.after)]
        expect_eq(settings[1], settings[0], "stty -a")
        expect_eq(self.says("cursor_flag"), "1", "the cursor is shown")
        expect_eq(self.says("alternate_on"), "0", "alternate screen")
        with open(self.status, encoding="ascii") as f:
            return int(f.read())


def table(screen, first):
    """Returns {name: {title: text}} for the table with the first title @first."""
    at = next((n for n, line in enumerate(screen)
               if line.startswith(first + " ") and " dev BPS" in line), None)
    if at is None:
        return {}
    titles = re.split(r"\s{2,}", screen[at].strip())
    rows = (re.split(r"\s{2,}", line.strip()) for line in screen[at + 1:-1] if line.strip())
    return {row[0]: dict(zip(titles, row)) for row in rows}
