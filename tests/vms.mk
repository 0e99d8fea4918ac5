# SPDX-License-Identifier: GPL-2.0-or-later
# Rules for the tests in VMs. The Makefile includes this file.

# VMs run tests that may depend on the kernel, or need disks and cgroups of a VM. tests/vm runs only
# there. The CPU is emulated, so tests that need full speed do not run there. Nor does
# kernel/device: kernel/paths-* test the same disks, and kernel/groups tests the attribution.

# Tests of an HDD, an SSD and an NVMe disk, with each scheduler, and by cgroup.
vm_scripts := vm/disks
# Tests of the kernel's block layer: all paths of a request, and completions in interrupts.
vm_scripts += kernel/paths-queue kernel/paths-errors kernel/paths-removal kernel/paths-operations \
	kernel/paths-stacked kernel/nested
# Tests of the attribution to the cgroup that the kernel charges.
vm_scripts += kernel/groups
# Tests of io_uring (its structures differ between kernels), libaio, mapped files, fentry, pressure.
vm_scripts += kernel/rings kernel/vfs-paths kernel/backends kernel/signals kernel/pressure
# These tests test no kernel paths, so one VM is enough. For kernel/opens, the other VM has no time.
vm_scripts_6.1 := vm/nvme vm/blkparse vm/failures vm/guard
vm_scripts_6.12 := vm/longest vm/forbidden kernel/opens vm/preempted
KERNELS ?= 6.1 6.12
in_vms := $(foreach v,$(KERNELS),--vm $v \
	$(patsubst %,tests/%.py,$(vm_scripts_$v) $(vm_scripts)))

VM_SECONDS ?= 660
# After VM_SECONDS, the remaining tests are skipped. So tests that run nowhere else come first.
check-vm: deps-vm ## the tests of kernels and disks, in VMs with KERNELS (6.1, 6.12; also 6.12-rt, 6.17)
	$Q$(MAKE) --no-print-directory $(jobs) build-tests
	$Qtests/run $(select) --tests short --vm-seconds $(VM_SECONDS) $(in_vms)

# The packages of this target start services when installed.
check-nodes: deps-vm ## the benchmarks of MPI on two machines, which are VMs that share files by NFS
	$Qtests/deps.sh nfs-kernel-server dropbear-bin openssh-client
	$Q$(MAKE) --no-print-directory $(jobs) all
	$Qtests/run --limit 1800 $(select) tests/vm/nodes.py

# These tests take minutes. With --leap, idle time of the VM takes no real time, so simulated disks
# that use timers are exact.
vmscale: deps-vm ## accuracy of bench scale and of the slowdown for known disks, in VMs
	$Q$(MAKE) --no-print-directory $(jobs) build-tests
	$Qtests/run $(foreach v,6.1 6.12,--leap $v tests/vm/character.py tests/vm/replay.py tests/kernel/slowdown.py --vm $v \
		tests/commands/scale-cache.py)

.PHONY: check-vm check-nodes vmscale
