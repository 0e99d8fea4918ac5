# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the static command and the OCI image. The Makefile includes this file.

# Descriptions of terminals, for systems without terminfo. ncurses accepts base64 as the value of the
# variable TERMINFO.
terminals := linux screen screen-256color tmux tmux-256color vt100 vt220 xterm xterm-256color
$O/terminals.h:
	$Qmkdir -p $O && for term in $(terminals); do \
		printf '{ "%s", "%s" },\n' "$$term" "$$(infocmp -0 -q -Q2 "$$term")"; done >$@
$O/user/top/terminal.o $O/fuzz/user/top/terminal.o: $O/terminals.h

STATIC_DEPS := $(BUILD_DEPS) libunistring-dev
# The libraries of the command, and those that they call.
STATIC_LIBS := $(LDLIBS) -lelf -lgnutls -lhogweed -lnettle -lgmp -ltasn1 -lidn2 -lunistring -lz -lpthread

# Debian has no static p11-kit. GnuTLS calls it only for keys in hardware tokens, but iospan reads
# keys from files. So all functions of p11-kit are abort().
no_p11_kit = $(shell $(CROSS)nm -u "$$($(CC) -print-file-name=libgnutls.a)" 2>/dev/null | \
	sed -n 's/^ *U \(p11_kit_.*\)/-Wl,--defsym=\1=abort/p' | sort -u)

# Only main() stays global, because libblkid.a calls libc's warn(), and iospan has another one.
$O/static.o: packaging/static.c $(iospan)
	$(call say,LINK,$@)
	$Q$(CC) $(CPPFLAGS) $(CFLAGS) -r -nostdlib -o $@ $^ && $(CROSS)objcopy --keep-global-symbol=main $@

# The linker warns of functions that may load libraries of the same glibc. iospan calls
# getaddrinfo() for numbers only, which loads none. The others are never called.
$O/iospan-static: $O/static.o
	$(call say,LINK,$@)
	$Q$(CC) $(CFLAGS) $(LDFLAGS) -static-pie -Wl,--no-warnings -o $@ $^ $(STATIC_LIBS) $(no_p11_kit)

static: ## build build/iospan-static, which needs no shared library
	$Qtests/deps.sh $(STATIC_DEPS)
	$Q$(MAKE) --no-print-directory $(jobs) $O/iospan-static $O/libiospan.so

$O/iospan-image: $O/iospan-static packaging/make-image
	$(call say,IMAGE,$@)
	$QSTRIP=$(CROSS)strip packaging/make-image $< $(VERSION) $@

image: ## build build/iospan-image, an OCI image with the exporter
	$Qtests/deps.sh $(STATIC_DEPS) jq
	$Q$(MAKE) --no-print-directory $(jobs) $O/iospan-image

check-image: image deps-check ## the static command in small roots, and the image in Podman
	$Qtests/deps.sh podman crun mmdebstrap busybox-static python3-yaml python3-kubernetes
	$Q$(MAKE) --no-print-directory $(jobs) all
	$Qtests/run $(select) $(wildcard tests/packages/*.py)
check-all: check-image

.PHONY: static image check-image
