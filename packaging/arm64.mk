# SPDX-License-Identifier: GPL-2.0-or-later
# Builds for arm64 on another machine. The Makefile includes this file.

ARM64_DEPS := mmdebstrap gcc-aarch64-linux-gnu busybox-static qemu-system-arm xz-utils
# The shell runs this, not make: make would do so before deps.sh has installed mmdebstrap.
arm64_root = root=$$(tests/vm/arm64-root $(filter lib%-dev zlib%-dev,$(STATIC_DEPS)) libaio-dev)
arm64_make = $(MAKE) --no-print-directory $(jobs) MACHINE=aarch64 O=build/arm64 MPICC= \
	SYSROOT="$$root" CROSS=aarch64-linux-gnu- CC="aarch64-linux-gnu-gcc --sysroot=$$root"
ARM64_SECONDS ?= 3600
# These run in VMs: the unit tests in C, and the tests of kernels and disks. The tests of the harness
# wait for programs that hang, so they would take minutes.
arm64_tests = $(patsubst %.c,build/arm64/%,$(filter-out tests/unit/harness%,$(filter tests/unit/%,$(tests)))) \
	$(patsubst %,tests/%.py,packages/static $(vm_scripts_6.1) $(vm_scripts))

arm64: ## cross build the command, the static command and the image for arm64 in build/arm64
	$Qtests/deps.sh $(STATIC_DEPS) $(ARM64_DEPS) jq
	$Q$(arm64_root) && $(arm64_make) all build/arm64/iospan-image

check-arm64: ## cross build for arm64, and run tests there in VMs with Linux 6.1 and 6.12
	$Qtests/deps.sh $(STATIC_DEPS) $(ARM64_DEPS)
	$Q$(arm64_root) && $(arm64_make) build-tests build/arm64/iospan-static
	$Q$(arm64_root) && IOSPAN_VM_ROOT="$$root" IOSPAN_BUILD=$(abspath build/arm64) \
		IOSPAN=$(abspath build/arm64/iospan) tests/run $(select) --tests short \
		--vm-seconds $(ARM64_SECONDS) $(foreach v,6.1 6.12,--vm $v $(arm64_tests))

.PHONY: arm64 check-arm64
