#!/usr/bin/env python3
"""Verify a bundle of ctx-mcp receipts with nothing but public keys.

    verify_receipts.py BUNDLE --key PUBLIC.pem [--head HEAD] [--openssl]

BUNDLE is what `ctx-mcp receipts export` or end_session wrote, PUBLIC.pem one or more public keys (`ctx-mcp keys export`),
HEAD a signed head that was kept earlier (`ctx-mcp receipts head`): with it, a log whose tail was cut, or that was put back,
is found out too.

Exit code 0: valid. 1: not valid, with the reason. 2: the arguments cannot be used.

This program shares no code with ctx-mcp. It needs Python 3.8 and, for Ed25519, the package `cryptography`, or else the
program `openssl` (1.1.1 or newer). The form is described in docs/format/receipts.md.
"""

import argparse
import base64
import binascii
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

PAYLOAD_TYPE = "application/vnd.ctx-mcp.receipt+json"
FORMAT = "ctx-mcp-receipts/1"
DER_PREFIX = bytes.fromhex("302a300506032b6570032100")  # an Ed25519 public key in SubjectPublicKeyInfo


class Invalid(Exception):
    """The bundle is not what was written."""


# --- Ed25519 ---------------------------------------------------------------------------------------------------------


def with_cryptography():
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    def verify(key, message, signature):
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
            return True
        except InvalidSignature:
            return False

    return verify


def verify_with_openssl(key, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("key", "message", "signature")]
        for path, content in zip(paths, (DER_PREFIX + key, message, signature)):
            with open(path, "wb") as f:
                f.write(content)
        run = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", paths[0], "-rawin", "-in", paths[1], "-sigfile", paths[2]],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return run.returncode == 0


def ed25519(openssl=False):
    """Return verify(key, message, signature)."""
    if not openssl:
        try:
            return with_cryptography()
        except ImportError:
            pass
    return verify_with_openssl


# --- Forms -----------------------------------------------------------------------------------------------------------


def strict_base64(text):
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise Invalid("not base64")
    if base64.b64encode(raw).decode() != text:
        raise Invalid("base64 in another spelling")
    return raw


def canonical(value):
    """RFC 8785 for what receipts are made of: no fractions, and integers that a double holds."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        if abs(value) > 2**53:
            raise Invalid("a number that is too large")
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(canonical(v) for v in value) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(n) + ":" + canonical(value[n]) for n in names) + "}"
    raise Invalid("a number that is no integer")


def no_twins(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise Invalid("a name is there twice")
    return dict(pairs)


def parse(raw):
    """Read JSON that must be in canonical form."""
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=no_twins)
        again = canonical(value).encode("utf-8")
    except (UnicodeError, ValueError, RecursionError):
        raise Invalid("not JSON")
    if again != raw:
        raise Invalid("not in canonical form")
    if not isinstance(value, dict):
        raise Invalid("not an object")
    return value


def public_keys(pem):
    """Return {key id: 32 bytes} of PEM text."""
    keys = {}
    for body in re.findall(r"-----BEGIN PUBLIC KEY-----(.*?)-----END PUBLIC KEY-----", pem, re.S):
        der = base64.b64decode("".join(body.split()))
        if not der.startswith(DER_PREFIX) or len(der) != len(DER_PREFIX) + 32:
            raise ValueError("it holds something other than an Ed25519 public key")
        key = der[len(DER_PREFIX):]
        keys[key_id(key)] = key
    if not keys:
        raise ValueError("it holds no public key in PEM")
    return keys


def key_id(key):
    return "sha256:" + hashlib.sha256(key).hexdigest()


class Head:
    """A signed head: origin, size and root, then the signature of a signed note."""

    def __init__(self, text):
        lines = text.split("\n")
        if len(lines) != 6 or lines[3] or lines[5]:
            raise Invalid("the head is not of its form")
        self.origin = lines[0]
        if not re.fullmatch(r"0|[1-9][0-9]{0,18}", lines[1]):
            raise Invalid("the head has no size")
        self.size = int(lines[1])
        self.root = strict_base64(lines[2])
        prefix = "\u2014 " + self.origin + " "
        if not lines[4].startswith(prefix):
            raise Invalid("the head is not signed by its log")
        blob = strict_base64(lines[4][len(prefix):])
        if len(self.root) != 32 or len(blob) != 68:
            raise Invalid("the head is not of its form")
        self.hint, self.signature = blob[:4], blob[4:]
        self.text = ("\n".join(lines[:3]) + "\n").encode("utf-8")

    def signer(self, keys, verify):
        """Return the id of the key that signed it, or None."""
        for name, key in keys.items():
            hint = hashlib.sha256(self.origin.encode("utf-8") + b"\n\x01" + key).digest()[:4]
            if hint == self.hint and verify(key, self.text, self.signature):
                return name
        return None


# --- Merkle tree, RFC 6962 -------------------------------------------------------------------------------------------


def leaf_hash(data):
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """The largest complete subtrees, as (size, hash), largest first."""

    def __init__(self):
        self.size = 0
        self.stack = []

    def add(self, leaf):
        size = 1
        while self.stack and self.stack[-1][0] == size:
            leaf = node_hash(self.stack.pop()[1], leaf)
            size *= 2
        self.stack.append((size, leaf))
        self.size += 1

    def root(self):
        if not self.stack:
            return hashlib.sha256(b"").digest()
        result = self.stack[-1][1]
        for _, subtree in reversed(self.stack[:-1]):
            result = node_hash(subtree, result)
        return result


def proved_root(leaf, index, size, proof):
    """Return the root that a proof of inclusion leads to (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise Invalid("the index is not in the log")
    at, last, result = index, size - 1, leaf
    for step in proof:
        if last == 0:
            raise Invalid("the proof is too long")
        if at & 1 or at == last:
            result = node_hash(step, result)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            result = node_hash(result, step)
        at >>= 1
        last >>= 1
    if last != 0:
        raise Invalid("the proof is too short")
    return result


# --- Receipts --------------------------------------------------------------------------------------------------------


class Receipt:
    """One line: an envelope and its body, not yet checked."""

    def __init__(self, line):
        envelope = parse(line)
        signatures = envelope.get("signatures")
        if set(envelope) != {"payload", "payloadType", "signatures"} or envelope["payloadType"] != PAYLOAD_TYPE:
            raise Invalid("not the envelope of a receipt")
        if not isinstance(signatures, list) or len(signatures) != 1 or not isinstance(signatures[0], dict) or set(signatures[0]) != {"keyid", "sig"}:
            raise Invalid("not one signature")
        payload = strict_base64(envelope["payload"])
        self.key, self.signature = signatures[0]["keyid"], strict_base64(signatures[0]["sig"])
        kind = PAYLOAD_TYPE.encode()
        self.signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
        self.body = parse(payload)
        for name in ("id", "kind", "at", "tenant", "user", "session"):
            if not isinstance(self.body.get(name), str):
                raise Invalid("the body has no " + name)
        if self.body.get("version") != 1 or not self.body["id"] or not self.body["kind"]:
            raise Invalid("the body is of another version")
        self.leaf = leaf_hash(line)

    def check(self, keys, verify):
        if self.key not in keys:
            raise Invalid("signed by a key that is not trusted")
        if not verify(keys[self.key], self.signed, self.signature):
            raise Invalid("the signature does not fit")


def read_header(line):
    header = parse(line)
    whole = set(header) == {"format", "of", "head"} and header["of"] == "log"
    session = set(header) in ({"format", "of", "head", "index", "proof"}, {"format", "of", "head", "index"}) and header["of"] == "session"
    if header.get("format") != FORMAT or not (whole or session) or not isinstance(header["head"], str):
        raise Invalid("not the header of a bundle")
    return header, Head(header["head"])


def split(data):
    if not data.endswith(b"\n"):
        raise Invalid("it ends in the middle of a line")
    return data[:-1].split(b"\n")


def follow(receipts, one_session):
    """Check what receipts say of one another, and return the hashes of sessions that ended."""
    seen, sessions, last = set(), {}, ""
    for number, r in enumerate(receipts, 2):
        b = r.body
        session = (b["tenant"], b["user"], b["session"])
        name = session + (b["id"],)
        if name in seen:
            raise Invalid("line %d: the receipt %s is there twice" % (number, b["id"]))
        if b["at"].encode() < last.encode():
            raise Invalid("line %d: it is older than the one before it" % number)
        if one_session and (not b["session"] or session != tuple(receipts[0].body[n] for n in ("tenant", "user", "session"))):
            raise Invalid("line %d: it is of another session" % number)
        seen.add(name)
        last = b["at"]
        if not b["session"]:
            continue
        tree = sessions.setdefault(session, Tree())
        if tree is None:
            raise Invalid("line %d: its session had ended" % number)
        if b["kind"] == "session":
            summary = b.get("summary")
            if not isinstance(summary, dict) or summary.get("receipts") != tree.size or summary.get("receipts_root") != base64.b64encode(tree.root()).decode():
                raise Invalid("line %d: it does not fit the receipts of its session" % number)
            sessions[session] = None
        else:
            tree.add(r.leaf)
    return sum(1 for tree in sessions.values() if tree is None)


def check_tree(header, head, receipts, kept):
    tree = Tree()
    for r in receipts:
        tree.add(r.leaf)
        if kept and header["of"] == "log" and tree.size == kept.size and tree.root() != kept.root:
            raise Invalid("it is not the log whose head was kept")
    if header["of"] == "log":
        if tree.size != head.size:
            raise Invalid("there are %d receipts, and the head is of %d" % (tree.size, head.size))
        if tree.root() != head.root:
            raise Invalid("the receipts are not those of the head")
        return
    if not receipts or receipts[-1].body["kind"] != "session":
        raise Invalid("the last receipt is not that of a session")
    proof, index = header.get("proof", []), header["index"]
    if not isinstance(proof, list) or not isinstance(index, int) or isinstance(index, bool):
        raise Invalid("the proof is not of its form")
    steps = [strict_base64(step) for step in proof]
    if any(len(step) != 32 for step in steps):
        raise Invalid("the proof is not of its form")
    if proved_root(receipts[-1].leaf, index, head.size, steps) != head.root:
        raise Invalid("the session's receipt is not in the log of the head")


def check_kept(head, kept):
    if kept.origin != head.origin:
        raise Invalid("it is not of the log whose head was kept")
    if kept.size > head.size:
        raise Invalid("its tail is cut: it has %d receipts and had %d" % (head.size, kept.size))


def verify_bundle(data, keys, kept=None, verify=None):
    """Check the bytes of a bundle. Return what it holds; raise Invalid."""
    verify = verify or ed25519()
    lines = split(data)
    header, head = read_header(lines[0])
    if kept:
        check_kept(head, kept)
    receipts = []
    for number, line in enumerate(lines[1:], 2):
        try:
            receipts.append(Receipt(line))
        except Invalid as wrong:
            raise Invalid("line %d: %s" % (number, wrong))
    ended = follow(receipts, header["of"] == "session")
    check_tree(header, head, receipts, kept)
    trusted = dict(keys)
    signer = head.signer(trusted, verify)
    for number, r in enumerate(receipts, 2):
        try:
            if r.body["kind"] == "key":
                key = strict_base64(r.body.get("public_key"))
                if len(key) != 32:
                    raise Invalid("it introduces something that is no key")
                if signer is None:  # the head vouches for nothing yet
                    r.check(trusted, verify)
                trusted[key_id(key)] = key
            r.check(trusted, verify)
        except Invalid as wrong:
            raise Invalid("line %d: %s" % (number, wrong))
    signer = signer or head.signer(trusted, verify)
    if signer is None:
        raise Invalid("the head is not signed by a key that is trusted")
    return {"receipts": len(receipts), "sessions": ended, "of": header["of"], "origin": head.origin, "log_size": head.size,
            "root": base64.b64encode(head.root).decode(), "key_id": signer}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("--key", action="append", required=True, help="file with public keys in PEM")
    parser.add_argument("--head", help="file with a signed head that was kept")
    parser.add_argument("--openssl", action="store_true", help="use openssl even if the package cryptography is there")
    args = parser.parse_args()
    try:
        keys, kept = {}, None
        for path in args.key:
            with open(path, encoding="ascii") as f:
                keys.update(public_keys(f.read()))
        if args.head:
            with open(args.head, encoding="utf-8", newline="") as f:
                kept = Head(f.read())
        with open(args.bundle, "rb") as f:
            data = f.read()
    except (OSError, ValueError, Invalid) as wrong:
        print("cannot begin: %s" % wrong, file=sys.stderr)
        return 2
    try:
        print(json.dumps(verify_bundle(data, keys, kept, ed25519(args.openssl))))
    except Invalid as wrong:
        print("NOT VALID: %s" % wrong)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
