.PHONY: run test gen lint bench faults crawlers released

# -trimpath lets clones in different folders share the build cache.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))

# The race detector needs a C compiler; without one the tests run without it. SQLite, which is C translated to Go, is not instrumented:
# it takes 7 to 14 times as long when it is, and its memory is not shared with our code.
race := $(if $(shell command -v gcc),-race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false -gcflags=modernc.org/memory=-race=false)
# Tests mostly wait for databases and timers, so more packages and more tests of each run at once than there are processors. The longest
# packages are named first, as go test starts packages in the order of its arguments.
parallel := $(shell expr 2 \* $$(nproc 2>/dev/null || echo 2))
longest := ./integration ./e2e ./domain/ingest/extract ./domain/content/export ./job
served := playground/node_modules font/node_modules
installed := $(served) e2e/node_modules

run: $(served) ; go run .

test: $(installed) ; go test $(race) -p $(parallel) -parallel $(parallel) -timeout 20m $(longest) ./...

# Updates the crawler patterns from the npm package crawler-user-agents.
crawlers: ; d=$$(mktemp -d) && (cd $$d && npm pack --silent crawler-user-agents && tar xzf *.tgz) && node domain/link/visitor/crawlers.mjs $$d/package > domain/link/visitor/crawlers.tsv

gen: ; cd model && go run ./enumgen && cd .. && go run github.com/99designs/gqlgen generate && go run ./graph/compile/fakegen

# Makes the current schema that of the last release, with which TestLint compares later ones.
released: ; go run . schema > e2e/released.graphqls && echo '{}' > e2e/breaking.json

lint: ; test -z "$$(gofmt -l $$(git ls-files '*.go'))" && go vet ./...

bench: ; go run ./bench && go run ./bench/quality/score -split hold && go run ./bench/quality/coverage -split hold && go run ./bench/quality/polar -split hold

# Loads three gateways while faults are injected; FAULTS_SHORT=1 takes a minute instead of a quarter of an hour.
faults: ; go run ./fault

$(installed): %/node_modules: %/package-lock.json ; cd $* && npm ci --no-audit --no-fund --loglevel=error && touch node_modules
