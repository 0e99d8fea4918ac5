#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kubernetes.py FILE: compares the objects of a YAML file with the API schema of Kubernetes, which
Debian's python3-kubernetes contains as Python classes. Prints a line for each field that is
unknown, missing or of the wrong type. If there is such a field, the exit status is 1."""
import sys

sys.path.pop(0)  # the folder of this file, so that "kubernetes" is Debian's module
# pylint: disable=wrong-import-position
import yaml
from kubernetes import client

KINDS = {("v1", "Namespace"): "V1Namespace", ("apps/v1", "DaemonSet"): "V1DaemonSet"}
PLAIN = {"str": str, "int": int, "bool": bool}


def faults(value, kind, where):
    """Yields the faults of @value, which should be of the type @kind."""
    if kind.startswith("list["):
        for i, item in enumerate(value):
            yield from faults(item, kind[5:-1], f"{where}[{i}]")
    elif kind.startswith("dict("):
        for key, item in value.items():
            yield from faults(item, kind[5:-1].split(", ")[1], f"{where}.{key}")
    elif kind in PLAIN:
        if not isinstance(value, PLAIN[kind]):
            yield f"{where}: {value!r} is not of type {kind}"
    elif kind != "object":
        yield from faults_of_object(value, getattr(client, kind), where)


def faults_of_object(value, model, where):
    names = {name: attribute for attribute, name in model.attribute_map.items()}
    known = {names[key]: item for key, item in value.items() if key in names}
    for key, item in value.items():
        if key not in names:
            yield f"{where}.{key}: {model.__name__} has no such field"
        else:
            yield from faults(item, model.openapi_types[names[key]], f"{where}.{key}")
    try:
        model(**known)  # fails if a field is missing
    except ValueError as error:
        yield f"{where}: {error}"


def faults_of_file(path):
    with open(path, encoding="utf-8") as f:
        for document in yaml.safe_load_all(f):
            kind = document.get("apiVersion"), document.get("kind")
            if kind in KINDS:
                yield from faults(document, KINDS[kind], kind[1])
            else:
                yield f"unknown kind {kind}"


found = list(faults_of_file(sys.argv[1]))
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
