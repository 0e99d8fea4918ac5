# SPDX-License-Identifier: GPL-2.0-or-later
# iospan: no configure. `make help` lists the targets; V=1 shows the commands.
VERSION := 0.1
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib/iospan
MANDIR ?= $(PREFIX)/share/man

# Distribution packages: to build, to test, to bench and demonstrate.
BUILD_DEPS := gcc libc6-dev clang llvm bpftool libbpf-dev libelf-dev pkg-config \
	libjansson-dev
TEST_DEPS := fio python3 python3-docutils liburing-dev libaio-dev libbpf-tools mpich \
	libmpich-dev util-linux kmod qemu-system-x86 busybox-static xz-utils e2fsprogs iproute2
O ?= build
CLANG ?= clang
BPFTOOL ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

ARCH := $(patsubst aarch64,arm64,$(patsubst x86_64,x86,$(shell uname -m)))
CFLAGS ?= -O2 -g
CFLAGS += -std=gnu11 -Wall -Wextra -Werror -Wno-unused-parameter -MMD -MP
CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -DLIBDIR='"$(LIBDIR)"' -I$O
LDLIBS := -lbpf -ljansson -lm -lpthread
# SAN=1: the command and the tests under AddressSanitizer and UBSan. The
# preloaded library is never built so: it lives in other people's programs.
ifdef SAN
O := build/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all
endif
BPFFLAGS := -O2 -g -target bpf -mcpu=v3 -D__bpf__ -D__TARGET_ARCH_$(ARCH) -Wall -Werror \
	-Wno-unused-function -I/usr/include/$(shell uname -m)-linux-gnu

cmds := $(wildcard user/cmd-*.c bench/*.c tools/*.c)
lib := $(filter-out user/main.c user/cmd-%,$(wildcard user/*.c))
# bpftool links a map only if its definition comes before its users.
bpf_defs := bpf/maps.bpf.c bpf/groups.bpf.c bpf/cells.bpf.c bpf/stamps.bpf.c
bpf := $(bpf_defs) $(filter-out $(bpf_defs),$(wildcard bpf/*.bpf.c))
preload := $(wildcard preload/*.c)
# A test program has a TEST_MAIN or, as a script, names ktap, its words. The
# other C files below tests/ are workloads for tests to measure: never sanitised,
# and strangers to the harness (tests/*.c).
tests := $(shell grep -l '^TEST_MAIN' tests/*/*.c)
loads := $(filter-out $(tests),$(wildcard tests/*/*.c))
harness := $(wildcard tests/*.c)
scripts := $(shell grep -l ktap tests/*/*.sh tests/*/*.py)
pages := $(wildcard Documentation/iospan*.rst)
obj = $(patsubst %.c,$O/%.o,$(1))

all: $O/iospan $O/libiospan.so ## build the command and its library

$O/iospan: $(call obj,user/main.c $(cmds)) $O/libuser.a
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$O/libuser.a: $(call obj,$(lib))
	$(call say,AR,$@)
	$Qrm -f $@ && $(AR) rcs $@ $^

$O/libiospan.so: $(patsubst %.c,$O/%.o,$(preload))
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ -ldl -lpthread

$O/preload/%.o: preload/%.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -ftls-model=initial-exec \
		-fvisibility=hidden -fexceptions -c $< -o $@

$O/%.o: %.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(SANFLAGS) -c $< -o $@

$O/user/tracer.o: $O/iospan.skel.h

$O/bpf/%.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$@)
	$Qmkdir -p $(@D) && $(CLANG) $(BPFFLAGS) -MMD -MP -c $< -o $@

$O/iospan.bpf.o: $(patsubst bpf/%.c,$O/bpf/%.o,$(bpf))
	$(call say,BPFLINK,$@)
	$Q$(BPFTOOL) gen object $@ $^

$O/iospan.skel.h: $O/iospan.bpf.o
	$(call say,SKEL,$@)
	$Q$(BPFTOOL) gen skeleton $< name iospan > $@

$O/tests/%: $O/tests/%.o $(call obj,$(harness)) $O/libuser.a
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(loads:%.c=$O/%): $O/%: %.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LDLIBS)

$O/man/%.1: Documentation/%.rst
	$(call say,MAN,$@)
	$Qmkdir -p $(@D) && rst2man $< $@

# The self-tests of the harness fail on purpose: tests/unit/harness.sh runs them.
programs = $(patsubst %.c,$(1)/%,$(filter-out \
	tests/vm/% %-selftest.c %-selftest.sh,$(tests) $(scripts)))

# The trace tests run on these kernels as well, in VMs, and tests/vm there only.
in_vms = $(foreach v,6.1 6.12,--vm $v $(filter tests/trace/% tests/vm/%,$(scripts)))
build-tests: all $(patsubst %.c,$O/%,$(tests) $(loads))

check: deps ## build and run all tests, plain and sanitised; T=PATTERN selects
	$Q$(MAKE) --no-print-directory build-tests
	$Q$(MAKE) --no-print-directory build-tests SAN=1
	$QASAN_OPTIONS=detect_leaks=1 tests/run $(T:%=-t '%') $(call programs,$O) \
		--build build/san $(filter-out %/tree.sh,$(call programs,build/san)) $(in_vms)

vmtest: deps ## the trace tests and those of disks in VMs; T=PATTERN selects
	$Q$(MAKE) --no-print-directory build-tests
	$Qtests/run $(T:%=-t '%') $(in_vms)

SECONDS ?= 3600
soak: deps ## one run of SECONDS while disks and cgroups come and go; 1,000 starts
	$Q$(MAKE) --no-print-directory build-tests
	$QIOSPAN_SOAK_SECONDS=$(SECONDS) IOSPAN_STARTS=1000 tests/run --limit 86400 \
		tests/trace/soak.py tests/trace/starts.py

demo: ## measure a job on a file in this directory, and explain the report
	$Qtests/deps.sh $(BUILD_DEPS) fio
	$Q$(MAKE) --no-print-directory all
	$Qtests/demo.sh

bench: deps ## what measuring costs, as ratios against peers in the same run
	$Q$(MAKE) --no-print-directory all $(loads:%.c=$O/%)
	$QIOSPAN=$O/iospan IOSPAN_BUILD=$O tests/bench/bench.py

install: all $(if $(shell command -v rst2man),$(pages:Documentation/%.rst=$O/man/%.1))
install: ## install below DESTDIR and PREFIX
	install -D -m 755 $O/iospan $(DESTDIR)$(BINDIR)/iospan
	install -D -m 755 $O/libiospan.so $(DESTDIR)$(LIBDIR)/libiospan.so
	$(if $(filter %.1,$^),install -D -m 644 -t $(DESTDIR)$(MANDIR)/man1 $(filter %.1,$^))

deps-build: ## install the packages that building needs
	$Qtests/deps.sh $(BUILD_DEPS)
deps: ## install those that tests and benchmarks need as well
	$Qtests/deps.sh $(BUILD_DEPS) $(TEST_DEPS)

clean: ## remove what was built
	rm -rf build

help: ## list these targets
	$Qsed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1 \2/p' Makefile | \
		while read -r target text; do printf '  %-12s%s\n' "$$target" "$$text"; done

.PHONY: all deps deps-build build-tests install check vmtest soak bench demo clean help
-include $(shell find $O -name '*.d' 2>/dev/null)
