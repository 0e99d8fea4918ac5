# SPDX-License-Identifier: GPL-2.0-or-later
# Rules for the tests. The Makefile includes this file after vms.mk.

# C files with TEST_MAIN and scripts that name ktap are tests. A driver is a C program for a script:
# it calls one module. Other C files are workloads, without sanitisers and harness.
tests := $(filter-out $(addsuffix /%,$(addprefix tests/unit/,$(missing))),$(shell grep -l '^TEST_MAIN' tests/*/*.c tests/*/*/*.c))
drivers := $(wildcard tests/*/*-driver.c)
loads := $(filter-out $(tests) $(drivers) tests/lib/% tests/unit/lib/% tests/fuzz/% %.bpf.c, \
	$(wildcard tests/*/*.c tests/unit/*/*.c))
harness := $(wildcard tests/lib/*.c)
scripts := $(filter-out tests/lib/%,$(shell grep -l ktap tests/*/*.sh tests/*/*.py))

$O/tests/%: $O/tests/%.o $(call obj,$(harness)) $O/libbench.a $O/libtools.a $O/libuser.a
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(INSTRUMENT) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(loads:%.c=$O/%): $O/%: %.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LDLIBS)

$O/tests/perf/floor: | $O/tests/perf/floor.bpf.o
$O/tests/vm/longest: | $O/tests/vm/longest.bpf.o

# A fuzz target is tests/fuzz/NAME-fuzz.c with LLVMFuzzerTestOneInput() and a corpus. If clang
# lacks libFuzzer, no target is built, and tests/fuzz/fuzz.py reports that.
fuzzers := $(patsubst %.c,$O/%,$(wildcard tests/fuzz/*-fuzz.c))
fuzz_lib := $(filter-out user/kernel/tracer%.c,$(lib)) $(tools) $(wildcard bench/model/*.c)
FUZZFLAGS := -O1 -g -std=gnu11 -w -MMD -MP -fno-sanitize-recover=all -fsanitize=address,undefined
fuzz_works = $(shell echo 'int LLVMFuzzerTestOneInput(void *p, long n) { return 0; }' | \
	$(CLANG) -fsanitize=fuzzer -x c - -o /dev/null 2>&1 || echo fails)

$O/fuzz/%.o: %.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CLANG) $(CPPFLAGS) $(FUZZFLAGS) -fsanitize=fuzzer-no-link -c $< -o $@

$O/fuzz/lib.a: $(patsubst %.c,$O/fuzz/%.o,$(fuzz_lib))
	$(call say,AR,$@)
	$Qrm -f $@ && $(AR) rcsP $@ $^

$(fuzzers): $O/%: $O/fuzz/%.o $O/fuzz/tests/fuzz/quiet.o $O/fuzz/lib.a
	$(call say,LINK,$@)
	$Qmkdir -p $(@D) && $(CLANG) $(FUZZFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

# The self-tests of the harness fail on purpose, so only tests/unit/harness.sh runs them.
programs = $(patsubst %.c,$(1)/%,$(filter-out \
	tests/vm/% tests/suites/% tests/packages/% tests/fuzz/% %-selftest.c %-selftest.sh,$(tests) $(scripts)))

check check-% coverage build-%: export WERROR = 1
build-tests: all $(patsubst %.c,$O/%,$(tests) $(drivers) $(loads))
build-unit: all $(patsubst %.c,$O/%,$(filter tests/unit/%,$(tests) $(drivers) $(loads)))
build-fuzz: $(if $(filter build-fuzz,$(MAKECMDGOALS)),$(if $(fuzz_works),,$(fuzzers)))

# Tests that do not run with sanitisers: checks of sources and pages, fuzzers, and tests that take
# minutes or measure memory. Also tests of kernel paths: there, iospan runs the same code as in
# kernel/device, kernel/groups or commands/exporter, which do run with sanitisers.
plain_only := %/tree.sh %/static.sh %/fuzz.py %/beff-files.py %/beff-mpiio.py %/sets-mpiio.py \
	%/scale-cache.py \
	$(patsubst %,tests/%.py,kernel/mixes kernel/groups-many commands/exporter-churn commands/prometheus \
	commands/examples \
	$(filter-out %/device %/groups,$(vm_scripts)))

select = $(T:%=-t '%')

# IOSPAN_QUICK=1: random tests run a tenth of their rounds. IOSPAN_TOOLS=optional: a static check is
# skipped if its tool is missing. Two programs per CPU run at the same time, because some sleep.
check-unit: ## the unit tests and the static checks, without root and network
	$Q$(MAKE) --no-print-directory $(jobs) build-unit
	$QIOSPAN_QUICK=1 IOSPAN_TOOLS=optional tests/run -j $$((2 * $$(nproc))) $(select) \
		$(filter tests/unit/% $O/tests/unit/%,$(call programs,$O))

# Two programs per CPU run at the same time, because many of them sleep.
check: deps-check ## build and run the tests of this machine; T=PATTERN selects
	$Q$(MAKE) --no-print-directory $(jobs) build-tests
	$Qtests/run $(select) --tests short --slowest $(or $(SLOWEST),10) -j $$((2 * $$(nproc))) $(call programs,$O)

check-long: deps-check ## the tests of this machine that take minutes
	$Qtests/deps.sh podman crun busybox-static
	$Q$(MAKE) --no-print-directory $(jobs) build-tests
	$Qtests/run $(select) --tests long $(call programs,$O)

check-san: deps-check all ## the tests under AddressSanitizer and UBSan
	$Q$(MAKE) --no-print-directory $(jobs) build-tests SAN=1
	$QASAN_OPTIONS=detect_leaks=1 tests/run $(select) \
		--build build/san $(filter-out $(plain_only),$(call programs,build/san))

coverage: deps-check ## the lines that the tests of units, commands and tools run, by folder
	$Q$(MAKE) --no-print-directory $(jobs) build-tests COV=1
	$Qtests/coverage.sh build/cov $(select) --build build/cov \
		$(filter build/cov/tests/unit/% tests/commands/%,$(call programs,build/cov))

FUZZ_SECONDS ?= 60
fuzz: deps-check ## feed mutated input to all readers, FUZZ_SECONDS of CPU time for each
	$Q$(MAKE) --no-print-directory $(jobs) build-fuzz
	$QIOSPAN_FUZZ_SECONDS=$(FUZZ_SECONDS) tests/run --limit 86400 tests/fuzz/fuzz.py

# These packages are not in TEST_DEPS, because they are large and start services when installed.
check-suites: deps-check ## real programs, counted by strace at the same time
	$Qtests/deps.sh strace stress-ng dbench fsmark rocksdb-tools postgresql \
		mariadb-server redis-server redis-tools git rsync nodejs
	$Q$(MAKE) --no-print-directory $(jobs) all
	$Qtests/run $(select) $(wildcard tests/suites/*.py)

check-all: check check-long check-vm check-nodes check-san fuzz check-suites check-deb check-systemd check-arm64 ## all of these

SECONDS ?= 3600
soak: deps-check ## one run of SECONDS while disks and cgroups come and go; 1,000 starts
	$Q$(MAKE) --no-print-directory $(jobs) build-tests
	$QIOSPAN_SOAK_SECONDS=$(SECONDS) IOSPAN_STARTS=1000 tests/run --limit 86400 \
		tests/kernel/soak.py tests/kernel/starts.py

bench: deps-check ## cost of measuring; B=cost, overhead, generator, recording, exporter; B=jobs: predicted jobs
	$(if $(filter jobs,$B),$Qtests/deps.sh libfuse3-dev rocksdb-tools postgresql git)
	$Q$(MAKE) --no-print-directory $(jobs) all $(loads:%.c=$O/%)
	$QIOSPAN=$O/iospan IOSPAN_BUILD=$O T_IO_URING='$(T_IO_URING)' tests/perf/bench.py $B

.PHONY: build-tests build-unit build-fuzz check check-unit check-long check-san coverage \
	fuzz check-suites check-all soak bench
