# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes certificates and passwords for a test."""
import os
import subprocess

from lib.ktap import scratch_dir


def openssl(*argv, **options):
    return subprocess.run(["openssl", *argv], text=True, capture_output=True, check=True,
                          **options).stdout.strip()


def write_file(name, text, mode=0o600):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, mode)
    return path


def certificate(name="one"):
    key, cert = (os.path.join(scratch_dir(), f"{name}.{kind}") for kind in ("key", "pem"))
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1")
    return cert, key
