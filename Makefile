# Darkroom. `make help` lists the targets.
GO       ?= go
BIN      := .bin
LINT_VER := v2.12.0
LINT     := $(BIN)/golangci-lint-$(LINT_VER)
VULN_VER := v1.9.0
VULN     := $(BIN)/govulncheck-$(VULN_VER)
# A tag may hold what a shell would run: only what a version needs is left of it.
VERSION  := $(or $(shell git describe --tags --always --dirty 2>/dev/null | LC_ALL=C tr -cd 'A-Za-z0-9._+-'),dev)
LDFLAGS  := -s -w -X darkroom/cmd/cli.version=$(VERSION)
PKG      ?= ./... ./.ci/house
SPACE    := $(subst ,, )

# What is compiled is the same in every folder, so that a fresh clone takes it from the compiler's
# cache. The SDK of OpenAI, which one test calls, takes half the time to compile unoptimised.
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath '-gcflags=github.com/openai/openai-go/...=-N -l'

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build .bin/darkroom
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/darkroom ./cmd/darkroom

.PHONY: run
run: build ## build and open the console in this terminal
	@$(BIN)/darkroom

# Where nothing runs beside anything else the race detector finds nothing, and takes most of the
# processor time of the tests: SQLite is C translated to Go, which keeps its data outside of Go's
# heap; the embedded gateway's pictures and videos, and the decoders, are made by whoever asks; the
# terminal's libraries measure the lines that they are given, and keep nothing.
UNRACED := -race=false -d=checkptr=0
ALONE   := modernc.org/sqlite/lib modernc.org/libc/... darkroom/client/sandbox/media \
           darkroom/client/sandbox/media/h264/... darkroom/client/sandbox/media/flac/... \
           image/... golang.org/x/image/... compress/... hash/... github.com/goccy/go-yaml/... \
           github.com/charmbracelet/x/ansi/... github.com/clipperhouse/...
RACE    := -race $(foreach p,$(ALONE),'-gcflags=$(p)=$(UNRACED)')

# make lint has vetted, tests included: go test would do it again. The race detector lets each
# process that ends sleep for a second, in case that something still runs. Tests also wait, for
# servers, programs and the disk: twice as many packages as processors keep these busy.
.PHONY: test
test: tools ## every test, with the race detector
	GORACE=atexit_sleep_ms=50 $(GO) test -vet=off $(RACE) -p $$(($$(nproc) * 2)) -timeout 15m $(PKG)

# Packages whose tests start a server or a process, have ffmpeg make or read a video, or need fonts.
SLOW := client/mediainfo/tags client/probe client/sandbox client/sandbox/media client/sandbox/media/fonts client/sandbox/media/h264 client/sandbox/media/flac cmd/app cmd/cli cmd/darkroom cmd/notices \
        jobs jobs/compare/browsertest jobs/compare/planted jobs/compare/report jobs/compare/vote/neutral jobs/compare/vote/page jobs/download jobs/owner jobs/store jobs/store/postgres jobs/store/postgres/pgtest \
        tui/dialogs/vote tui/paint tui/preview tui/screens/queue

.PHONY: quick
quick: ## the tests that need no server, no process and no ffmpeg, without the race detector
	@$(GO) test -vet=off -timeout 5m $$($(GO) list ./... | grep -vxE '$(subst $(SPACE),|,$(strip $(SLOW:%=darkroom/%)))')

.PHONY: lint
lint: $(LINT) ## format, vet, the rules of .golangci.yml, and how large a type and a package may be
	@out=$$(gofmt -l .ci cmd tui client jobs themes); if [ -n "$$out" ]; then echo "not formatted (gofmt -w):"; echo "$$out"; exit 1; fi
	$(GO) mod tidy -diff
	$(GO) run ./.ci/house
	@# A cache of its own: findings that another checkout left would name that one's files. What it
	@# has compiled is what the tests are made of: nothing is compiled without the race detector, too.
	GOFLAGS="$$GOFLAGS $(RACE)" GOLANGCI_LINT_CACHE=$(CURDIR)/$(BIN)/lint-cache $(LINT) run --timeout 10m

.PHONY: vuln
vuln: ## look for known vulnerabilities in what the program calls, where their database can be reached
	@GO='$(GO)' VULN='$(VULN)' VULN_VER='$(VULN_VER)' .ci/vuln ./cmd/darkroom

# One package after the other, as go test does it with -bench: they share the processors.
BENCH := $(GO) test -run '^$$'

.PHONY: bench
bench: tools ## the figures of docs/PERFORMANCE.md, in some ten minutes
	@echo "== downloads against curl"
	$(BENCH) -bench AgainstCurl -benchtime 5x ./jobs/download
	@echo "== engine: polls against net/http, 10,000 active jobs, 10^6 tasks in virtual time"
	$(BENCH) -bench 'Load|TenThousand|Schedule' -benchtime 1x ./jobs
	@echo "== history: 10^3 and 10^4 jobs"
	$(BENCH) -bench . -benchtime 100ms ./jobs/store
	@echo "== keys, starts and filters in a pty, with 10^5 jobs, beside fzf"
	$(BENCH) -bench Feels -benchtime 1x ./cmd/darkroom
	@echo "== a video that plays in the console, for ten seconds in each kind of terminal"
	$(BENCH) -bench Play -benchtime 1x ./cmd/darkroom
	@echo "== screens at 200x60, checks, formats, the embedded gateway"
	$(BENCH) -bench . -benchmem -benchtime 100ms ./themes/... ./tui/... ./client/...

.PHONY: bench-long
bench-long: tools ## history of 10^5 and 10^6 jobs, and longer downloads: half an hour
	DARKROOM_BENCH_MILLION=1 $(BENCH) -bench History -benchtime 200ms -timeout 2h ./jobs/store
	$(BENCH) -bench AgainstCurl -benchtime 20x ./jobs/download

.PHONY: demo
demo: build ## one video, one image and one piece of music, without the console
	@$(BIN)/darkroom demo

.PHONY: golden
golden: ## write the golden files anew: screens, help texts, requests
	UPDATE_GOLDEN=1 $(GO) test ./tui/... ./cmd/cli ./client/formats/...

.PHONY: docs
docs: ## write docs/FORMATS.md and the compact catalog anew, from catalog.yaml
	$(GO) generate ./client/catalog/...

.PHONY: notices
notices: ## collect the licences of what is linked anew, after go.mod has changed
	$(GO) generate ./cmd/notices

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BIN)

# What tests and benchmarks need beyond Go: the sandbox's videos are checked with ffmpeg, pages with
# Chromium, and the shared history runs on a PostgreSQL server that the tests start and end themselves.
.PHONY: tools
tools:
	@command -v curl >/dev/null || { \
	  echo "installing curl, which downloads are compared with"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends curl >/dev/null; }
	@command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || { \
	  echo "installing ffmpeg, which the tests check videos with"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends ffmpeg >/dev/null; }
	@cd /usr/share/fonts/truetype 2>/dev/null && ls dejavu/DejaVuSans.ttf wqy/wqy-microhei.ttc noto/NotoColorEmoji.ttf >/dev/null 2>&1 || { \
	  echo "installing fonts for Arabic, Chinese and emoji, which the embedded gateway writes titles with"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends fonts-dejavu-core fonts-wqy-microhei fonts-noto-color-emoji >/dev/null; }
	@command -v fzf >/dev/null || { \
	  echo "installing fzf, which keys and filters are compared with"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends fzf >/dev/null; }
	@command -v chromium >/dev/null || { \
	  echo "installing chromium, which the tests open reports and the page of votes in"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends chromium >/dev/null; }
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  echo "installing postgresql, which the tests start a server of their own with"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq --no-install-recommends postgresql >/dev/null; }

$(LINT):
	GOBIN=$(CURDIR)/$(BIN)/tmp $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VER)
	mv $(BIN)/tmp/golangci-lint $@ && rm -rf $(BIN)/tmp
