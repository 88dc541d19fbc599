# Darkroom. `make help` lists the targets.
GO       ?= go
BIN      := .bin
LINT_VER := v2.12.0
LINT     := $(BIN)/golangci-lint-$(LINT_VER)
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -s -w -X darkroom/cmd/cli.version=$(VERSION)
PKG      ?= ./...

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build .bin/darkroom
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/darkroom ./cmd/darkroom

.PHONY: run
run: build ## build and open the console in this terminal
	@$(BIN)/darkroom

.PHONY: test
test: tools ## every test, with the race detector
	$(GO) test -race -timeout 15m $(PKG)

.PHONY: lint
lint: $(LINT) ## format, vet and the rules of .golangci.yml
	@out=$$(gofmt -l cmd tui client jobs themes); if [ -n "$$out" ]; then echo "not formatted (gofmt -w):"; echo "$$out"; exit 1; fi
	$(GO) mod tidy -diff
	@# A cache of its own: findings that another checkout left would name that one's files.
	GOLANGCI_LINT_CACHE=$(CURDIR)/$(BIN)/lint-cache $(LINT) run --timeout 10m

.PHONY: bench
bench: ## Go benchmarks: screens at 200x60, checks, formats, history
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 200ms $(PKG)

.PHONY: demo
demo: build ## one video, one image and one piece of music, without the console
	@$(BIN)/darkroom demo

.PHONY: golden
golden: ## write the golden files anew: screens, help texts, requests
	UPDATE_GOLDEN=1 $(GO) test ./tui/... ./cmd/cli ./client/formats/...

.PHONY: docs
docs: ## write docs/FORMATS.md and the compact catalog anew, from catalog.yaml
	$(GO) generate ./client/catalog/...

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BIN)

# What the tests need beyond Go: the sandbox's videos are checked with ffmpeg.
.PHONY: tools
tools:
	@command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || { \
	  echo "installing ffmpeg, which the tests check videos with"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends ffmpeg >/dev/null; }

$(LINT):
	GOBIN=$(CURDIR)/$(BIN)/tmp $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VER)
	mv $(BIN)/tmp/golangci-lint $@ && rm -rf $(BIN)/tmp
