# uuidrfc: the task runner.
#
#   make demo                      install what is missing, build, start a private server, show what the extension does
#   make demo-stop                 stop that server
#   make test                      every test, on private servers, and a line for each suite at the end
#   make crosscheck                the SQL functions against uuid-ossp and Python
#   make check-docs                the SQL examples of the README and docs/, as printed
#   make partman-test              pg_partman, from Debian, keeps partitions by the time in a UUID
#   make assert-test               the SQL tests on a server built with assertions; some minutes, the first time more
#   make core-regress-test         PostgreSQL's own regression tests, on that server, with the extension in the database
#   make valgrind-test             those of them that reach unsafe code, on that server, under valgrind
#   make address-test              the SQL tests, server and extension under AddressSanitizer; the core's tests, too
#   make install PG_CONFIG=...     build for a server and install into it, or into DESTDIR
#   make installcheck PG_CONFIG=.. the SQL tests against a running server (PGHOST, PGPORT, PGUSER as libpq reads them), as
#                                  superuser, in databases uuidrfc_regress*; LEFT_OUT names tests that are not to run
#   make fuzz                      100 million random and mutated texts for the decoders; some minutes
#   make mutants                   changes to the core that no test notices; an hour, or of one FILE
#   make differential              random queries for times against their meaning, for three hours; SECONDS=3600 each of
#                                  three parts, DIFFERENTIAL_SEED
#   make uniqueness                a billion UUIDs from 16 connections, and no duplicate (COUNT, CONNECTIONS)
#   make collisions                how many UUIDs of 10,000 nodes collide: predicted and simulated
#   make matrix                    the tests on every supported server, in Debian releases under target/ (docs/servers.md)
#   make matrix-18                 on that one
#   make upgrade-matrix            a populated database from 15 to 17 to 18 by pg_upgrade, from 15 to 18 by dump and restore
#   make check-bindings            a type check for every supported server, without the servers
#   make bench                     cost per call and per row, as ratios in one run (ROUNDS)
#   make bench-first-call          what the first call of a function costs a session (SESSIONS)
#   make bench-core                the rules alone, without a server
#   make bench-locality            what the order of keys does to an index; tables and charts in target/locality
#   make package PG_CONFIG=...     the installed files as a tree under target/release/; also: make all
#   make clean                     stop what runs under target/ and remove it

EXTENSION    = uuidrfc
PG_MAJOR    ?= 15
PG_CONFIG   ?= $(firstword $(wildcard /usr/lib/postgresql/$(PG_MAJOR)/bin/pg_config) pg_config)
VERSION      = $(shell sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)
PGRX_VERSION = $(shell sed -n 's/^pgrx = .*"=\([0-9.]*\)".*/\1/p' Cargo.toml)

PRIVATE = scripts/private-postgres
TOOLS   = target/tools-$(PGRX_VERSION)
CARGO_PGRX = PGRX_HOME="$(CURDIR)/target/pgrx" PGRX_PG_CONFIG_PATH=$(PG_CONFIG) $(TOOLS)/bin/cargo-pgrx pgrx
PGRX_OPTIONS = --pg-config $(PG_CONFIG) --no-default-features --features pg$$(scripts/pg-major $(PG_CONFIG))

# All that calls cargo takes the tool chain that scripts/rust-toolchain chose.
export PATH := $(CURDIR)/target/rust:$(PATH)
unexport CARGO RUSTC RUSTDOC RUSTFMT

# The SQL tests, in the order they run.
REGRESS = surface generate batch at shift extract vectors name_based name_encoding name_unconvertible fields layout_draft_02 \
	text aggregates domain schema time_ops time_ops_bulk \
	boundary time_predicate time_plan time_partition time_estimate readme coming_from beside_core text_beside_core

# The install scripts of released versions, which the tests of updates begin with.
RELEASED = $(filter-out $(wildcard sql/$(EXTENSION)--*--*.sql),$(wildcard sql/$(EXTENSION)--*.sql))

# The private installation's pg_config, made on first use; lazily, since the prerequisites bring the server.
PRIVATE_PG_CONFIG = $(shell $(PRIVATE) prefix $(PG_CONFIG))

.DEFAULT_GOAL := help
.PHONY: all help demo demo-stop test lint core-test fuzz mutants private-install sql-test partman-test crosscheck check-docs server-test install installcheck \
        package bench bench-first-call bench-core bench-locality clean prerequisites uniqueness collisions \
        differential matrix upgrade-matrix check-bindings cargo-pgrx rust assert-test core-regress-test valgrind-test address-test

help:
	@sed -n '3,/^$$/s/^#  \{0,1\}//p' Makefile

prerequisites:
	@PG_CONFIG="$(PG_CONFIG)" scripts/prerequisites $(PG_MAJOR)

rust:
	@scripts/rust-toolchain >/dev/null

# cargo-pgrx, built once. Its version is the one of the pgrx that Cargo.toml pins.
$(TOOLS)/bin/cargo-pgrx: | rust
	@echo "==> building cargo-pgrx $(PGRX_VERSION) under $(TOOLS) (once; takes some minutes)"
	cargo install --root $(TOOLS) --locked --quiet --no-default-features --profile dev cargo-pgrx@=$(PGRX_VERSION)

cargo-pgrx: $(TOOLS)/bin/cargo-pgrx
	@:

# Empty, since PG_CONFIG is always told. Were it not there, cargo would take it for changed and build all anew each time.
target/pgrx/config.toml:
	@mkdir -p target/pgrx
	@echo '[configs]' >$@

all: package

# Into the server's folders, or, for who makes packages, into the same folders below DESTDIR.
install: $(TOOLS)/bin/cargo-pgrx target/pgrx/config.toml
	@echo "==> building and installing for $$($(PG_CONFIG) --version)"
	$(CARGO_PGRX) $(if $(DESTDIR),package --out-dir $(DESTDIR),install --release) $(BUILD_FLAGS) $(PGRX_OPTIONS)

package: $(TOOLS)/bin/cargo-pgrx target/pgrx/config.toml
	$(CARGO_PGRX) package $(PGRX_OPTIONS)

# PostgreSQL's own test driver, as PGXS would call it. Core functions of the same names (PostgreSQL 18) must not be taken
# for ours, so the extension's schema comes before pg_catalog.
installcheck:
	@mkdir -p target/regress
	PGOPTIONS="$$PGOPTIONS -c search_path=public,pg_catalog" \
		"$$(dirname "$$($(PG_CONFIG) --pgxs)")/../test/regress/pg_regress" --bindir="$$($(PG_CONFIG) --bindir)" \
		--inputdir=tests/pg_regress --outputdir=target/regress --encoding=UTF8 --no-locale --dbname=uuidrfc_regress $(filter-out $(LEFT_OUT),$(REGRESS)) || \
		{ cat target/regress/regression.diffs; exit 1; }

private-install: prerequisites
	@$(MAKE) --no-print-directory install PG_CONFIG=$(PRIVATE_PG_CONFIG)
	@install -m 644 $(RELEASED) "$$($(PRIVATE_PG_CONFIG) --sharedir)/extension/"

sql-test: private-install
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) $(MAKE) --no-print-directory installcheck PG_CONFIG=$(PRIVATE_PG_CONFIG)

# The SQL functions against uuid-ossp and Python.
crosscheck: private-install
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/crosscheck.py
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/time_order.py

# The documentation's SQL examples, run as they are printed.
check-docs: private-install
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) scripts/check-docs

# Random schemas, rows and queries, each of four tests for so long: comparisons with times against their meaning, their
# plans beside those for UUIDs, estimates beside those for times, concurrent DDL, and uuid_time_ops against Python.
SECONDS ?= 3600
DIFFERENTIAL_SEED ?= $(shell date +%s)000
differential: private-install
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) UUIDRFC_DIFFERENTIAL_SECONDS=$(SECONDS) UUIDRFC_DIFFERENTIAL_SEED=$(DIFFERENTIAL_SEED) \
		cargo test --no-fail-fast --profile server-test --package server-tests --test differential --test partition_ddl
	UUIDRFC_DIFFERENTIAL_SECONDS=$(SECONDS) UUIDRFC_DIFFERENTIAL_SEED=$(DIFFERENTIAL_SEED) \
		$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/time_order.py

# Tests that start, crash, copy and connect servers of their own.
server-test: private-install
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) cargo test --no-fail-fast --profile server-test --package server-tests

# pg_partman keeps partitions by the time in a UUID.
partman-test: private-install
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	scripts/partman-test $(PRIVATE_PG_CONFIG)

# A server with assertions, built from Debian's source; that server under valgrind; and one under AddressSanitizer.
assert-test: prerequisites $(TOOLS)/bin/cargo-pgrx
	@scripts/checked-test asserts

core-regress-test: prerequisites $(TOOLS)/bin/cargo-pgrx
	@scripts/checked-test core

valgrind-test: prerequisites $(TOOLS)/bin/cargo-pgrx
	@scripts/checked-test valgrind

address-test: prerequisites $(TOOLS)/bin/cargo-pgrx
	@scripts/checked-test address

core-test: rust
	cargo test --quiet --package rfc9562

# FUZZ_INPUTS and FUZZ_SEED in the environment change its size and its start.
fuzz: rust
	cargo test --release --quiet --package rfc9562 --test text_fuzz -- --ignored --nocapture

# Every change that cargo-mutants makes to the core must fail one of the core's tests; .cargo/mutants.toml has those that
# change nothing. What survived stands in target/mutants.out/missed.txt.
mutants: $(TOOLS)/bin/cargo-mutants
	$(TOOLS)/bin/cargo-mutants mutants --package rfc9562 $(if $(FILE),--file $(FILE)) --output target

$(TOOLS)/bin/cargo-mutants: | rust
	cargo install --root $(TOOLS) --locked --quiet cargo-mutants@27.1.0

lint: private-install
	cd sql && sha256sum --check --quiet released.sha256
	@[ "$$(grep -c '"version": "$(VERSION)"' META.json)" -ge 2 ] || { echo "META.json is not of version $(VERSION)"; exit 1; }
	cargo fmt --all --check
	PGRX_HOME="$(CURDIR)/target/pgrx" PGRX_PG_CONFIG_PATH=$(PRIVATE_PG_CONFIG) cargo clippy --workspace --all-targets -- --deny warnings

test: prerequisites
	@scripts/suites core-test sql-test crosscheck check-docs partman-test server-test

# On every server that a Debian release has; and on one of them: make matrix-17
matrix: check-bindings
	@scripts/matrix

matrix-%:
	@scripts/matrix $*

# A populated database from one server to the next.
upgrade-matrix:
	@scripts/matrix upgrade

# The source against the bindings that pgrx ships of each server's headers: a type check without those servers. In a
# folder apart, since the compiler's flags are others.
BINDINGS ?= 14 16 17 18 19
check-bindings: rust
	@for major in $(BINDINGS); do \
		echo "==> type check against the shipped bindings of PostgreSQL $$major" && \
		DOCS_RS=1 RUSTC_WRAPPER="$(CURDIR)/scripts/shipped-bindings" CARGO_TARGET_DIR=target/bindings \
			cargo check --quiet --locked --no-default-features --features pg$$major || exit 1; \
	done

demo: private-install
	@scripts/demo $(PRIVATE_PG_CONFIG)

demo-stop:
	@$(PRIVATE) stop $(PRIVATE_PG_CONFIG)
	@echo "stopped"

bench: private-install
	@scripts/bench $(PRIVATE_PG_CONFIG)

bench-first-call: private-install
	@scripts/bench-first-call $(PRIVATE_PG_CONFIG)

# The rules alone, without a server.
bench-core: rust
	cargo bench --quiet --package rfc9562 --bench uuid

# How much, and where to: ROWS, BATCH, SHARED_BUFFERS, LOOKUPS, OUT, as bench/locality/src/settings.rs describes them.
bench-locality: private-install
	cargo run --quiet --release --package locality -- $(PRIVATE_PG_CONFIG)

# As many UUIDs as nobody has patience for, on a private server: COUNT=100_000_000 make uniqueness
uniqueness: private-install
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) cargo run --quiet --profile server-test --package server-tests --bin uniqueness

# How many UUIDs of 10,000 nodes collide; half a minute.
collisions: rust
	cargo run --quiet --release --package rfc9562 --example collisions

# Also what lies in the temporary folder that target/private may point to.
clean:
	@if [ -e target/private ]; then \
		for pg_config in $$(find "$$($(PRIVATE) home)" -name clusters -prune -o -name pg_config -print); do \
			$(PRIVATE) sweep "$$pg_config" && $(PRIVATE) stop "$$pg_config" || exit 1; \
		done; \
		rm -rf "$$($(PRIVATE) home)"; \
	fi
	rm -rf target
