// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads and attaches the BPF programs, and reads their maps. The target is the topmost measured
 * cgroup. If a BPF program did not see the completion of an access, a repair ends the access later.
 * This may reduce T of a span, the time in which the span was busy. */
#include "user/kernel/tracer.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/kernel/calls.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/progress.h"
#include "user/kernel/feature.h"
#include "user/kernel/maps.h"
#include "user/kernel/losses.h"
#include "user/kernel/repair.h"
#include "user/kernel/measure.h"
#include "user/kernel/recorder.h"
#include "user/kernel/retire.h"
#include "user/kernel/selected.h"
#include "user/kernel/tracer-maps.h"
#include "user/kernel/tracer-programs.h"
#include "user/kernel/tracer-settings.h"
#include "user/kernel/wanted.h"
#include "iospan.skel.h"

#define LOOK_NS 500000000ULL /* time between two searches for new disks */
/* Time between two samples of T. It must be below 4.9 hours, because a struct span has T modulo 4.9
 * hours. */
#define SAMPLE_NS 10000000000ULL
_Static_assert(TRACER_POLL_NS <= REPAIR_POLL_NS, "tracer_poll() repairs");

struct tracer {
	struct iospan *skel;
	struct maps maps;
	struct call_programs calls; /* BPF programs that are attached to kernel functions */
	bool device;		    /* true if the device layer is measured */
	enum vfs_backend backend;
	/* true: a bio-based disk (dm, md ...) was added during the measurement */
	bool late_bios;
	struct wanted wanted;
	struct cgroup target;
	bool target_is_charged; /* true: the options .target and .charged are the same cgroup */
	u64 sampled_ns, looked_ns;
	u64 repaired;	/* number of lost completions at the previous read_on() */
	int statistics; /* descriptor from bpf_enable_stats(), or -1 */
};

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return getenv("IOSPAN_DEBUG") ? vfprintf(stderr, fmt, args) : 0;
}

/* Attaches the programs for bios. They run for every bio of all disks. So this is called only if a
 * selected disk is bio-based. */
static int attach_bios(struct iospan *skel)
{
	if (!skel->links.on_bio_complete)
		skel->links.on_bio_complete = bpf_program__attach(skel->progs.on_bio_complete);
	if (skel->links.on_bio_complete && !skel->links.on_bio_remap)
		skel->links.on_bio_remap = bpf_program__attach(skel->progs.on_bio_remap);
	if (skel->links.on_bio_remap)
		skel->links.on_bio_queue = bpf_program__attach(skel->progs.on_bio_queue);
	return skel->links.on_bio_queue ? 0 : -errno;
}

static void call_groups(struct iospan *skel, struct call_group groups[CALL_GROUPS])
{
	const struct call_group all[CALL_GROUPS] = {
		{ { skel->progs.function_stub, skel->progs.function_stub_end },
		  { skel->progs.on_function, skel->progs.on_function_end },
		  { skel->maps.shared_entry, skel->maps.shared_exit } },
		{ { skel->progs.function_stub2, skel->progs.function_stub_end2 },
		  { skel->progs.on_function2, skel->progs.on_function_end2 },
		  { skel->maps.shared_entry2, skel->maps.shared_exit2 } },
	};

	memcpy(groups, all, sizeof(all));
}

/* Attaches the programs for system calls if they are on kernel functions. If they are on
 * tracepoints, they are attached with all other programs. */
static int attach_calls(struct tracer *t)
{
	const struct bpf_program *const programs[] = {
		[CALL_ENTRY] = t->skel->progs.on_call_kprobe,
		[CALL_EXIT] = t->skel->progs.on_call_kprobe_end,
	};

	if (t->backend == VFS_BY_FENTRY)
		return calls_attach(&t->calls);
	if (t->backend == VFS_BY_TRACEPOINT)
		return 0;
	/* The program at the exit of a call is attached first. So each call that runs the program
	 * at its entry also runs the program at its exit. */
	for (int end = CALL_ENDS; end-- > 0;) {
		int link = calls_attach_kprobe(bpf_program__fd(programs[end]), end, t->calls.opens);

		if (link < 0)
			return link;
		t->calls.kprobes[end] = link;
	}
	return 0;
}

static int attach_programs(struct tracer *t)
{
	int ret;

	bpf_program__set_autoattach(t->skel->progs.scan_one_queue, false);
	bpf_program__set_autoattach(t->skel->progs.on_call_kprobe, false);
	bpf_program__set_autoattach(t->skel->progs.on_call_kprobe_end, false);
	bpf_program__set_autoattach(t->skel->progs.on_bio_queue, false);
	bpf_program__set_autoattach(t->skel->progs.on_bio_complete, false);
	bpf_program__set_autoattach(t->skel->progs.on_bio_remap, false);
	bpf_program__set_autoattach(t->skel->progs.on_complete_nested, false);
	bpf_program__set_autoattach(t->skel->progs.on_bio_complete_nested, false);
	ret = iospan__attach(t->skel);
	if (!ret)
		ret = attach_calls(t);
	if (!ret && t->device && wanted_has_bio_based(t->wanted.disks))
		ret = attach_bios(t->skel);
	if (ret)
		return error(ret, "cannot attach the kernel programs: %s", strerror(-ret));
	return 0;
}

static int load_programs(struct tracer *t, const struct tracer_options *o)
{
	/* By default, libbpf also reads the BTF of modules, which needs CAP_SYS_ADMIN. With
	 * btf_custom_path, it reads only that of the kernel. */
	LIBBPF_OPTS(bpf_object_open_opts, file,
		    .btf_custom_path = feature_has("cap_sys_admin") ? NULL :
								      "/sys/kernel/btf/vmlinux");
	int ret;

	libbpf_set_print(print_libbpf);
	t->skel = iospan__open_opts(&file);
	if (!t->skel)
		return error(-errno, "cannot open the kernel programs: %s", strerror(errno));
	tracer_programs_choose(t->skel, o);
	call_groups(t->skel, t->calls.groups);
	t->calls.opens = o->record_bytes;
	ret = t->backend == VFS_BY_FENTRY ? calls_prepare(&t->calls) : 0;
	if (!ret)
		ret = tracer_maps_size(t->skel, o, &t->maps);
	if (ret)
		return ret;
	tracer_set_settings(t->skel, o, &t->maps);
	ret = iospan__load(t->skel);
	if (ret)
		return error(ret,
			     "the kernel refuses the programs: %s (see 'iospan version "
			     "-v'; IOSPAN_DEBUG=1 shows its reasons)",
			     strerror(-ret));
	ret = tracer_maps_map(t->skel, o, &t->maps);
	if (ret)
		return ret;
	t->wanted = (struct wanted){ o->disks, bpf_map__fd(t->skel->maps.wanted_disks),
				     t->skel->bss->queues };
	if (o->disks)
		wanted_look(&t->wanted);
	return attach_programs(t);
}

/* Makes the kernel count the runs of BPF programs, until the descriptor is closed. */
static int start_statistics(struct tracer *t, const struct tracer_options *o)
{
	t->statistics = o->bpf_stats ? bpf_enable_stats(BPF_STATS_RUN_TIME) : -1;
	if (o->bpf_stats && t->statistics < 0)
		return error(-errno,
			     "cannot turn on the statistics of BPF programs: %s; --bpf-stats and "
			     "--cpu-limit need CAP_SYS_ADMIN",
			     strerror(errno));
	return 0;
}

int tracer_new(const struct tracer_options *o, struct tracer **to)
{
	struct tracer *t = need(calloc(1, sizeof(*t)));
	int ret;

	t->target = o->target;
	t->target_is_charged = o->attribution == BY_BLKCG && o->charged.id == o->target.id &&
		!strcmp(o->charged.path, o->target.path);
	t->device = o->layers & 1 << LAYER_DEVICE;
	t->backend = o->layers & 1 << LAYER_VFS ? o->backend : VFS_BY_TRACEPOINT;
	t->calls.kprobes[CALL_ENTRY] = t->calls.kprobes[CALL_EXIT] = -1;
	/* on a busy machine, the verifier needs seconds for the programs of the vfs layer */
	progress("loading the kernel programs");
	ret = start_statistics(t, o) ?: load_programs(t, o);
	progress_end();
	if (ret)
		tracer_free(t);
	else
		*to = t;
	return ret;
}

void tracer_free(struct tracer *t)
{
	if (!t)
		return;
	calls_detach_in_background(&t->calls);
	calls_detach(&t->calls);
	recorder_free(t->maps.recorder);
	if (t->skel)
		tracer_maps_unmap(t->skel, &t->maps);
	iospan__destroy(t->skel);
	if (t->statistics >= 0)
		close(t->statistics);
	free(t);
}

int tracer_app_fd(const struct tracer *t)
{
	return bpf_map__fd(t->skel->maps.app);
}

int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter)
{
	return recorder_new(&t->maps.recorder, &t->maps, w, filter);
}

/* The kernel skips a run of @program if an interrupt runs a completion inside another run of
 * @program. The BPF program @twin handles such completions (bpf/nested.bpf.h). It costs time at
 * each completion, so it is attached only after the first skipped run. */
static void attach_twin(struct bpf_program *program, struct bpf_program *twin,
			struct bpf_link **link)
{
	if (!*link && program_missed(bpf_program__fd(program)))
		*link = bpf_program__attach(twin);
}

static void attach_twins(struct iospan *skel)
{
	attach_twin(skel->progs.on_complete, skel->progs.on_complete_nested,
		    &skel->links.on_complete_nested);
	if (skel->links.on_bio_complete)
		attach_twin(skel->progs.on_bio_complete, skel->progs.on_bio_complete_nested,
			    &skel->links.on_bio_complete_nested);
}

static void look_for_disks(struct tracer *t)
{
	if (!t->skel->links.on_bio_queue && wanted_has_bio_based(t->wanted.disks))
		t->late_bios = !attach_bios(t->skel);
	if (t->wanted.disks)
		wanted_look(&t->wanted);
}

static void watch(struct watched *top, u64 *at, u64 id)
{
	__atomic_store_n(&top->id, id, __ATOMIC_RELEASE);
	__atomic_store_n(at, 0, __ATOMIC_RELEASE);
}

/* If a service restarts, its cgroup is removed, and a new cgroup gets the same path. If the target
 * was removed in this way, measures the new cgroup from now on. */
static void follow_target(struct tracer *t)
{
	struct stat st;
	u64 id = stat(t->target.path, &st) ? 0 : st.st_ino;

	if (id == t->target.id)
		return;
	t->target.id = id;
	watch(&t->skel->bss->target, &t->skel->bss->target_at, id);
	if (t->target_is_charged)
		watch(&t->skel->bss->charged, &t->skel->bss->charged_at, id);
}

void tracer_poll(struct tracer *t)
{
	u64 now = now_ns();

	follow_target(t);
	if (t->maps.recorder)
		recorder_poll(t->maps.recorder);
	maps_repair(&t->maps, now);
	if (t->device)
		attach_twins(t->skel);
	if (t->device && now - t->looked_ns > LOOK_NS) {
		t->looked_ns = now;
		look_for_disks(t);
	}
	if (now - t->sampled_ns > SAMPLE_NS) {
		t->sampled_ns = now;
		maps_sample(&t->maps, now_ns());
	}
}

u64 tracer_vfs_run_ns(const struct tracer *t)
{
	return tracer_programs_vfs_run_ns(t->skel, &t->calls);
}

void tracer_stop_vfs(struct tracer *t)
{
	tracer_programs_stop_vfs(t->skel, &t->calls);
	maps_end_vfs(&t->maps, now_ns());
}

void tracer_select(struct tracer *t, u64 id)
{
	selected_set(&t->maps, id);
}

#define SETTLE_NS 200000000ULL

enum reading { READ_END, READ_SO_FAR, READ_CUT };

static int read_maps(struct tracer *t, u64 start_ns, u64 now, enum reading reading,
		     struct measurement **to)
{
	struct measurement *m = calloc(1, sizeof(*m));
	int ret;

	if (!m)
		return error(-ENOMEM, "out of memory");
	m->begin_ns = start_ns;
	retire_before(&t->maps, now);
	ret = maps_measure(&t->maps, start_ns, now, reading == READ_CUT, m);
	retire_after(&t->maps, now);
	/* recorder_end() may count further losses, so maps_losses() is called after it */
	if (reading == READ_END && t->maps.recorder)
		recorder_end(t->maps.recorder, now);
	m->bpf_stats = t->statistics >= 0;
	tracer_programs_measure(t->skel, &t->calls, m);
	maps_losses(&t->maps, t->late_bios, m);
	if (ret)
		measurement_free(m);
	else
		*to = m;
	return ret;
}

int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **to)
{
	u64 now = now_ns();

	if (maps_repair_last(&t->maps))
		now = now_ns();
	return read_maps(t, start_ns, now, READ_END, to);
}

/* Reads the maps during the measurement; accesses may stay in flight. If there were repairs, calls
 * maps_restart(), because they may have made T of a span smaller than the reported value. */
static int read_on(struct tracer *t, u64 start_ns, enum reading reading, struct measurement **to)
{
	u64 repaired;

	maps_detect(&t->maps);
	repaired = t->maps.losses->completions;
	if (repaired != t->repaired)
		maps_restart(&t->maps, now_ns());
	t->repaired = repaired;
	return read_maps(t, start_ns, now_ns(), reading, to);
}

int tracer_read(struct tracer *t, u64 start_ns, struct measurement **to)
{
	return read_on(t, start_ns, READ_SO_FAR, to);
}

int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **to)
{
	return read_on(t, start_ns, READ_CUT, to);
}

/* Waits until no access is in flight, because a repair could end an old access while the workload
 * runs. This would reduce the measured T of the workload. */
int tracer_measure_before(struct tracer *t, struct measurement **to)
{
	u64 until = now_ns() + SETTLE_NS;
	int ret = tracer_measure(t, now_ns(), to);

	while (!ret && (*to)->in_flight && now_ns() < until) {
		measurement_free(*to);
		*to = NULL;
		ret = tracer_measure(t, now_ns(), to);
	}
	if (!ret)
		maps_restart(&t->maps, now_ns());
	return ret;
}
