# SPDX-License-Identifier: GPL-2.0-or-later
"""A PostgreSQL cluster below scratch_dir, and scripts of shell commands that run as the user
postgres."""
import os
import shlex
import shutil

from lib.ktap import needs, scratch_dir


class Cluster:
    def __init__(self):
        folder = "/usr/lib/postgresql"
        needs(os.path.isdir(folder) and os.listdir(folder), "needs postgresql")
        needs(shutil.which("setpriv"), "needs setpriv")
        programs = os.path.join(folder, sorted(os.listdir(folder))[-1], "bin")
        data = os.path.join(scratch_dir(), "data")
        os.mkdir(data)
        shutil.chown(data, "postgres", "postgres")
        for folder in (scratch_dir(), os.path.dirname(scratch_dir())):
            os.chmod(folder, 0o755)
        control = (f"{programs}/pg_ctl -D {data}/db -w -l log -o "
                   f"\"-k {data} -c listen_addresses=''\"")
        bench = f"{programs}/pgbench -h {data}"
        self.home = f"cd {data}"
        self.make, self.start, self.stop = (f"{programs}/initdb -D db", f"{control} start",
                                            f"{control} -m fast stop")
        self.fill, self.load = f"{bench} -i -s 1 postgres", f"{bench} -c 4 -t {{}} postgres"

    def script(self, *commands):
        """Returns the path of a shell script that runs the commands as the user postgres."""
        path = os.path.join(scratch_dir(), "script")
        text = "\n".join(["set -e", self.home, *commands])
        with open(path, "w", encoding="utf-8") as f:
            f.write("set -e\nexec >/dev/null\nexec setpriv --reuid=postgres --regid=postgres "
                    f"--clear-groups sh -c {shlex.quote(text)}\n")
        return path
