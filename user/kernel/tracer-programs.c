// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the BPF programs for the measured layers: the device layer (requests to disks), the vfs
 * layer (system calls for I/O) and the app layer (calls to the I/O library). */
#include "user/kernel/tracer-programs.h"

#include <bpf/libbpf.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/kernel/feature.h"
#include "user/kernel/losses.h"
#include "iospan.skel.h"

#define DEVICE (1 << LAYER_DEVICE)
#define VFS (1 << LAYER_VFS)
#define APP (1 << LAYER_APP)
/* Further bits of choice.layers, which do not stand for layers. TRACEPOINT, KPROBE and FENTRY are
 * the backends of the vfs layer (enum vfs_backend). The others are options. */
#define TRACEPOINT (1 << LAYERS << VFS_BY_TRACEPOINT)
#define KPROBE (1 << LAYERS << VFS_BY_KPROBE)
#define FENTRY (1 << LAYERS << VFS_BY_FENTRY)
#define FAULTS (8 << LAYERS)
#define RECORD (16 << LAYERS)
#define PROCESSES (32 << LAYERS)
#define CGROUPS (64 << LAYERS)
#define COMMAND (128 << LAYERS)
#define PRESSURE (256 << LAYERS)

/* A BPF program, and the conditions for loading it. At least one layer or option in .layers must be
 * used. The kernel must have the feature .with and lack the feature .without; NULL: no
 * condition. */
static const struct choice {
	const char *program;
	unsigned layers;
	const char *with, *without;
} choices[] = {
	{ "on_issue", DEVICE, NULL, NULL },
	{ "on_complete", DEVICE, NULL, NULL },
	{ "on_complete_nested", DEVICE, NULL, NULL },
	{ "on_requeue", DEVICE, NULL, NULL },
	{ "scan_one_queue", DEVICE, "bpf_loop", NULL },
	{ "on_insert", DEVICE, NULL, NULL },
	{ "on_merge", DEVICE, NULL, NULL },
	{ "on_io_start", DEVICE, "block_io_start", NULL },
	{ "on_bio_queue", DEVICE, NULL, NULL },
	{ "on_bio_complete", DEVICE, NULL, NULL },
	{ "on_bio_remap", DEVICE, NULL, NULL },
	{ "on_bio_complete_nested", DEVICE, NULL, NULL },
	{ "on_call", TRACEPOINT, NULL, NULL },
	{ "on_call_end", TRACEPOINT, NULL, NULL },
	{ "on_call_kprobe", KPROBE, NULL, NULL },
	{ "on_call_kprobe_end", KPROBE, NULL, NULL },
	{ "function_stub", FENTRY, NULL, NULL },
	{ "function_stub_end", FENTRY, NULL, NULL },
	{ "on_function", FENTRY, NULL, NULL },
	{ "on_function_end", FENTRY, NULL, NULL },
	{ "function_stub2", FENTRY, NULL, NULL },
	{ "function_stub_end2", FENTRY, NULL, NULL },
	{ "on_function2", FENTRY, NULL, NULL },
	{ "on_function_end2", FENTRY, NULL, NULL },
	{ "on_sync", FENTRY, NULL, NULL },
	{ "on_sync_end", FENTRY, NULL, NULL },
	{ "on_signal", VFS, NULL, NULL },
	{ "on_call_exec", VFS, NULL, NULL },
	{ "on_call_exit", VFS, NULL, NULL },
	{ "on_ring_submit", VFS | APP, "io_uring_submit_req", NULL },
	{ "on_ring_submit_old", VFS | APP, "io_uring_req_events", "io_uring_submit_req" },
	{ "on_ring_complete", VFS | APP, "io_uring_complete_cqe", NULL },
	{ "on_ring_complete_old", VFS | APP, "io_uring_req_events", "io_uring_complete_cqe" },
	{ "on_fault", FAULTS, NULL, NULL },
	{ "on_fault_end", FAULTS, NULL, NULL },
	{ "on_ring_overflow", VFS | APP, "io_uring_cqe_overflow", NULL },
	{ "on_fork", RECORD, NULL, NULL },
	{ "on_exec", VFS | APP | RECORD, NULL, NULL },
	{ "on_exit", APP, NULL, NULL },
	{ "on_process_exec", PROCESSES, NULL, NULL },
	{ "on_cgroup_rmdir", CGROUPS, NULL, NULL },
	{ "on_dirty_pause", PRESSURE, "dirty_pages_struct", NULL },
	{ "on_dirty_pause_old", PRESSURE, "dirty_pages_list", NULL },
	{ "on_member_fork", COMMAND, NULL, NULL },
	{ "on_member_move", COMMAND, NULL, NULL },
};

/* log level at which the verifier prints statistics (BPF_LOG_STATS of the kernel) */
#define LOG_STATS 4

void tracer_programs_choose(struct iospan *skel, const struct tracer_options *o)
{
	unsigned layers = o->layers;

	if (o->record_bytes)
		layers |= RECORD;
	if (o->per_process)
		layers |= PROCESSES;
	else if (o->retire)
		layers |= CGROUPS;
	if (o->pressure && o->per_cgroup)
		layers |= PRESSURE;
	if (o->of_command)
		layers |= COMMAND;
	if (layers & VFS)
		layers |= 1 << LAYERS << o->backend | (o->faults ? FAULTS : 0);
	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		const struct choice *c = &choices[i];
		bool on = (c->layers & layers) && (!c->with || feature_has(c->with)) &&
			!(c->without && feature_has(c->without));
		struct bpf_program *p = bpf_object__find_program_by_name(skel->obj, c->program);

		bpf_program__set_autoload(p, on);
		if (getenv("IOSPAN_DEBUG"))
			bpf_program__set_log_level(p, LOG_STATS);
	}
	if (o->attribution != BY_TASK)
		bpf_program__set_autoload(skel->progs.on_io_start, false);
}

/* Returns the layer that the BPF program measures. Returns LAYERS if it serves all layers. */
static enum layer layer_of(const char *program)
{
	unsigned layers = 0;

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++)
		if (!strcmp(choices[i].program, program))
			layers = choices[i].layers;
	if (layers & (VFS | TRACEPOINT | KPROBE | FENTRY | FAULTS))
		return LAYER_VFS;
	return layers & DEVICE ? LAYER_DEVICE : layers & APP ? LAYER_APP : LAYERS;
}

static bool is_vfs(const char *program)
{
	return layer_of(program) == LAYER_VFS;
}

void tracer_programs_measure(const struct iospan *skel, const struct call_programs *calls,
			     struct measurement *m)
{
	struct bpf_program *p;

	bpf_object__for_each_program (p, skel->obj) {
		const char *name = bpf_program__name(p);

		if (bpf_program__fd(p) >= 0)
			runs_of_program(m, name, layer_of(name), bpf_program__fd(p));
	}
	for (unsigned i = 0; i < calls->n; i++)
		runs_of_program(m, calls->list[i].name, LAYER_VFS, calls->list[i].program);
}

u64 tracer_programs_vfs_run_ns(const struct iospan *skel, const struct call_programs *calls)
{
	struct bpf_program *p;
	u64 ns = 0;

	bpf_object__for_each_program (p, skel->obj)
		if (bpf_program__fd(p) >= 0 && is_vfs(bpf_program__name(p)))
			ns += program_run_ns(bpf_program__fd(p));
	for (unsigned i = 0; i < calls->n; i++)
		ns += program_run_ns(calls->list[i].program);
	return ns;
}

void tracer_programs_stop_vfs(struct iospan *skel, struct call_programs *calls)
{
	const struct bpf_object_skeleton *s = skel->skeleton;

	calls_stop(calls);
	/* The order is reversed, so that the program at the entry of system calls is detached
	 * before the program at their exit. Otherwise the end of a call that starts in between
	 * would be missed. */
	for (int i = s->prog_cnt; i-- > 0;) {
		if (!is_vfs(s->progs[i].name))
			continue;
		bpf_link__destroy(*s->progs[i].link);
		*s->progs[i].link = NULL;
	}
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}
