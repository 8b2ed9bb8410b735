# `make help` lists the common targets, `make help-lab` the others.

EXTENSION    = uuidrfc
PG_MAJOR    ?= 15
PG_CONFIG   ?= $(firstword $(wildcard /usr/lib/postgresql/$(PG_MAJOR)/bin/pg_config) pg_config)
VERSION      = $(shell scripts/version)

PRIVATE = scripts/private-postgres
TOOLS   = target/tools

# The directories of a server's extensions, with the names and meanings of PGXS. prefix is a directory named in
# extension_control_path and dynamic_library_path of PostgreSQL 18.
in_prefix = $(prefix)/$(1)$(if $(findstring pgsql,$(prefix))$(findstring postgres,$(prefix)),,/postgresql)
datadir   = $(if $(prefix),$(call in_prefix,share),$(shell $(PG_CONFIG) --sharedir))
pkglibdir = $(if $(prefix),$(call in_prefix,lib),$(shell $(PG_CONFIG) --pkglibdir))

# Every call of cargo uses the toolchain that scripts/rust-toolchain selected.
export PATH := $(CURDIR)/target/rust:$(PATH)
unexport CARGO RUSTC RUSTDOC RUSTFMT

# The SQL tests, in the order in which they run.
REGRESS = surface generate batch at shift extract vectors name_based name_encoding name_unconvertible fields layout_draft_02 \
	text typeid seal other_ids node_id aggregates domain feed time_ops time_ops_bulk \
	boundary time_predicate time_plan time_paths time_partition time_estimate time_calls time_wrapped time_merge time_of_core seal_plan readme coming_from beside_core text_beside_core

# The install scripts of earlier versions, from which the update tests start.
EARLIER = $(filter-out $(wildcard sql/$(EXTENSION)--*--*.sql),$(wildcard sql/$(EXTENSION)--*.sql))

# The private installation's pg_config, created on first use, because the prerequisites install the server.
PRIVATE_PG_CONFIG = $(shell $(PRIVATE) prefix $(PG_CONFIG))

# Packaging tools set USE_PGXS and expect the library.
.DEFAULT_GOAL := $(if $(USE_PGXS),all,help)
# Every target with a help text, and those that other targets need.
.PHONY: help prerequisites rust private-install $(shell sed -n 's/^\([a-z-]*\):.* \(##\|#:\) .*/\1/p' Makefile)

# The help texts: ## marks common targets, #: the others.
list = @sed -n 's/^\([a-z%-]*\):.* $(1) \(.*\)/\1\t\2/p' Makefile | awk -F '\t' '{ printf "  make %-19s%s\n", $$1, $$2 }'

help:
	$(call list,\#\#)

help-lab: ## list the targets for maintenance, measurement and packaging tests
	$(call list,\#:)

demo: private-install ## build, start a private server and demonstrate the extension, installing what is missing
	@UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) $(PRIVATE) with $(PRIVATE_PG_CONFIG) demo/run

demo-stop: #: stop the server of make demo
	@$(PRIVATE) stop $(PRIVATE_PG_CONFIG)
	@echo "stopped"

PLAYGROUND = $(PRIVATE) temporary $(PRIVATE_PG_CONFIG) play shared_preload_libraries=uuidrfc max_wal_size=4GB --
play: private-install ## explore in psql: a private server with a million rows, and ten sample queries (ROWS)
	@UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) $(PLAYGROUND) python3 -B play/play.py

play-test: private-install #: run the queries of make play on fewer rows, and check their output
	@ROWS=60000 $(PLAYGROUND) python3 -B play/play.py --test

pictures: #: draw the pictures of docs/playground.md and docs/feeds.md again, as make play does
	@$(MAKE) --no-print-directory play </dev/null
	for picture in target/play/*.svg; do cp $$picture docs/play-$${picture##*/}; done

# The longest suite comes first. Each prints one line; its output is in target/suites, and shown if it fails.
SUITES = server-test crates-test sql-test portable-test crosscheck check-docs play-test partman-test report-test rekey-test
test: private-install ## run all tests for one PostgreSQL version, two suites at the same time
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	@rm -rf target/suites && mkdir target/suites
	@$(MAKE) --no-print-directory --jobs=2 --keep-going UUIDRFC_INSTALLED=yes $(SUITES:%=suite-%); status=$$?; scripts/count-tests target/suites/*; exit $$status

# The suites must not overlap: an SQL test that both run turns off track_activities, without which no mark by activity is possible.
suite-portable-test: suite-sql-test

suite-%:
	@log=target/suites/$*.log start=$$(date +%s); $(MAKE) --no-print-directory $* >$$log 2>&1 || { cat $$log; status=1; }; \
		echo "==> $*: $$(scripts/count-tests $$log)$${status:+, FAILED}, $$(($$(date +%s) - start)) s"; exit $${status-0}

prerequisites:
	@PG_CONFIG="$(PG_CONFIG)" scripts/prerequisites $(PG_MAJOR)

rust:
	@scripts/rust-toolchain >/dev/null

# pgrx's configuration. It is empty, because PGRX_PG_CONFIG_PATH names the server, but must exist, because cargo would otherwise
# see a missing dependency and rebuild all crates.
target/pgrx/config.toml:
	@mkdir -p target/pgrx
	@echo '[configs]' >$@

# $(call cargo,COMMAND,PG_CONFIG) runs a command of cargo for the library. Builds, clippy and type checks use one profile, so that
# they share the compiled macros and build scripts.
cargo = PGRX_HOME="$(CURDIR)/target/pgrx" PGRX_PG_CONFIG_PATH=$(2) cargo $(1) --release --locked --package $(EXTENSION) --lib \
	--no-default-features --features pg$$(scripts/pg-major $(2))

all: target/pgrx/config.toml | rust ## build the library for the server of PG_CONFIG=...
	@echo "==> building for $$($(PG_CONFIG) --version)"
	$(call cargo,$(BUILD),$(PG_CONFIG))

# scripts/musl makes cargo build the standard library, too.
BUILD ?= build

# The path of the library that cargo builds.
LIBRARY = $(or $(CARGO_TARGET_DIR),target)/$(CARGO_BUILD_TARGET)/release/lib$(EXTENSION).so

install: all ## build and install for the server of PG_CONFIG=..., below DESTDIR or into prefix (SUDO=sudo)
	@sed 's/@CARGO_VERSION@/$(VERSION)/' $(EXTENSION).control >target/$(EXTENSION).control
	$(SUDO) install -d "$(DESTDIR)$(pkglibdir)" "$(DESTDIR)$(datadir)/extension"
	$(SUDO) install -m 755 $(LIBRARY) "$(DESTDIR)$(pkglibdir)/$(EXTENSION).so"
	@for update in sql/$(EXTENSION)--*--*.sql; do { cat $$update; case $$update in *--$(VERSION).sql) awk -f sql/repeatable.awk sql/$(EXTENSION).sql ;; esac; } >target/$${update##*/}; done
	$(SUDO) install -m 644 target/$(EXTENSION).control target/$(EXTENSION)--*--*.sql "$(DESTDIR)$(datadir)/extension/"
	$(SUDO) install -m 644 sql/$(EXTENSION).sql "$(DESTDIR)$(datadir)/extension/$(EXTENSION)--$(VERSION).sql"
	@# After `sudo make`, the owner of the sources can build without sudo.
	@[ "$$(id -u)" -ne 0 ] || chown -hR --from=root --reference=. target/.rustc_info.json target/release target/pgrx target/$(EXTENSION)* 2>/dev/null || true

uninstall: #: remove the installed files (PG_CONFIG, DESTDIR, prefix, SUDO)
	$(SUDO) rm -f "$(DESTDIR)$(pkglibdir)/$(EXTENSION).so" "$(DESTDIR)$(datadir)/extension/$(EXTENSION)".control "$(DESTDIR)$(datadir)/extension/$(EXTENSION)"--*.sql

# PostgreSQL's own test driver, as PGXS would call it. The extension's schema precedes pg_catalog, so that the tests call the
# extension's functions and not those of the same names in PostgreSQL 18. The server's own settings do not apply to the tests.
installcheck: ## run the SQL tests on the running server of PG_CONFIG, as superuser (PGHOST, PGPORT, PGUSER)
	@mkdir -p target/regress
	PGOPTIONS="$$PGOPTIONS -c search_path=public,pg_catalog -c uuidrfc.node_id= -c uuidrfc.seal_key_file= -c uuidrfc.monotonic_scope=backend" \
		"$$(dirname "$$($(PG_CONFIG) --pgxs)")/../test/regress/pg_regress" --bindir="$$($(PG_CONFIG) --bindir)" \
		--inputdir=tests/pg_regress --outputdir=target/regress --encoding=UTF8 --no-locale --dbname=uuidrfc_regress $(filter-out $(LEFT_OUT),$(REGRESS)) || \
		{ cat target/regress/regression.diffs; exit 1; }

# Suites that run in parallel set UUIDRFC_INSTALLED, so that no suite replaces files that another one uses.
private-install: $(if $(UUIDRFC_INSTALLED),,prerequisites)
ifndef UUIDRFC_INSTALLED
	@rm -f "$$($(PRIVATE_PG_CONFIG) --sharedir)"/extension/$(EXTENSION)--*
	@$(MAKE) --no-print-directory install PG_CONFIG=$(PRIVATE_PG_CONFIG)
	@for script in $(EARLIER); do \
		{ nm -D --defined-only $(LIBRARY) && cat $$script; } | awk -f sql/earlier.awk >"$$($(PRIVATE_PG_CONFIG) --sharedir)/extension/$${script##*/}"; \
	done
endif

sql-test: private-install ## run the SQL tests on a private server (REGRESS="surface text", PRELOAD=uuidrfc)
	$(PRIVATE) $(if $(PRELOAD),temporary $(PRIVATE_PG_CONFIG) preload shared_preload_libraries=$(PRELOAD) --,with $(PRIVATE_PG_CONFIG)) $(MAKE) --no-print-directory installcheck PG_CONFIG=$(PRIVATE_PG_CONFIG)

# Each difference in the output of diff begins with the names of both files.
update-expected: #: show the differences of the last SQL tests, and make their results the expected output
	@cat target/regress/regression.diffs
	@sed -n 's/^diff [^/]* \(\/.*\.out\) \(\/.*\.out\)$$/cp "\2" "\1"/p' target/regress/regression.diffs | sh -x

portable-test: private-install #: run the same SQL tests on both editions, and compare these for random arguments (ROWS, SEED)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/portable/editions.py

portable-steps: private-install #: convert databases between the pure-SQL edition and the extension (PG_TLE_SOURCE=... to include pg_tle)
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	@tests/portable/steps.py $(PRIVATE_PG_CONFIG) $(PG_CONFIG) $(PG_TLE_SOURCE)

report-test: private-install #: run the report on a database with every case
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) report autovacuum=off -- python3 -B tests/report/report.py

rekey-test: private-install #: replace the keys of tables while sessions write, and interrupt and revert each step (ROWS, CLIENTS, RATE, SEED)
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) rekey -- python3 -B tests/report/rekey.py

portable-package: #: write the pure-SQL edition for dbdev and pg_tle into target/portable-package/
	@portable/package $(VERSION)

crosscheck: private-install #: compare the results of SQL functions with those of independent code in Python
	@scripts/install-missing python3-cryptography=/usr/lib/python3/dist-packages/cryptography
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/crosscheck.py
	/usr/bin/python3 -B tests/crosscheck/seal.py
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/other_ids.py

check-docs: private-install ## run the SQL of the README and docs/ as printed (DOCS=docs/order.md)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) scripts/check-docs.py $(DOCS)

# With random schemas, rows and queries, for SECONDS in each test, checks comparisons with times against their definition, their
# plans against those for UUIDs, estimates against those for times, and concurrent DDL.
SECONDS ?= 3600
DIFFERENTIAL_SEED ?= $(shell date +%s)000
differential: private-install #: test random queries by time against their definition (SECONDS=3600 for each of three parts, DIFFERENTIAL_SEED)
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) UUIDRFC_DIFFERENTIAL_SECONDS=$(SECONDS) UUIDRFC_DIFFERENTIAL_SEED=$(DIFFERENTIAL_SEED) \
		cargo test --no-fail-fast --profile server-test --package server-tests --test server -- differential partition_ddl

clients-test: private-install #: run the programs of clients/, one for each driver or ORM (CLIENT="psycopg knex")
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) clients listen_addresses=127.0.0.1 shared_preload_libraries=uuidrfc,auto_explain \
		uuidrfc.monotonic_scope=server auto_explain.log_min_duration=0 'log_line_prefix=%d ' log_timezone=UTC timezone=UTC \
		-- clients/run.py $(CLIENT)

tools-test: private-install #: test feeds with tap-postgres and dbt
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) tools listen_addresses=127.0.0.1 shared_preload_libraries=uuidrfc \
		uuidrfc.monotonic_scope=server -- python3 -B tests/tools/feeds.py

# The directory of these tests' programs, if they are compiled already: scripts/matrix compiles them once for all servers.
PROGRAMS =
server-test: private-install ## run the tests that start, crash and copy servers of their own (TEST=hostile)
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	@scripts/check-library.py "$$($(PRIVATE_PG_CONFIG) --pkglibdir)/$(EXTENSION).so"
	export UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) RUST_TEST_THREADS=$$(($$(nproc) + 1)); \
		$(if $(PROGRAMS),cd tests/server && $(PROGRAMS)/server,cargo test --no-fail-fast --profile server-test --package server-tests --test server) $(TEST)

partman-test: private-install #: test pg_partman with partitions by the time inside UUIDs
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) tests/partman/run

citus-test: #: test with Citus, built from CITUS_SOURCE=..., in the Debian release for 18
	@scripts/citus-test

timescale-test: #: test with TimescaleDB, in the Debian release for 18
	@scripts/matrix in 18 sh -ec 'apt-get -qq install postgresql-18-timescaledb >/dev/null; \
		export PRIVATE_NAME=timescale; make --no-print-directory private-install PG_MAJOR=18; \
		$(PRIVATE) temporary "$$($(PRIVATE) prefix /usr/lib/postgresql/18/bin/pg_config)" timescale shared_preload_libraries=timescaledb,uuidrfc \
		timescaledb.telemetry_level=off -- psql -X -q -f tests/timescale.sql'

assert-test: #: run the SQL tests on a server with assertions
core-regress-test: #: run PostgreSQL's own tests on a server with assertions, in a database that has the extension
valgrind-test: #: run some SQL tests on a server with assertions, under valgrind
address-test: #: run the tests of SQL and of rfc9562 under AddressSanitizer
assert-test core-regress-test valgrind-test address-test: prerequisites
	@scripts/checked-test $(@:-test=)

musl-test: prerequisites #: run the SQL tests on a server with musl (PG_MAJOR 15, 17 or 18)
	@CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 scripts/musl install $(PG_MAJOR)
	@scripts/musl test $(PG_MAJOR)

crates-test: rust ## run the tests of the crates, without a server (TEST="-- text::")
	cargo test --quiet --no-fail-fast --package rfc9562 $(TEST)
	cargo test --quiet --package horizon --features model --test model

# Every mutant of rfc9562 must fail one of the crate's tests; .cargo/mutants.toml lists equivalent mutants. The survivors are in
# target/mutants.out/missed.txt.
mutants: $(TOOLS)/bin/cargo-mutants #: mutation-test rfc9562 with cargo-mutants (FILE)
	$(TOOLS)/bin/cargo-mutants mutants --package rfc9562 $(if $(FILE),--file $(FILE)) --output target

# Coverage guides libFuzzer. The stable compiler inserts the instrumentation, but not into build scripts, because a target is
# named. The lines of the first inputs are the values of the vectors. Inputs that fail are in target/fuzz, as crash-*.
FUZZ_FLAGS = -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
fuzz: | rust #: fuzz every parser of rfc9562 with libFuzzer (SECONDS=3600)
	@mkdir -p target/fuzz/corpus
	@cat crates/rfc9562/tests/vectors/*.csv tests/other_ids.csv | tr , '\n' | sort -u | split --lines=8 --suffix-length=4 - target/fuzz/corpus/
	RUSTFLAGS="--cfg fuzzing $(FUZZ_FLAGS)" cargo test --quiet --target "$$(rustc -vV | sed -n 's/^host: //p')" --target-dir target/fuzz \
		--package rfc9562 --features fuzz --test fuzz -- -max_total_time=$(SECONDS) -verbosity=0 -print_final_stats=1 \
		-artifact_prefix=$(CURDIR)/target/fuzz/ $(CURDIR)/target/fuzz/corpus

check-meta: $(TOOLS)/bin/pgxn_meta #: check META.json against PGXN's specification
	$(TOOLS)/bin/pgxn_meta META.json

site: #: build the pages as a site with search, in target/site
	@scripts/make-site.py

lint: private-install ## check formatting, warnings, pages, the library and versions
	scripts/check-versions
	scripts/bundled-crates.py copyright >target/copyright
	scripts/check-library.py "$$($(PRIVATE_PG_CONFIG) --pkglibdir)/$(EXTENSION).so"
	scripts/check-pages.py
	scripts/check-unsafe.py
	@scripts/install-missing pyflakes3=pyflakes3
	pyflakes3 scripts bench play site tests clients
	cargo fmt --all --check
	$(call cargo,clippy,$(PRIVATE_PG_CONFIG)) -- --deny warnings
	cargo clippy --locked --workspace --exclude $(EXTENSION) --all-targets -- --deny warnings

check-crates: $(TOOLS)/bin/cargo-deny #: check licenses and sources of all crates against deny.toml
	$(TOOLS)/bin/cargo-deny check licenses bans sources

check-advisories: $(TOOLS)/bin/cargo-deny #: check the crates against RustSec's advisories
	$(TOOLS)/bin/cargo-deny check advisories

# Each tool is built once, which takes a few minutes.
CARGO_TOOLS = cargo-deny@0.20.2 cargo-mutants@27.1.0 pgxn_meta@0.7.0
$(TOOLS)/bin/%: | rust
	cargo install --root $(TOOLS) --locked --quiet --profile dev $(filter $*@%,$(CARGO_TOOLS))

dist: | rust ## build packages, archives and images in target/dist, and test them
	@scripts/dist

release: | rust ## build and test packages, archives and images for VERSION=..., from its tag
	@scripts/dist release $(VERSION)

matrix: check-bindings #: run the tests on 17, 18 and 19, in Debian releases under target/, and type-check the others
	@scripts/matrix

matrix-%: #: run the tests on one server, such as make matrix-18
	@scripts/matrix $*

upgrade-matrix: #: upgrade a populated database from 15 to 17 to 18, with pg_upgrade and with dump and restore
	@scripts/matrix upgrade

upgrade-test: rust #: upgrade a populated database between the installations PG_CONFIGS="...", oldest first
	$(if $(PROGRAMS),$(PROGRAMS)/upgrade,cargo run --quiet --profile server-test --package server-tests --example upgrade --) $(PG_CONFIGS)

# The revision is built below target/old. At the end, the current one is installed again.
OLD ?= 6f59bd0
target/old/$(OLD):
	@git cat-file -e "$(OLD)^{commit}" 2>/dev/null || { \
		echo "This clone has no revision $(OLD). Fetch the whole history (git fetch --unshallow), or set OLD to another revision."; exit 1; }
	@mkdir -p $@ && git archive $(OLD) | tar -x -C $@

old-sessions-test: prerequisites target/old/$(OLD) #: test sessions that keep an earlier revision's library during an update (OLD=6f59bd0)
	@rm -f "$$($(PRIVATE_PG_CONFIG) --sharedir)"/extension/$(EXTENSION)--*
	$(MAKE) --no-print-directory -C target/old/$(OLD) install PG_CONFIG=$(PRIVATE_PG_CONFIG) CARGO_TARGET_DIR=$(CURDIR)/target/old/target
	cargo run --quiet --profile server-test --package server-tests --example old_sessions -- $(PRIVATE_PG_CONFIG) \
		$(MAKE) --no-print-directory private-install

bench-feed: private-install target/old/$(OLD) #: measure the cost of scope server per transaction, with an earlier library and with this one (OLD, ROUNDS)
	$(MAKE) --no-print-directory -C target/old/$(OLD) all PG_CONFIG=$(PRIVATE_PG_CONFIG) CARGO_TARGET_DIR=$(CURDIR)/target/old/target
	@bench/feed.py $(PRIVATE_PG_CONFIG) $(CURDIR)/target/old/target/release/lib$(EXTENSION).so

# The check uses the bindings that pgrx ships for each PostgreSQL version. If a server of that version is installed, too, the next
# build for it compiles pgrx again.
BINDINGS ?= 14 16 17 18 19
check-bindings: rust #: type-check for servers that are not installed (BINDINGS="14 16")
	@for major in $(BINDINGS); do \
		echo "==> type check against the shipped bindings of PostgreSQL $$major" && \
		DOCS_RS=1 RUSTC_WRAPPER="$(CURDIR)/scripts/shipped-bindings" \
			cargo check --quiet --release --locked --no-default-features --features pg$$major || exit 1; \
	done

bench: private-install ## measure costs per call, per row and per plan, as ratios (ROUNDS)
	@$(PRIVATE) with $(PRIVATE_PG_CONFIG) bench/run

bench-instructions: private-install #: count instructions of planning with valgrind, in two minutes
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) instructions -- python3 -B bench/instructions.py

bench-first-call: private-install #: measure the first call of a session (SESSIONS)
	@$(PRIVATE) with $(PRIVATE_PG_CONFIG) bench/first-call

bench-locality: private-install #: measure how the order of keys affects an index, into target/locality (ROWS, BATCH, SHARED_BUFFERS)
	@scripts/install-missing python3-psycopg2=/usr/lib/python3/dist-packages/psycopg2 python3-matplotlib=/usr/lib/python3/dist-packages/matplotlib
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) locality -- /usr/bin/python3 -B bench/locality.py

bench-size: private-install #: measure tables whose indexes are larger than memory, into target/size, in an hour (ROWS, SHARED_BUFFERS)
	@scripts/install-missing python3-psycopg2=/usr/lib/python3/dist-packages/psycopg2 python3-matplotlib=/usr/lib/python3/dist-packages/matplotlib
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) size shared_preload_libraries=uuidrfc uuidrfc.monotonic_scope=server -- /usr/bin/python3 -B bench/size.py

uniqueness: private-install #: generate a billion UUIDs on 16 connections, and check that all are different (COUNT, CONNECTIONS)
	@$(PRIVATE) temporary $(PRIVATE_PG_CONFIG) uniqueness -- tests/uniqueness

collisions: rust #: predict and simulate the number of duplicate UUIDs from 10,000 nodes
	cargo run --quiet --release --package rfc9562 --example collisions

# This also removes the temporary directories to which target/private and target/private-* may point. In target/matrix, files may
# belong to subordinate users.
clean: ## stop the servers under target/ and remove it
	@for home in target/private*; do \
		[ -e "$$home" ] || continue; \
		name=$${home#target/private}; export PRIVATE_NAME=$${name#-}; \
		for pg_config in $$(find "$$($(PRIVATE) home)" -name clusters -prune -o -name pg_config -print); do \
			$(PRIVATE) sweep "$$pg_config" && $(PRIVATE) stop "$$pg_config" || exit 1; \
		done; \
		rm -rf "$$($(PRIVATE) home)"; \
	done
	rm -rf target 2>/dev/null || unshare --map-root-user --map-auto rm -rf target
