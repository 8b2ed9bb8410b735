# uuidrfc: the task runner. `make help` lists the targets that have a text behind ## here.

EXTENSION    = uuidrfc
PG_MAJOR    ?= 15
PG_CONFIG   ?= $(firstword $(wildcard /usr/lib/postgresql/$(PG_MAJOR)/bin/pg_config) pg_config)
VERSION      = $(shell sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)

PRIVATE = scripts/private-postgres
TOOLS   = target/tools

# Where a server's files of extensions are. PGXS gives these variables the same names and the same meaning: prefix is a
# directory of one's own, which extension_control_path and dynamic_library_path of PostgreSQL 18 then name.
in_prefix = $(prefix)/$(1)$(if $(findstring pgsql,$(prefix))$(findstring postgres,$(prefix)),,/postgresql)
datadir   = $(if $(prefix),$(call in_prefix,share),$(shell $(PG_CONFIG) --sharedir))
pkglibdir = $(if $(prefix),$(call in_prefix,lib),$(shell $(PG_CONFIG) --pkglibdir))

# Everything that calls cargo uses the tool chain that scripts/rust-toolchain chose.
export PATH := $(CURDIR)/target/rust:$(PATH)
unexport CARGO RUSTC RUSTDOC RUSTFMT

# The SQL tests, in the order they run.
REGRESS = surface generate batch at shift extract vectors name_based name_encoding name_unconvertible fields layout_draft_02 \
	text typeid seal other_ids node_id aggregates domain schema time_ops time_ops_bulk \
	boundary time_predicate time_plan time_partition time_estimate time_calls time_merge time_of_core seal_plan readme coming_from beside_core text_beside_core

# The install scripts of earlier versions, with which the tests of updates begin.
EARLIER = $(filter-out $(wildcard sql/$(EXTENSION)--*--*.sql),$(wildcard sql/$(EXTENSION)--*.sql))

# The private installation's pg_config, made on first use. Not earlier, since the prerequisites install the server.
PRIVATE_PG_CONFIG = $(shell $(PRIVATE) prefix $(PG_CONFIG))

# Those who build packages say USE_PGXS, and mean the library.
.DEFAULT_GOAL := $(if $(USE_PGXS),all,help)
# Every target with a text, and those that others need.
.PHONY: prerequisites rust private-install benchmark-15 $(shell sed -n 's/^\([a-z-]*\):.*## .*/\1/p' Makefile)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+%?:.*## / { \
		line = sprintf("  make %-17s", $$1); count = split($$2, words, " "); \
		for (n = 1; n <= count; n++) { \
			if (length(line words[n]) > 124) { print line; line = sprintf("%24s", "") } \
			line = line " " words[n] \
		} \
		print line }' Makefile

demo: private-install ## install what is missing, build, start a private server, show what the extension does
	@scripts/demo $(PRIVATE_PG_CONFIG)

demo-stop: ## stop that server
	@$(PRIVATE) stop $(PRIVATE_PG_CONFIG)
	@echo "stopped"

play: private-install ## a private server with a million rows of a year, psql with ten queries worth running, pictures in target/play (ROWS, SECONDS)
	@scripts/play $(PRIVATE_PG_CONFIG)

play-test: private-install ## its queries on fewer rows, and whether they show what they are to show; some seconds
	@ROWS=60000 SECONDS=2 scripts/play $(PRIVATE_PG_CONFIG) --test

test: prerequisites ## all tests of one version of PostgreSQL, on private servers, and a line for each suite at the end
	@scripts/suites core-test sql-test portable-test crosscheck check-docs play-test partman-test server-test

prerequisites:
	@PG_CONFIG="$(PG_CONFIG)" scripts/prerequisites $(PG_MAJOR)

rust:
	@scripts/rust-toolchain >/dev/null

# pgrx's configuration. It is empty, because PGRX_PG_CONFIG_PATH names the server. It must exist, or cargo sees a missing
# dependency and builds everything anew.
target/pgrx/config.toml:
	@mkdir -p target/pgrx
	@echo '[configs]' >$@

all: target/pgrx/config.toml | rust ## the library for the server of PG_CONFIG=...
	@echo "==> building for $$($(PG_CONFIG) --version)"
	PGRX_HOME="$(CURDIR)/target/pgrx" PGRX_PG_CONFIG_PATH=$(PG_CONFIG) cargo $(BUILD) --release --locked --package $(EXTENSION) --lib \
		--no-default-features --features pg$$(scripts/pg-major $(PG_CONFIG))

# cargo-auditable, if a package is built with it, lists the crates in the library.
BUILD ?= build

# Where cargo put it.
LIBRARY = $(or $(CARGO_TARGET_DIR),target)/$(CARGO_BUILD_TARGET)/release/lib$(EXTENSION).so

install: all ## build for the server of PG_CONFIG=... and install into it, or below DESTDIR, or into prefix; SUDO=sudo if only root may write there
	@sed 's/@CARGO_VERSION@/$(VERSION)/' $(EXTENSION).control >target/$(EXTENSION).control
	$(SUDO) install -d "$(DESTDIR)$(pkglibdir)" "$(DESTDIR)$(datadir)/extension"
	$(SUDO) install -m 755 $(LIBRARY) "$(DESTDIR)$(pkglibdir)/$(EXTENSION).so"
	@for update in sql/$(EXTENSION)--*--*.sql; do { cat $$update; case $$update in *--$(VERSION).sql) awk -f sql/repeatable.awk sql/$(EXTENSION).sql ;; esac; } >target/$${update##*/}; done
	$(SUDO) install -m 644 target/$(EXTENSION).control target/$(EXTENSION)--*--*.sql "$(DESTDIR)$(datadir)/extension/"
	$(SUDO) install -m 644 sql/$(EXTENSION).sql "$(DESTDIR)$(datadir)/extension/$(EXTENSION)--$(VERSION).sql"

# PostgreSQL's own test driver, as PGXS would call it. The extension's schema comes before pg_catalog, so that the tests
# call its functions and not those of the same names in PostgreSQL 18.
installcheck: ## the SQL tests on the running server of PG_CONFIG=... (PGHOST, PGPORT, PGUSER as libpq reads them), as superuser, in databases uuidrfc_regress*; LEFT_OUT names tests that are not to run
	@mkdir -p target/regress
	PGOPTIONS="$$PGOPTIONS -c search_path=public,pg_catalog" \
		"$$(dirname "$$($(PG_CONFIG) --pgxs)")/../test/regress/pg_regress" --bindir="$$($(PG_CONFIG) --bindir)" \
		--inputdir=tests/pg_regress --outputdir=target/regress --encoding=UTF8 --no-locale --dbname=uuidrfc_regress $(filter-out $(LEFT_OUT),$(REGRESS)) || \
		{ cat target/regress/regression.diffs; exit 1; }

private-install: prerequisites
	@rm -f "$$($(PRIVATE_PG_CONFIG) --sharedir)"/extension/$(EXTENSION)--*
	@$(MAKE) --no-print-directory install PG_CONFIG=$(PRIVATE_PG_CONFIG)
	@for script in $(EARLIER); do \
		{ nm -D --defined-only $(LIBRARY) && cat $$script; } | awk -f sql/earlier.awk >"$$($(PRIVATE_PG_CONFIG) --sharedir)/extension/$${script##*/}"; \
	done

sql-test: private-install ## the SQL tests on a private server; REGRESS="surface text" for one
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) $(MAKE) --no-print-directory installcheck PG_CONFIG=$(PRIVATE_PG_CONFIG)

# The results of the last SQL tests become the expected output. Each difference begins with the names of both files.
accept: ## shows how the last SQL tests differed; their results become the expected output
	@cat target/regress/regression.diffs
	@sed -n 's/^diff [^/]* \(\/.*\.out\) \(\/.*\.out\)$$/cp "\2" "\1"/p' target/regress/regression.diffs | sh -x

portable-test: private-install ## the same SQL tests on the pure-SQL edition and on the extension, and both for random arguments (ROWS, SEED)
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/portable/editions.py

portable-steps: private-install ## databases from the pure-SQL edition to the extension and back, by the documented scripts, through dump and restore; half a minute
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	scripts/portable-steps $(PRIVATE_PG_CONFIG) $(PG_CONFIG)

portable-package: ## the pure-SQL edition as a package of dbdev and as a script for pg_tle, under target/portable-package/
	@scripts/portable-package $(VERSION)

pg-tle-test: private-install ## that script on a server with pg_tle, whose source is PG_TLE_SOURCE=..., an archive or a directory; half a minute, and headers of krb5 and OpenSSL, and flex
	@[ -n "$(PG_TLE_SOURCE)" ] || { echo "PG_TLE_SOURCE=... must say where pg_tle's source is"; exit 1; }
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	scripts/pg-tle-test $(PRIVATE_PG_CONFIG) $(PG_CONFIG) $(PG_TLE_SOURCE) $(VERSION)

crosscheck: private-install ## the SQL functions against uuid-ossp and Python
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/crosscheck.py
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/seal.py
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/other_ids.py
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/time_order.py

check-docs: private-install ## the SQL examples of the README and docs/, as printed; DOCS=docs/order.md for one page
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	$(PRIVATE) with $(PRIVATE_PG_CONFIG) scripts/check-docs $(DOCS)

# Random schemas, rows and queries, SECONDS for each test: comparisons with times against their meaning, their plans
# beside those for UUIDs, estimates beside those for times, concurrent DDL, and uuid_time_ops against Python.
SECONDS ?= 3600
DIFFERENTIAL_SEED ?= $(shell date +%s)000
differential: private-install ## random queries for times against their meaning, for three hours; SECONDS=3600 each of three parts, DIFFERENTIAL_SEED
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) UUIDRFC_DIFFERENTIAL_SECONDS=$(SECONDS) UUIDRFC_DIFFERENTIAL_SEED=$(DIFFERENTIAL_SEED) \
		cargo test --no-fail-fast --profile server-test --package server-tests --test differential --test partition_ddl
	UUIDRFC_DIFFERENTIAL_SECONDS=$(SECONDS) UUIDRFC_DIFFERENTIAL_SEED=$(DIFFERENTIAL_SEED) \
		$(PRIVATE) with $(PRIVATE_PG_CONFIG) python3 -B tests/crosscheck/time_order.py

clients-test: private-install ## the programs of clients/, one for each driver or ORM; CLIENT="psycopg knex" for some; takes what they need from registries
	@scripts/clients $(PRIVATE_PG_CONFIG) $(CLIENT)

server-test: private-install ## tests that start, crash, copy and connect servers of their own; TEST="--test hostile" for one
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) cargo test --no-fail-fast --profile server-test --package server-tests $(TEST)

partman-test: private-install ## pg_partman, from Debian, keeps partitions by the time in a UUID
	@$(PRIVATE) start $(PRIVATE_PG_CONFIG)
	scripts/partman-test $(PRIVATE_PG_CONFIG)

citus-test: ## the extension on Citus, three servers, PostgreSQL 18 in a Debian release; CITUS_SOURCE=... is the source of Citus; some minutes
	@scripts/citus-test

assert-test: prerequisites ## the SQL tests on a server built with assertions, from Debian's source; some minutes, the first time more
	@scripts/checked-test asserts

core-regress-test: prerequisites ## PostgreSQL's own regression tests, on that server, with the extension in the database
	@scripts/checked-test core

valgrind-test: prerequisites ## the SQL tests that reach unsafe code, on that server, under valgrind
	@scripts/checked-test valgrind

address-test: prerequisites ## the SQL tests, server and extension under AddressSanitizer; the core's tests, too
	@scripts/checked-test address

musl-test: prerequisites ## the SQL tests on a server with musl, as Alpine has it, PG_MAJOR 15, 17 or 18; 15 minutes the first time, then 5
	@CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 scripts/musl install $(PG_MAJOR)
	@scripts/musl test $(PG_MAJOR)

core-test: rust ## the tests of the core; TEST="--test text vectors" for one
	cargo test --quiet --no-fail-fast --package rfc9562 $(TEST)
	cargo test --quiet --package horizon --features model --test model

fuzz: rust ## 100 million random and mutated texts for the decoders; some minutes (FUZZ_INPUTS, FUZZ_SEED)
	cargo test --release --quiet --package rfc9562 --test text_fuzz --test other_fuzz -- --ignored --nocapture

# Every change that cargo-mutants makes to the core must fail one of the core's tests; .cargo/mutants.toml lists those
# that change nothing. The survivors are in target/mutants.out/missed.txt.
mutants: $(TOOLS)/bin/cargo-mutants ## changes to the core that no test notices; an hour, or of one FILE
	$(TOOLS)/bin/cargo-mutants mutants --package rfc9562 $(if $(FILE),--file $(FILE)) --output target

check-meta: $(TOOLS)/bin/pgxn_meta ## META.json against PGXN's specification, and what it is in version 2 of that; the first time a minute more
	$(TOOLS)/bin/pgxn_meta META.json
	scripts/pgxn-meta-v2 >target/META-v2.json
	$(TOOLS)/bin/pgxn_meta target/META-v2.json

$(TOOLS)/bin/pgxn_meta: | rust
	cargo install --root $(TOOLS) --locked --quiet --profile dev pgxn_meta@0.7.0

site: ## the pages as a site with search, in target/site; what it needs comes from PyPI. A dead link or a missing picture fails it
	@scripts/site

site-look: site ## the site in Debian's chromium, at phone and desktop width, light and dark: pictures in target/site-look; two minutes
	@scripts/look-at-site

lint: private-install ## formatting, warnings, links of pages, and what must be of the same version
	scripts/check-versions
	scripts/release-test
	scripts/crates copyright --check
	scripts/check-library "$$($(PRIVATE_PG_CONFIG) --pkglibdir)/$(EXTENSION).so"
	scripts/check-pages
	scripts/check-src
	cargo fmt --all --check
	PGRX_HOME="$(CURDIR)/target/pgrx" PGRX_PG_CONFIG_PATH=$(PRIVATE_PG_CONFIG) cargo clippy --workspace --all-targets -- --deny warnings

check-crates: $(TOOLS)/bin/cargo-deny ## licences and sources of all crates, by deny.toml
	$(TOOLS)/bin/cargo-deny check licenses bans sources

check-advisories: $(TOOLS)/bin/cargo-deny ## known advisories against the crates; needs RustSec's database on GitHub
	$(TOOLS)/bin/cargo-deny check advisories

# Programs that extend cargo, each built once: some minutes.
CARGO_TOOLS = cargo-auditable@0.7.7 cargo-cyclonedx@0.5.9 cargo-deny@0.20.2 cargo-mutants@27.1.0
$(TOOLS)/bin/cargo-%: | rust
	cargo install --root $(TOOLS) --locked --quiet --profile dev $(filter cargo-$*@%,$(CARGO_TOOLS))

dist: | rust ## what a release consists of, under target/dist, made and tested where it is installed: one to two hours; needs root
	@scripts/dist

release: | rust ## the same for VERSION=..., from its tag in a clean repository, with the notes of the release
	@scripts/dist release $(VERSION)

matrix: check-bindings ## the tests on every supported server, in Debian releases under target/ (docs/testing.md)
	@scripts/matrix

matrix-%: ## on one of them: make matrix-18
	@scripts/matrix $*

upgrade-matrix: ## a populated database from 15 to 17 to 18 by pg_upgrade, from 15 to 18 by dump and restore
	@scripts/matrix upgrade

upgrade-test: rust ## the same from each of the private installations of PG_CONFIGS="...", the oldest first, to the next
	cargo run --quiet --profile server-test --package server-tests --bin upgrade -- $(PG_CONFIGS)

# Type-checks the source against the bindings that pgrx ships of each server's headers, without those servers. It has a
# directory of its own, since the compiler's flags differ.
BINDINGS ?= 14 16 17 18 19
check-bindings: rust ## a type check for every supported server, without the servers; BINDINGS="14 16" for two
	@for major in $(BINDINGS); do \
		echo "==> type check against the shipped bindings of PostgreSQL $$major" && \
		DOCS_RS=1 RUSTC_WRAPPER="$(CURDIR)/scripts/shipped-bindings" CARGO_TARGET_DIR=target/bindings \
			cargo check --quiet --locked --no-default-features --features pg$$major || exit 1; \
	done

bench: private-install ## cost per call and per row, as ratios in one run (ROUNDS)
	@scripts/bench $(PRIVATE_PG_CONFIG)

# `make matrix` has the other servers, in Debian releases.
benchmark-15: bench
	cp target/benchmark-15.md docs/

benchmark-%: ## that on one server, into its page in docs/: make benchmark-18 (ROUNDS)
	scripts/matrix in $* make --no-print-directory bench PG_MAJOR=$* $(if $(ROUNDS),ROUNDS=$(ROUNDS))
	cp target/matrix/$*/benchmark-$*.md docs/

bench-first-call: private-install ## what the first call of a function costs a session (SESSIONS)
	@scripts/bench-first-call $(PRIVATE_PG_CONFIG)

bench-core: rust ## the core crate alone, without a server
	cargo bench --quiet --package rfc9562 --bench uuid

# bench/locality/src/settings.rs describes ROWS, BATCH, SHARED_BUFFERS, LOOKUPS and OUT.
bench-locality: private-install ## what the order of keys does to an index; tables and charts in target/locality
	cargo run --quiet --release --package locality -- $(PRIVATE_PG_CONFIG)

uniqueness: private-install ## a billion UUIDs from 16 connections, and no duplicate (COUNT=100_000_000, CONNECTIONS)
	@$(PRIVATE) sweep $(PRIVATE_PG_CONFIG)
	UUIDRFC_PG_CONFIG=$(PRIVATE_PG_CONFIG) cargo run --quiet --profile server-test --package server-tests --bin uniqueness

collisions: rust ## how many UUIDs of 10,000 nodes collide: predicted and simulated; half a minute
	cargo run --quiet --release --package rfc9562 --example collisions

# Also the contents of the temporary directories that target/private and target/private-* may point to.
clean: ## stop what runs under target/ and remove it
	@for home in target/private*; do \
		[ -e "$$home" ] || continue; \
		name=$${home#target/private}; export PRIVATE_NAME=$${name#-}; \
		for pg_config in $$(find "$$($(PRIVATE) home)" -name clusters -prune -o -name pg_config -print); do \
			$(PRIVATE) sweep "$$pg_config" && $(PRIVATE) stop "$$pg_config" || exit 1; \
		done; \
		rm -rf "$$($(PRIVATE) home)"; \
	done
	rm -rf target
