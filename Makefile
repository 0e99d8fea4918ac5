# SPDX-License-Identifier: GPL-2.0-or-later
# Builds iospan, without a configure step. `make help` lists the targets; V=1 shows the commands.
VERSION := 0.1
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib/iospan
SHAREDIR ?= $(PREFIX)/share
MANDIR ?= $(SHAREDIR)/man

# Debian packages for building, for tests and benchmarks, and for tests in VMs.
BUILD_DEPS := gcc libc6-dev clang llvm bpftool libbpf-dev libelf-dev pkgconf \
	libjansson-dev libblkid-dev libmd-dev zlib1g-dev libzstd-dev liburing-dev libgsl-dev \
	libmicrohttpd-dev libcrypt-dev libncurses-dev
TEST_DEPS := fio dmsetup python3 python3-docutils man-db libaio-dev libbpf-tools mpich libmpich-dev \
	bpftrace sqlite3 util-linux kmod e2fsprogs iproute2 libclang-rt-dev gnuplot-nox chromium chromium-driver tmux \
	prometheus openssl curl python3-prometheus-client python3-jsonschema jq systemd clang-format cppcheck shellcheck pyflakes3 \
	codespell reuse gcovr zsh fish
VM_DEPS := qemu-system-x86 busybox-static xz-utils blktrace
O ?= build
CLANG ?= clang
MPICC ?= $(shell command -v mpicc)
BPFTOOL ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))
# The option -j for an inner make: the number of CPUs. Empty if the outer make already has -j.
jobs = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
.DEFAULT_GOAL := all
.DELETE_ON_ERROR .SECONDARY:

SYSROOT :=
MACHINE := $(or $(DEB_HOST_GNU_CPU),$(shell uname -m))
ARCH := $(patsubst aarch64,arm64,$(patsubst x86_64,x86,$(MACHINE)))
CFLAGS ?= -O2 -g
# WERROR=1 makes each warning an error. The targets that test set it.
CFLAGS += -std=gnu11 -Wall -Wextra $(WERROR:1=-Werror) -Wno-unused-parameter -MMD -MP
CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -I$O -iquote . -include user/base/nan.h
LDLIBS := -lbpf -ljansson -lblkid -lmd -lz -lzstd -luring -lm -lpthread
# SAN=1 builds the command and the tests with AddressSanitizer and UBSan, COV=1 with line counters.
# The preloaded library has none of these, because it runs inside other programs.
ifdef SAN
O := build/san
INSTRUMENT := -fsanitize=address,undefined -fno-sanitize-recover=all
endif
ifdef COV
O := build/cov
INSTRUMENT := --coverage -fprofile-update=atomic -O0
endif
BPFFLAGS = -O2 -g -target bpf -mcpu=v3 -D__bpf__ -D__TARGET_ARCH_$(ARCH) -Wall $(WERROR:1=-Werror) \
	-Wno-unused-function -iquote . -I$(SYSROOT)/usr/include/$(MACHINE)-linux-gnu

cmds := $(wildcard user/cmd-*.c bench/cmd-*.c tools/cmd-*.c)
bench := $(filter-out bench/mpi/%,$(wildcard bench/*/*.c))
tools := $(wildcard tools/*/*.c)
lib := $(wildcard user/*/*.c)
bpf := $(wildcard bpf/*.bpf.c)
preload := $(wildcard preload/*.c)
pages := $(wildcard Documentation/iospan*.rst)
obj = $(patsubst %.c,$O/%.o,$(1))
libs := $O/libiospan.so $(if $(MPICC),$O/libiospan-mpi.so)

include user/optional.mk

all: $O/iospan $(libs) ## build the command and its libraries

iospan = $(call obj,user/main.c $(cmds)) $O/libbench.a $O/libtools.a $O/libuser.a
$O/iospan: $(iospan)
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(INSTRUMENT) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$O/libuser.a: $(call obj,$(lib))
$O/libbench.a: $(call obj,$(bench))
$O/libtools.a: $(call obj,$(tools))
$O/lib%.a:
	$(call say,AR,$@)
	$Qrm -f $@ && $(AR) rcsP $@ $^

$O/libiospan.so: $(patsubst %.c,$O/%.o,$(preload))
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic-functions -o $@ $^ -ldl -lpthread

$O/bench/mpi/%.o: bench/mpi/%.c
	$(call say,MPICC,$@)
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@

$O/libiospan-mpi.so: $(call obj,$(wildcard bench/mpi/*.c))
	$(call say,LINK,$@)
	$Q$(MPICC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $(filter %.o,$^)

# With _FORTIFY_SOURCE, libc's headers would define some functions inline that libiospan defines.
$O/preload/%.o: preload/%.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -U_FORTIFY_SOURCE -fPIC -ftls-model=initial-exec \
		-fvisibility=hidden -fexceptions -c $< -o $@

$O/%.o: %.c
	$(call say,CC,$@)
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(INSTRUMENT) -c $< -o $@

# The command finds its libraries by a path relative to its own, so an installed tree can be moved.
$O/libdir.h: FORCE
	$Qmkdir -p $O && echo '#define LIBDIR "$(shell realpath -ms --relative-to='$(BINDIR)' \
		'$(LIBDIR)')"' >$@.new && { cmp -s $@.new $@ || cp $@.new $@; }
$O/user/base/library.o $O/fuzz/user/base/library.o: $O/libdir.h
$O/user/base/library.o $O/fuzz/user/base/library.o: CPPFLAGS += -include $O/libdir.h

$O/user/base/page.o $O/fuzz/user/base/page.o: user/base/page.css user/base/page.js

$(call obj,$(wildcard user/kernel/tracer*.c)): $O/iospan.skel.h

$O/%.bpf.o: %.bpf.c
	$(call say,BPF,$@)
	$Qmkdir -p $(@D) && $(CLANG) $(BPFFLAGS) -MMD -MP -c $< -o $@

# One unit, because bpftool does not link two objects that call the same kernel function.
$O/iospan.bpf.o: $(bpf)
	$(call say,BPF,$@)
	$Qmkdir -p $(@D) && printf '#include "%s"\n' $(bpf) | \
		$(CLANG) $(BPFFLAGS) -MMD -MP -MT $@ -x c - -o $@ -c

$O/iospan.skel.h: $O/iospan.bpf.o
	$(call say,SKEL,$@)
	$Q$(BPFTOOL) gen skeleton $< name iospan > $@

demo: ## measure a job on a file in this directory, and explain the report
	$Qtests/deps.sh $(BUILD_DEPS) fio
	$Q$(MAKE) --no-print-directory $(jobs) all
	$Qtests/demo.sh

include Documentation/install.mk
include packaging/packaging.mk
include tests/vms.mk
include tests/tests.mk
include packaging/image.mk
include packaging/arm64.mk
deps-build: ## install the packages that building needs
deps-check: ## install also the packages that tests and benchmarks need
deps-vm: ## install also the packages that tests in VMs need
deps-build deps-check deps-vm:
	$Qtests/deps.sh $(BUILD_DEPS) $(if $(filter-out %-build,$@),$(TEST_DEPS)) $(if $(filter %-vm,$@),$(VM_DEPS))

clean: ## remove what was built
	rm -rf build
help: ## list these targets
	$Qsed -n 's/^\([a-z0-9-]*\):.* ## \(.*\)/\1 \2/p' Makefile */*.mk | \
		while read -r target text; do printf '  %-14s%s\n' "$$target" "$$text"; done

.PHONY: all deps-build deps-check deps-vm demo clean help FORCE
-include $(shell find $O -type f -name '*.d' 2>/dev/null)
