.PHONY: run test gen lint bench

# The race detector needs a C compiler; without one the tests run without it.
race := $(if $(shell command -v gcc),-race)
served := playground/node_modules font/node_modules
installed := $(served) e2e/node_modules

run: $(served) ; go run .

test: $(installed) ; go test $(race) -timeout 20m ./...

gen: ; go run github.com/99designs/gqlgen generate

lint: ; test -z "$$(gofmt -l $$(git ls-files '*.go'))" && go vet ./...

bench: ; go run ./bench && go run ./bench/quality/score -split hold && go run ./bench/quality/coverage -split hold

$(installed): %/node_modules: %/package-lock.json ; cd $* && npm ci --no-audit --no-fund --loglevel=error && touch node_modules
