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
	libmpich-dev util-linux kmod
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
	-Wno-unused-function

cmds := $(wildcard user/cmd-*.c bench/*.c tools/*.c)
lib := $(filter-out user/main.c user/cmd-%,$(wildcard user/*.c))
bpf := $(wildcard bpf/*.bpf.c)
preload := $(wildcard preload/*.c)
tests := $(filter-out tests/harness.c,$(wildcard tests/*/*.c))
obj = $(patsubst %.c,$O/%.o,$(1))

all: $O/iospan $O/libiospan.so

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

$O/tests/%: $O/tests/%.o $O/tests/harness.o $O/libuser.a
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

deps-build:
	$Qtests/deps.sh $(BUILD_DEPS)
deps:
	$Qtests/deps.sh $(BUILD_DEPS) $(TEST_DEPS)

clean:
	rm -rf build

.PHONY: all deps deps-build install check bench demo clean help
-include $(shell find $O -name '*.d' 2>/dev/null)
