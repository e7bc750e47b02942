# shellcheck shell=bash
# What testdata/conformance/run, testdata/inspector/run and testdata/gateway/run share. They run from the top of the repository.

work=$(mktemp -d)

# A developer's own configuration must not reach the servers under test; "${clean[@]}" is put before a command. $STORE
# is the database of the servers, if it is not a file, and $BLOBS their object storage, if it is not a folder.
for name in $(compgen -e | grep '^CTX_MCP_' || true); do unset "$name"; done
# shellcheck disable=SC2034
clean=(env -u XDG_CONFIG_HOME -u XDG_DATA_HOME HOME="$work" ${STORE:+CTX_MCP_STORE="$STORE"} ${BLOBS:+CTX_MCP_BLOBS="$BLOBS"})

server= # the process id of the one that runs

# However the run ends, it ends the server that it started.
finish() {
  local status=$?
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# skip REASON ends the run without a failure where Node cannot be had. CI must have it.
skip() {
  if [ "${CI:-}" = true ]; then
    echo "FAILED: $1; CI must run this" >&2
    exit 1
  fi
  echo "SKIPPED: $1"
  exit 0
}

# fail REASON ends the run. What out holds is lost when CI ends, so CI prints the server's last lines.
log=/dev/null
fail() {
  [ "${CI:-}" != true ] || tail -n 50 "$log" >&2
  echo "FAILED: $1" >&2
  exit 1
}

# begin NAME empties out/NAME, where everything is kept that the run prints, and installs the packages of testdata/NAME.
begin() {
  out=out/$1
  rm -rf "$out"
  mkdir -p "$out"
  install "$1"
}

# packages NAME puts the packages that testdata/NAME/package-lock.json pins into .cache/npm/NAME, unless they are there, and
# sets modules. No script of a package is run.
packages() {
  local from=testdata/$1 to=.cache/npm/$1
  command -v npm >/dev/null || skip "npm is not installed"
  if ! cmp -s "$from/package-lock.json" "$to/installed"; then
    mkdir -p "$to"
    rm -f "$to/installed"
    cp "$from/package.json" "$from/package-lock.json" "$to/"
    echo "installing the packages of $from"
    npm ci --prefix "$to" --ignore-scripts --no-audit --no-fund --loglevel error </dev/null ||
      npm ci --prefix "$to" --ignore-scripts --no-audit --no-fund --loglevel error </dev/null ||
      skip "npm cannot install the packages of $from"
    cp "$from/package-lock.json" "$to/installed"
  fi
  modules=$PWD/$to/node_modules
}

# install NAME installs packages and sets node, for suites that run on it.
install() {
  packages "$1"
  for node in "$modules"/node-*/bin/node "$(command -v node || true)"; do
    if [ -x "$node" ] && "$node" -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' 2>/dev/null; then return; fi
  done
  skip "Node 22 or later is not installed"
}

# serve NAME COMMAND... starts a server, waits until it has said where it listens, and sets url and log.
serve() {
  log=$out/$1.log
  shift
  "$@" >"$log" 2>&1 </dev/null &
  server=$!
  for _ in $(seq 300); do
    url=$(grep -oE 'http://127\.0\.0\.1:[0-9]+/mcp' "$log" | head -n 1 || true)
    if [ -n "$url" ]; then return; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$log" >&2
  fail "the server did not start: $*"
}

# stop ends the server, which must exit 0.
stop() {
  local status=0
  kill "$server"
  wait "$server" || status=$?
  server=
  [ $status -eq 0 ] || fail "the server exited with $status; see $log"
}

# suite NAME SCRIPT ARGUMENT... runs the suite against url and adds to the number of checks that passed.
passed=0
suite() {
  local name=$1 count
  shift
  if ! "$node" "$@" --url "$url" --output-dir "$out/$name" </dev/null >"$out/$name.txt" 2>&1; then
    grep -E 'FAILURE|WARNING|Error:|✗|~|failures' "$out/$name.txt" >&2 || tail -n 50 "$out/$name.txt" >&2
    fail "conformance: $name; see $out/$name.txt, and $log for the server's log"
  fi
  count=$(sed -nE 's/^(Passed|Total): ([0-9]+).*/\2/p' "$out/$name.txt")
  passed=$((passed + count))
}

# unfixed NAME runs the scenarios that need no fixtures against the server of the product at url, in all revisions.
unfixed() {
  local release=$modules/@modelcontextprotocol/conformance/dist/index.js preview=$modules/conformance-next/dist/index.js scenario
  for scenario in server-initialize ping tools-list server-sse-multiple-streams dns-rebinding-protection; do
    suite "$1-$scenario" "$release" server --scenario "$scenario"
  done
  suite "$1-2025-11-25-server-session-lifecycle" "$preview" server --scenario server-session-lifecycle --spec-version 2025-11-25
  for scenario in tools-list server-sse-multiple-streams dns-rebinding-protection http-header-validation \
    input-required-result-unsupported-methods; do
    suite "$1-2026-07-28-$scenario" "$preview" server --scenario "$scenario" --spec-version 2026-07-28
  done
  suite "$1-2026-07-28-server-stateless" "$preview" server --scenario server-stateless --spec-version 2026-07-28 \
    --expected-failures "testdata/conformance/expected-failures-$1.yml"
}

# signs_in NAME ARGUMENT... runs scenarios of the suite for clients that sign in, with the gateway as the client, and adds to the number of checks that passed.
signs_in() {
  local name=$1
  shift
  if ! CTX_MCP=$PWD/bin/ctx-mcp "$node" "$modules/conformance-next/dist/index.js" client --command "$work/client" "$@" \
    --output-dir "$out/$name" </dev/null >"$out/$name.txt" 2>&1; then
    grep -E 'FAILURE|WARNING|✗|^ctx-mcp:' "$out/$name.txt" >&2 || tail -n 50 "$out/$name.txt" >&2
    fail "conformance: $name; see $out/$name.txt"
  fi
  passed=$((passed + $(sed -nE 's/^(Passed|Total): ([0-9]+).*/\2/p' "$out/$name.txt" | tail -n 1)))
}

# inspect NAME TRANSPORT ERA ARGUMENT... runs Inspector against local_server, a command with its flags, or url, and keeps what it prints.
calls=0
inspect() {
  local name=$1 target
  case $2 in
  stdio) target=("${local_server[@]}") ;;
  http) target=("$url") ;;
  esac
  if ! "${clean[@]}" MCP_INSPECTOR_SECRET_STORE=memory "$node" \
    "$modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" --cli "${target[@]}" \
    --protocol-era "$3" --format json "${@:4}" </dev/null >"$out/$name.txt" 2>&1; then
    cat "$out/$name.txt" >&2
    fail "inspector: $name; $log is the log of the HTTP server"
  fi
  calls=$((calls + 1))
}

# call NAME TRANSPORT ERA TOOL JSON
call() { inspect "$1" "$2" "$3" -q --method tools/call --tool-name "$4" --tool-args-json "$5"; }

# expect NAME TEXT, refuse NAME TEXT: what Inspector printed holds it, or does not.
expect() { grep -qF "$2" "$out/$1.txt" || { cat "$out/$1.txt" >&2; fail "inspector: $1 does not hold: $2"; }; }
refuse() { ! grep -qF "$2" "$out/$1.txt" || { cat "$out/$1.txt" >&2; fail "inspector: $1 holds: $2"; }; }
