.PHONY: run console guide playground release deb deb-check test check race e2e gen clients generated lint vuln fuzz bench compare quality faults topology pooler upgrade abuse crawlers released

# -trimpath lets clones in different folders share the build cache.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))

# Tests wait for databases and timers, so one package more than there are processors runs at once. With
# still more, what they test runs into its own deadlines. Go starts packages in the order of its
# arguments, so the longest come first.
packages := $(shell expr 1 + $$(nproc 2>/dev/null || echo 2))
parallel := $(shell expr 2 \* $$(nproc 2>/dev/null || echo 2))
longest := ./test/integration ./domain/ingest/extract ./domain/content/export ./platform/job
gotest := test/services.sh go test -p $(packages) -parallel $(parallel) -timeout 40m

# The race detector needs a C compiler; without one these tests run without it. Code that only computes
# is not instrumented, as it takes 5 to 30 times as long: SQLite (C translated to Go), wazero's compiler,
# and the libraries that read texts, pages and fonts. A package that uses sync.Map or atomic.Pointer must
# be instrumented, also by inlining: the linker may use its generic code for the whole program, and
# false reports follow.
computing := modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory regexp/... unicode/... compress/flate \
	image/png golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b golang.org/x/net/html/... golang.org/x/text/... \
	codeberg.org/readeck/... github.com/go-shiori/... github.com/andybalholm/cascadia \
	github.com/RadhiFadlillah/whatlanggo github.com/rivo/uniseg github.com/blevesearch/snowballstem/... \
	github.com/microcosm-cc/bluemonday/... github.com/aymerick/douceur/... github.com/gorilla/css/... \
	github.com/go-text/typesetting/... $(addprefix github.com/tetratelabs/wazero/internal/,engine/wazevo/ssa \
	engine/wazevo/frontend engine/wazevo/backend/... wasm/binary leb128)
# No symbols for debuggers, and no pointer checks of -race: the code uses no unsafe pointers.
plain := -dwarf=false -d=checkptr=0
race := '-gcflags=all=$(plain)' $(if $(shell command -v gcc),-race $(patsubst %,'-gcflags=%=-race=false $(plain)',$(computing)))
# The packages that start goroutines.
concurrent = $(addprefix ./,$(sort $(shell git grep -lE 'go func|[.]Go\b' -- '*.go' ':!*_test.go' ':!test' | xargs -n1 dirname)))

served := asset/font/node_modules
installed := $(served) asset/playground/node_modules guide/node_modules console/node_modules test/e2e/node_modules test/generators/node_modules clients/typescript/node_modules
console := console/dist/index.html
guide := guide/dist/index.html
playground := asset/playground/dist/index.html
# What npm builds and a release contains.
built := $(console) $(guide) $(playground)

run: $(served) $(built) ; go run .

# Builds the web console, whose operations are typed by the schema that clients see.
console: $(console)
$(console): console/node_modules $(shell git ls-files 'console/src' ':(glob)console/*.ts' console/index.html console/package.json 'graph/*.graphqls' schema.graphqls)
	go run . schema > console/schema.graphql && cd console && npm run --silent build

# Builds the guide, whose pages are those of docs/ and a few of the root.
guide: $(guide)
$(guide): guide/node_modules $(shell git ls-files '*.md' ':!test' ':!domain' 'guide/.vitepress') asset/home-1280.png ; cd guide && npm run --silent build

# Builds the playground: GraphiQL with its editor and that editor's workers.
playground: $(playground)
$(playground): asset/playground/node_modules $(shell git ls-files 'asset/playground/src' 'asset/playground/examples' 'asset/playground/index.html') ; cd asset/playground && npm run --silent build

# The binary of a release contains what npm builds, and no symbols for debuggers, which are a quarter of its size.
release: $(built) ; CGO_ENABLED=0 go build -tags release -ldflags "-s -w" -o rostrum .

# The Debian package of the release, and its test, which installs and removes it on this machine.
deb: $(served) release ; deploy/deb/build.sh
deb-check: $(served) release ; ROSTRUM_TEST_DEB=$$(deploy/deb/build.sh) go test ./test/deploy -count=1 -run TestPackage

# Unit tests and the whole program's in one process, on SQLite, and on Postgres and Redis where they are found.
test: $(served) $(built)
	cd console && npm test --silent
	$(gotest) $(longest) $$(go list ./... | grep -v /test/e2e$$)

# What CI runs.
check: ; FAULTS_SHORT=1 ROSTRUM_TEST_REQUIRE=1 test/services.sh $(MAKE) lint generated test race e2e faults

# The race detector on the packages that start goroutines, and on the whole program with SQLite.
race: $(served) $(built)
	$(gotest) $(race) -ldflags=-w $(concurrent)
	$(gotest) $(race) -ldflags=-w -run './sqlite' ./test/integration

# The built binary with real clients and a browser.
e2e: $(installed) $(built) ; $(gotest) ./test/e2e

# Updates the crawler patterns from the npm package crawler-user-agents.
crawlers: ; d=$$(mktemp -d) && (cd $$d && npm pack --silent crawler-user-agents && tar xzf *.tgz) && node domain/link/visitor/crawlers.mjs $$d/package > domain/link/visitor/crawlers.tsv

gen: ; cd model && go run ./enumgen && cd .. && go run ./graph/gen && go run ./graph/compile/fakegen

# Generates the types of the clients from the schema and clients/operations.graphql.
clients: clients/typescript/node_modules
	go run . schema | go run ./clients/gen clients
	cd clients/typescript && npm run --silent generate
	cd test/generators && go tool genqlient ../../clients/go/graph/genqlient.yaml

# Makes the current schema that of the last release, with which TestLint compares later ones.
released: ; go run . schema > test/e2e/released.graphqls && echo '{}' > test/e2e/breaking.json

# Fails if make gen would change a committed file.
generated: gen ; git diff --exit-code -- ':!go.sum'

# golangci-lint runs go vet too. Its version is pinned in a module of its own.
lint: $(console) clients/typescript/node_modules
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go tool -modfile=test/lint/go.mod golangci-lint run
	cd console && npm run --silent lint
	cd clients/typescript && npm run --silent lint
	cd clients/go && go vet ./...

# Lists the known vulnerabilities of the modules and of Go that the program can reach. It needs the network.
vuln: ; go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

# Compares compiled selections with gqlgen's own walk on random queries for ten minutes; FUZZTIME=1m takes another time.
fuzz: ; go test ./graph/compile -run '^$$' -fuzz FuzzCompiled -fuzztime $(or $(FUZZTIME),10m)

bench: ; go run ./test/bench && go run ./test/bench/quality/score -split hold && go run ./test/bench/quality/coverage -split hold

# Compares the speed of reads with PostGraphile and GraphJin, which are installed from their packages. It needs the network.
compare: ; go run ./test/bench -only peers

# Scores the offline engine and the extraction on the labeled sets, with 95 % intervals; attribution has a scorer of its own.
quality:
	@go run ./test/bench/quality/score -split hold -table && go run ./test/bench/quality/coverage -table
	@go run ./test/bench/quality/tag -split hold -table && go run ./test/bench/quality/rewrite && go run ./test/bench/quality/command && go run ./test/bench/quality/speaker
	@go test ./test/bench/quality/model -count=1 -v -every 1 2>&1 | grep -E '^(models|injection) |^(---|    ---) FAIL|^(ok|FAIL)'

# Loads three gateways while faults are injected; FAULTS_SHORT=1 takes a minute instead of a quarter of an hour.
faults: ; go run ./test/fault

# Replaces three gateways behind HAProxy one after another under load. It needs haproxy, Postgres' and Redis' programs.
topology: release ; ROSTRUM_TEST_PROGRAM=./rostrum go test ./test/deploy -count=1 -v -run 'TestTopology|TestProxy'

# Runs tests of the store, the queue and the whole program through PgBouncer in transaction mode. It needs pgbouncer.
# POOLED has other packages.
pooler: $(served) $(built) ; test/services.sh test/pooler.sh go test -count=1 -timeout 40m $(or $(POOLED),./dbx ./platform/job ./test/integration)

# Replaces gateways of the revision FROM by this one's under load.
upgrade: ; go run ./test/fault -from $(FROM)

# Sends wrong, expensive and foreign inputs to a gateway with 1 GB of memory; ABUSE_SHORT=1 takes two minutes, ABUSE_MIXES=1 sends only what takes most memory, and ABUSE_SEED=N repeats an order.
abuse: ; go run ./test/abuse

$(installed): %/node_modules: %/package-lock.json ; cd $* && npm ci --no-audit --no-fund --loglevel=error && touch node_modules
