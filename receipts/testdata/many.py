"""Verify many bundles in one process, for the tests.

Standard input: a line of JSON {"keys": [PEM, ...], "heads": [head, ...], "openssl": bool}, then frames: a line "KEYS HEAD
LENGTH" and LENGTH bytes; HEAD -1 is none. Standard output: a line for each frame, "valid" or why not.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs"))
sys.dont_write_bytecode = True
import verify_receipts as v  # noqa: E402

stdin = sys.stdin.buffer
given = json.loads(stdin.readline())
keys = [v.public_keys(pem) for pem in given["keys"]]
heads = [v.Head(text) for text in given["heads"]]
verify = v.ed25519(given["openssl"])
while True:
    line = stdin.readline()
    if not line:
        break
    key, head, length = (int(part) for part in line.split())
    data = stdin.read(length)
    try:
        v.verify_bundle(data, keys[key], heads[head] if head >= 0 else None, verify)
        print("valid", flush=True)
    except v.Invalid as wrong:
        print(str(wrong).replace("\n", " ") or "invalid", flush=True)
