# What a developer can do here: `make help` lists it. Every target installs what it lacks, so a
# machine that has Swift and make needs no preparation.

.DEFAULT_GOAL := help
SHELL := bash

# Every test is written with Swift Testing.
TEST := swift test --disable-xctest

# The raw key of all databases in the second part of `make test-cipher`: deriving one takes time.
TEST_KEY := 58544c697465206b65657073206f6e65206b657920666f722069747320746573

# Where `make world` leaves its database.
WORLD := .build/world.sqlite

# How long `make soak` works.
SECONDS ?= 60

# Homebrew's SQLCipher lies where no compiler looks by itself.
ifeq ($(shell uname),Darwin)
  CIPHER_PREFIX = $(shell brew --prefix sqlcipher 2>/dev/null)
  CIPHER_FLAGS = -Xcc -I$(CIPHER_PREFIX)/include -Xlinker -L$(CIPHER_PREFIX)/lib
  DOCC = xcrun docc
else
  DOCC = $(dir $(realpath $(shell command -v swift)))docc
endif

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## Run the README's first minute on a file (Samples/QuickStart)
	@.ci/setup build
	swift run QuickStart

.PHONY: test
test: ## Run the whole suite over the system's SQLite
	@.ci/setup build test
	$(TEST)

.PHONY: test-cipher
test-cipher: ## Run the same suite over SQLCipher, then again with every database encrypted
	@.ci/setup cipher test
	$(TEST) --traits SQLCipher --scratch-path .build-cipher $(CIPHER_FLAGS)
	XTLITE_TEST_KEY=$(TEST_KEY) \
	  $(TEST) --skip-build --traits SQLCipher --scratch-path .build-cipher $(CIPHER_FLAGS)

.PHONY: test-release
test-release: ## Run the suite as the optimizer leaves it
	@.ci/setup build test
	$(TEST) -c release -Xswiftc -enable-testing --scratch-path .build-release

.PHONY: release-check
release-check: ## Build samples as the optimizer leaves them, and run them
	@.ci/setup build
	swift build -c release --product QuickStart
	swift build -c release --product UpgradeDemo
	"$$(swift build -c release --show-bin-path)/QuickStart"
	"$$(swift build -c release --show-bin-path)/UpgradeDemo"

.PHONY: consumers
consumers: ## Build and run programs that use XTLite from outside (Tests/Consumers)
	@.ci/setup build
	.ci/consumers

.PHONY: sanitize
sanitize: ## Run the suite under the address sanitizer, then under the thread sanitizer
	@.ci/setup build test
	ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=.ci/leak-sanitizer.txt \
	  $(TEST) --sanitize=address --scratch-path .build-address
	TSAN_OPTIONS=suppressions=.ci/thread-sanitizer.txt \
	  $(TEST) --sanitize=thread --scratch-path .build-thread

.PHONY: torture
torture: ## Try to break it: failing disks, 500 kills, searches, observers, a minute of all at once
	@.ci/setup build cipher test
	XTLITE_TORTURE=1 $(TEST) --filter TortureTests
	XTLITE_TORTURE=1 $(TEST) --traits SQLCipher --scratch-path .build-cipher $(CIPHER_FLAGS) \
	  --filter 'ExchangeTortureTests|CipherSalvageTortureTests'
	XTLITE_TORTURE=1 $(TEST) -c release -Xswiftc -enable-testing --scratch-path .build-release \
	  --filter UpgradeMatrixTests
	XTLITE_TORTURE=1 TSAN_OPTIONS=suppressions=.ci/thread-sanitizer.txt \
	  $(TEST) --sanitize=thread --scratch-path .build-thread --filter SoakTortureTests

.PHONY: soak
soak: ## Work on one file from many threads and processes, for SECONDS=60
	@.ci/setup build test
	XTLITE_SOAK_SECONDS=$(SECONDS) $(TEST) --filter SoakTortureTests

.PHONY: bench
bench: ## Measure every workload beside a hand-written loop over the C API
	@.ci/setup build
	swift run -c release Benchmarks

.PHONY: bench-plot
bench-plot: ## Measure, and draw the README's chart (Samples/Benchmarks/ratios.svg)
	@.ci/setup build plot
	@[ -x .build/plot/bin/python ] || python3 -m venv .build/plot
	@.build/plot/bin/pip install --quiet --disable-pip-version-check 'matplotlib>=3.8,<4'
	set -o pipefail; swift run -c release Benchmarks | tee .build/bench.txt
	.build/plot/bin/python Samples/Benchmarks/chart.py .build/bench.txt Samples/Benchmarks/ratios.svg

.PHONY: upgrade-demo
upgrade-demo: ## Take one file through five versions of a model (Samples/UpgradeDemo)
	@.ci/setup build
	swift run UpgradeDemo

.PHONY: world
world: ## Put real data in tables and ask it ten questions (Samples/WorldData)
	@.ci/setup build world
	@rm -f $(WORLD) $(WORLD)-wal $(WORLD)-shm
	swift run -c release WorldData $(WORLD)

.PHONY: world-check
world-check: ## The same, with each answer compared to what the sqlite3 tool finds in the file
	@.ci/setup build world
	swift build -c release --product WorldData
	Samples/WorldData/check.sh "$$(swift build -c release --show-bin-path)/WorldData"

.PHONY: chinook
chinook: ## Ask twenty typed questions, DATABASE=chinook.sqlite, and compare with the sqlite3 tool
	@.ci/setup build world
	swift build -c release --product Chinook
	Samples/Chinook/check.sh "$$(swift build -c release --show-bin-path)/Chinook" "$(DATABASE)"

.PHONY: notes
notes: ## Notes on the terminal, searched as you type and always current (Samples/Notes)
	@.ci/setup build
	swift build --product Notes
	@"$$(swift build --show-bin-path)/Notes" .build/notes.sqlite

.PHONY: notes-check
notes-check: ## The same by its commands, with what it says and stores compared
	@.ci/setup build world
	swift build --product Notes
	Samples/Notes/check.sh "$$(swift build --show-bin-path)/Notes"

.PHONY: type-checking
type-checking: ## How long the compiler takes over two hundred typed queries
	@.ci/setup build
	swift build --target XTLite
	time swiftc -typecheck -swift-version 6 -Xfrontend -warn-long-expression-type-checking=200 \
	  -I "$$(swift build --show-bin-path)/Modules" -I Sources/CSQLite Tests/TypeChecking/*.swift

.PHONY: format
format: ## Format every Swift file
	swift format format --in-place --recursive --parallel Package.swift Sources Tests Samples

.PHONY: lint
lint: ## Look for what the formatter, shellcheck and the README's reader would trip over
	@.ci/setup lint
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Samples
	shellcheck .ci/run .ci/setup .ci/consumers Samples/*.sh Samples/*/check.sh
	@echo 'diff README.md Samples/QuickStart/main.swift'
	@awk '/^```swift/ { on = 1; next } /^```/ && on { exit } on' README.md \
	  | diff - Samples/QuickStart/main.swift

.PHONY: docs
docs: ## Build the documentation into .build/docs
	@.ci/setup build
	swift build --target XTLite --scratch-path .build-docs -Xswiftc -emit-symbol-graph \
	  -Xswiftc -emit-symbol-graph-dir -Xswiftc .build-docs/symbols
	$(DOCC) convert Sources/XTLite/XTLite.docc --output-path .build/docs \
	  --additional-symbol-graph-dir .build-docs/symbols \
	  --fallback-display-name XTLite --fallback-bundle-identifier XTLite

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build .build-*
