# make test is the fast part, for every edit; make check is everything.
.PHONY: check test gate race tokens wordpress chaos bench release-snapshot

GO   ?= go
TOOL := $(GO) tool -modfile=go.tool.mod
DIRS := bench cmd curate discover generate runtime test
# What needs more than go test has its own target.
UNIT  = $$($(GO) list ./... | grep -v -e /test/ -e /bench/tokens)

check: gate race tokens wordpress

# The fast part: under two minutes, no WordPress.
test:
	$(GO) vet ./...
	$(GO) test $(UNIT)

# What a reader sees: format, vet, comments, dead code, a tidy module.
gate:
	@echo "== gofumpt";     out=$$($(TOOL) gofumpt -l $(DIRS)); test -z "$$out" || { echo "$$out: run $(TOOL) gofumpt -w $(DIRS)"; exit 1; }
	@echo "== go vet";      $(GO) vet ./...
	@echo "== go fix";      out=$$($(GO) fix -diff ./...); test -z "$$out" || { echo "$$out"; exit 1; }
	@echo "== staticcheck"; $(TOOL) staticcheck ./...
	@echo "== deadcode";    out=$$($(TOOL) deadcode -test ./...); test -z "$$out" || { echo "$$out"; exit 1; }
	@echo "== go mod tidy"; $(GO) mod tidy -diff

race:
	@echo "== go test -race"
	$(GO) test -race -shuffle=on -timeout 30m $(UNIT)

# How far the estimate of tokens is off, against tokenizers from npm (docs/tokens.md).
# What is missing, npm or the recorded sites, is skipped, with the reason.
tokens:
	@echo "== estimates of tokens"
	$(GO) test -count=1 -v ./bench/tokens

# What needs a real WordPress, real clients, a browser, a proxy in front, a release. What
# cannot be had is skipped, with the reason. One package after another: they share
# the site, and test/doctor breaks it for a moment.
wordpress:
	@echo "== on a real WordPress, with real clients"
	test/login/browser -- test/release/front -- test/wordpress/site run -- $(GO) test -count=1 -p 1 ./test/...

# Everything at once, a minute each (docs/chaos.md): make chaos SEED=7 FOR=10s. A minute
# is written into docs/chaos.md by make chaos UPDATE=-update.
SEED ?= 0
FOR  ?= 60s
chaos:
	$(GO) test ./test/chaos/history
	$(GO) test -count=1 -v -timeout 30m ./test/chaos -seed $(SEED) -for $(FOR) $(UPDATE)

# What the largest recorded site costs: allocations, CPU and peak memory. And what
# serving costs, beside a proxy and plain handlers: in rounds, so that what is compared
# ran in the same minute. The raw output stays, docs/benchmarks.md is written from it.
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./discover ./generate ./cmd/toolpress
	@rm -f bench/results/serving.txt
	for round in 1 2 3 4 5; do \
		$(GO) test -run '^$$' -bench 'List$$|Call$$' -benchtime 0.5s ./bench/serving >>bench/results/serving.txt && \
		$(GO) test -run '^$$' -bench 'ListChanged$$|Stream$$|SaveToNotice$$' -benchtime 5x ./bench/serving >>bench/results/serving.txt && \
		$(GO) test -run '^$$' -bench 'Poll$$' -benchtime 10x ./cmd/toolpress >>bench/results/serving.txt || exit 1; \
	done
	$(GO) test -run '^$$' -bench 'Listens$$' -benchtime 1x ./bench/serving >>bench/results/serving.txt
	$(GO) test -run TestBenchmarksDocument ./bench/serving -update

# Everything a release consists of, into dist/; the public workflow runs the same.
release-snapshot:
	.github/release/snapshot
