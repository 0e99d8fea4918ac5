// SPDX-License-Identifier: GPL-2.0-or-later
/* Probes the features of this kernel and machine that iospan uses. The probes of BPF features are
 * in feature-bpf.c. */
#include "user/kernel/feature.h"

#include <bpf/libbpf.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/privileges.h"
#include "user/host/runtime-files.h"
#include "user/kernel/feature-bpf.h"
#include "user/kernel/symbols.h"

static bool has_root(void)
{
	return geteuid() == 0;
}

/* CAP_SYS_ADMIN suffices, too, as in the kernel; the same applies to has_cap_perfmon() */
static bool has_cap_bpf(void)
{
	return privileges_have(CAP_BPF) || privileges_have(CAP_SYS_ADMIN);
}

static bool has_cap_perfmon(void)
{
	return privileges_have(CAP_PERFMON) || privileges_have(CAP_SYS_ADMIN);
}

static bool has_cap_sys_admin(void)
{
	return privileges_have(CAP_SYS_ADMIN);
}

static bool has_kernel_addresses(void)
{
	static const char *const first[] = { "_stext" };
	u64 address;

	symbols_find(first, &address, 1);
	return address;
}

/* Returns the mount point of the first file system of type @type that has the mount option @option;
 * NULL: any options. Returns NULL if there is none. The caller frees the text. */
static char *mount_point(const char *type, const char *option)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *m = NULL;
	char *dir = NULL;

	if (!mounts)
		return NULL;
	while (!dir && (m = getmntent(mounts)))
		if (strcmp(m->mnt_type, type) == 0 && (!option || hasmntopt(m, option)))
			dir = need(strdup(m->mnt_dir));
	endmntent(mounts);
	return dir;
}

static bool is_mounted(const char *type, const char *option)
{
	char *dir = mount_point(type, option);

	free(dir);
	return dir != NULL;
}

/* With the mount option hidepid, /proc hides the processes of other users. */
static bool has_all_processes(void)
{
	return !is_mounted("proc", "hidepid") || privileges_have(CAP_SYS_PTRACE);
}

static bool file_has_word(const char *path, const char *word)
{
	FILE *f = fopen(path, "re");
	char seen[64];
	bool found = false;

	if (!f)
		return false;
	while (!found && fscanf(f, "%63s", seen) == 1)
		found = strcmp(seen, word) == 0;
	fclose(f);
	return found;
}

static bool has_cgroup2(void)
{
	return is_mounted("cgroup2", NULL);
}

static bool has_cgroup2_io(void)
{
	char *dir = mount_point("cgroup2", NULL);
	char *path = dir ? need_text("%s/cgroup.controllers", dir) : NULL;
	bool found = path && file_has_word(path, "io");

	free(path);
	free(dir);
	return found;
}

static bool has_cgroup1_blkio(void)
{
	return is_mounted("cgroup", "blkio");
}

static bool has_tracefs(void)
{
	return file_has_word("/proc/filesystems", "tracefs");
}

static bool has_perf_events(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool has_io_uring(void)
{
	struct io_uring_params params = { 0 };
	int fd = syscall(SYS_io_uring_setup, 1, &params);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* searches for an MPI compiler, which only the test programs need */
static bool has_mpi(void)
{
	char *path = need(strdup(getenv("PATH") ?: "")), *rest = path, *dir;
	bool found = false;

	while (!found && (dir = strsep(&rest, ":"))) {
		char *file = need_text("%s/mpicc", dir);

		found = access(file, X_OK) == 0;
		free(file);
	}
	free(path);
	return found;
}

const struct feature features[] = {
	{ "root", has_root, "making a cgroup", "a --parent that the user may write", false },
	{ "cap_bpf", has_cap_bpf, "loading BPF programs", "none: run needs it", true },
	{ "cap_perfmon", has_cap_perfmon, "BPF programs on kernel events", "none: run needs it",
	  true },
	{ "cap_sys_admin", has_cap_sys_admin, "the layout of structures of kernel modules",
	  "loop disks, if loop is a module, are not recognised as stacked", false },
	{ "container_names", runtime_is_readable,
	  "names of containers of Docker and Podman, if there are any",
	  "their ids; root or CAP_DAC_READ_SEARCH can read the names", false },
	{ "all_processes", has_all_processes, "run and stat: -p NAME, for processes of other users",
	  "processes of this user; root or CAP_SYS_PTRACE see all", false },
	{ "kernel_addresses", has_kernel_addresses,
	  "record: files of device accesses by direct I/O",
	  "none; root or CAP_SYSLOG see the addresses", false },
	{ "btf", has_btf, "the layout of the kernel's structures", "none: run needs it", true },
	{ "tp_btf_block", has_tp_btf_block, "device layer: block request events",
	  "none: run needs it", true },
	{ "bpf_cmpxchg", has_bpf_cmpxchg, "spans: atomic compare-and-swap", "none: run needs it",
	  true },
	{ "bpf_mmapable_array", has_bpf_mmapable_array,
	  "spans shared by the program and the kernel", "none: run needs it", true },
	{ "bpf_task_storage", has_bpf_task_storage, "vfs layer: calls in progress",
	  "none: run needs it", true },
	{ "cgroup2", has_cgroup2, "a cgroup of its own for the command", "none: run needs it",
	  true },
	{ "cgroup2_io", has_cgroup2_io, "device I/O by the cgroup that the kernel charges",
	  "the blkio cgroup of v1, or the cgroup of the submitting task", false },
	{ "cgroup1_blkio", has_cgroup1_blkio,
	  "device I/O by the cgroup that the kernel charges, on v1",
	  "the io cgroup of v2, or the cgroup of the submitting task", false },
	{ "block_io_start", has_block_io_start, "the task that submits a request",
	  "the task that issues it", false },
	{ "bpf_prog_fentry", has_bpf_prog_fentry,
	  "vfs layer: programs on page faults, and --backend=fentry", "mapped files are not seen",
	  false },
	{ "kprobe_multi", has_kprobe_multi,
	  "vfs layer: programs on the functions of the measured calls alone",
	  "tracepoints of all system calls", false },
	{ "io_uring_req_events", has_io_uring_req_events, "vfs layer: io_uring requests",
	  "not measured", false },
	{ "io_uring_cqe_overflow", has_io_uring_cqe_overflow,
	  "vfs layer: io_uring completions that find their queue full",
	  "their time is not measured", false },
	{ "io_uring_submit_req", has_io_uring_submit_req,
	  "vfs layer: io_uring submission by its new name", "its old name, submit_sqe", false },
	{ "io_uring_complete_cqe", has_io_uring_complete_cqe,
	  "vfs layer: io_uring result in the cqe", "an argument of the event", false },
	{ "dirty_pages_struct", has_dirty_pages_struct,
	  "dirty throttling of cgroups, on newer kernels",
	  "dirty_pages_list; without both: not measured", false },
	{ "dirty_pages_list", has_dirty_pages_list, "dirty throttling of cgroups, on older kernels",
	  "dirty_pages_struct; without both: not measured", false },
	{ "bpf_loop", has_bpf_loop, "vfs layer: libaio batches", "libaio is not measured", false },
	{ "bpf_rdonly_cast", has_bpf_rdonly_cast, "vfs layer: faster reads of kernel structures",
	  "reads by helper calls", false },
	{ "io_uring", has_io_uring, "tests of io_uring", "those tests are skipped", false },
	{ "tracefs", has_tracefs, "tests against the kernel's own tracer",
	  "those tests are skipped", false },
	{ "perf_events", has_perf_events, "tests against perf", "those tests are skipped", false },
	{ "mpi", has_mpi, "tests of MPI-IO", "those tests are skipped", false },
	{ NULL, NULL, NULL, NULL, false },
};

static bool probe(const struct feature *f)
{
	libbpf_print_fn_t print = libbpf_set_print(NULL);
	bool present = f->probe();

	libbpf_set_print(print);
	return present;
}

bool feature_has(const char *name)
{
	enum answer { UNKNOWN, ABSENT, PRESENT };
	static enum answer seen[sizeof(features) / sizeof(*features)];
	size_t i = 0;

	while (features[i].name && strcmp(features[i].name, name) != 0)
		i++;
	if (!features[i].name) {
		error(-EINVAL, "no feature is called '%s'", name);
		abort();
	}
	if (seen[i] == UNKNOWN)
		seen[i] = probe(&features[i]) ? PRESENT : ABSENT;
	return seen[i] == PRESENT;
}

/* Returns the names of required capabilities that this process lacks; NULL: it has all. */
static const char *missing_capabilities(void)
{
	bool bpf = feature_has("cap_bpf"), perfmon = feature_has("cap_perfmon");

	if (bpf && perfmon)
		return NULL;
	return bpf	? "CAP_PERFMON (for BPF programs on kernel events)" :
		perfmon ? "CAP_BPF (to load BPF programs)" :
			  "CAP_BPF (to load BPF programs) and CAP_PERFMON (for kernel events)";
}

static const struct feature *missing_feature(void)
{
	const struct feature *f = features;

	while (f->name && (!f->required || feature_has(f->name)))
		f++;
	return f->name ? f : NULL;
}

char *features_missing(void)
{
	const char *capabilities = missing_capabilities();
	const struct feature *f = capabilities ? NULL : missing_feature();

	if (f)
		return need_text("%s (%s)", f->name, f->what);
	return capabilities ? need_text("%s", capabilities) : NULL;
}

int features_check(void)
{
	const char *capabilities = missing_capabilities();
	const struct feature *f = capabilities ? NULL : missing_feature();

	if (capabilities)
		return error(
			-EPERM, "cannot trace the kernel without %s; run iospan as root, or add %s",
			capabilities,
			strstr(capabilities, " and ") ? "these capabilities" : "this capability");
	return f ? error(-ENOTSUP, "this machine lacks '%s' (%s); see 'iospan version -v'", f->name,
			 f->what) :
		   0;
}
