# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks JSON documents that a test reads against Documentation/schema."""
import importlib.util
import json
import os
import re
from functools import lru_cache

FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Documentation/schema")
INSIDE = "#/$defs/common/$defs"  # the place of common.json in the schema of a command
# json.loads() without a check, for documents that a test made or changed
parse = json.loads
ELEMENT = re.compile(r"\[\d+\]")
MOST = 9  # at most this many faults of a document are shown
WORD = re.compile(r"[a-z_ +]{0,16}")


def names():
    return sorted({name.removesuffix(".json") for name in os.listdir(FOLDER)} - {"common"})


@lru_cache(maxsize=None)
def read(name):
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as f:
        return f.read()


@lru_cache(maxsize=None)
def validator(name, part):
    """Returns the validator of a schema, or of the definition @part in it."""
    import jsonschema  # it may not be installed
    schema = json.loads(read(name).replace("common.json#/$defs", INSIDE))
    common = json.loads(read("common").replace("#/$defs", INSIDE))
    schema["$defs"] = {**schema.get("$defs", {}), "common": common}
    if part:
        schema = {"$defs": schema["$defs"], "$ref": f"#/$defs/{part}"}
    return jsonschema.Draft202012Validator(schema)


def form(node):
    """Returns (form, reduced node). The form has all that a schema can check: keys, types, signs
    and short words. The reduced node is faster to check: of all list elements with the same form,
    it has only the first."""
    if isinstance(node, dict):
        members = {key: form(value) for key, value in node.items()}
        return (tuple((key, of) for key, (of, _) in members.items()),
                {key: value for key, (_, value) in members.items()})
    if isinstance(node, list):
        elements = {}
        for of, value in map(form, node):
            elements.setdefault(of, value)
        return ("array", *elements), list(elements.values())
    if isinstance(node, str):
        return ("text", node if WORD.fullmatch(node) else ""), node
    if node is None or isinstance(node, bool):
        return node is None, node
    return (node < 0, float(node).is_integer()), node


def faults(name, document, part=None):
    """Returns a text for each fault. The document must conform to the definition @part of the
    schema, such as the one for a line of a log. If @part is None, it must conform to the whole
    schema."""
    from jsonschema.exceptions import best_match
    errors = validator(name, part).iter_errors(form(document)[1])
    return [f"{name}: {ELEMENT.sub('[]', e.json_path)}: {e.message[:300]}"
            for e in map(lambda error: best_match([error]), errors)]


@lru_cache(maxsize=None)
def installed():
    """Imports jsonschema, and returns true if it is installed. A program calls this before its
    tests, because each test is a process, and would import jsonschema again."""
    if not importlib.util.find_spec("jsonschema"):
        return False
    importlib.import_module("jsonschema")
    return True


def watch(fault):
    """Makes json.loads() and json.load() check documents of iospan, and call fault(text) for each
    fault. Without python3-jsonschema, nothing is checked."""
    def checked(text, *args, **how):
        document = parse(text, *args, **how)
        if isinstance(document, dict) and {"iospan", "command"} <= document.keys():
            name = document["command"].replace(" ", "-")
            known = name in names()
            for found in faults(name, document)[:MOST] if known else [f"no schema {name}.json"]:
                fault(found)
        return document

    if installed():
        json.loads = checked
