#!/bin/sh
# Install ctx-mcp for this account: download the archive for this machine, check its digest, and put the program into ~/.local/bin.
#   CTX_MCP_VERSION  the release; default: the newest
#   CTX_MCP_FROM     the folder or the address that holds the files of a release
#   CTX_MCP_KEY      a public key in PEM: the signature of the digests must be by it (needs openssl)
#   PREFIX           where to install; default: ~/.local
set -eu

fail() { echo "install.sh: $*" >&2; exit 1; }

repository=https://github.com/ctx-mcp/ctx-mcp
from=${CTX_MCP_FROM:-}
if [ -z "$from" ]; then
  from=$repository/releases/latest/download
  [ -z "${CTX_MCP_VERSION:-}" ] || from=$repository/releases/download/v$CTX_MCP_VERSION
fi

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  *) fail "there is no archive for $(uname -s): see $repository" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no archive for $(uname -m): see $repository" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fetch() { # NAME
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null; then curl -fsSL -o "$work/$1" "$from/$1"
      elif command -v wget >/dev/null; then wget -q -O "$work/$1" "$from/$1"
      else fail "neither curl nor wget is installed"; fi ;;
    *) cp "$from/$1" "$work/$1" ;;
  esac || fail "cannot get $1 from $from"
}

digest() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

fetch SHA256SUMS
if [ -n "${CTX_MCP_KEY:-}" ]; then
  fetch SHA256SUMS.sig
  openssl pkeyutl -verify -pubin -inkey "$CTX_MCP_KEY" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" >/dev/null ||
    fail "the digests are not signed by $CTX_MCP_KEY"
fi
archive=$(sed -n "s/^[0-9a-f]*  \(ctx-mcp-.*-$os-$arch\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS")
[ -n "$archive" ] || fail "the release has no archive for $os $arch"
fetch "$archive"
want=$(sed -n "s/^\([0-9a-f]*\)  $archive\$/\1/p" "$work/SHA256SUMS")
[ "$(digest "$work/$archive")" = "$want" ] || fail "$archive is not the file that SHA256SUMS names: nothing was installed"

tar -xzf "$work/$archive" -C "$work"
bin=${PREFIX:-$HOME/.local}/bin
mkdir -p "$bin"
cp "$work/${archive%.tar.gz}/ctx-mcp" "$bin/.ctx-mcp.new"
chmod 755 "$bin/.ctx-mcp.new"
mv -f "$bin/.ctx-mcp.new" "$bin/ctx-mcp"
echo "installed $(unset CTX_MCP_FROM CTX_MCP_KEY CTX_MCP_VERSION && "$bin/ctx-mcp" version) as $bin/ctx-mcp"
case :$PATH: in
  *":$bin:"*) echo "next: ctx-mcp connect" ;;
  *) echo "next: add $bin to your PATH, then ctx-mcp connect" ;;
esac
