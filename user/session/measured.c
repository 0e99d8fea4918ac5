// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures a command that iospan runs. The tracer is the BPF programs and the code that reads their
 * counters. The session is the cgroups in which the command runs. */
#include "user/session/measured.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/kernel/feature.h"
#include "user/base/library.h"
#include "user/base/signals.h"
#include "user/host/cgroup-tree.h"
#include "user/metric/measurement.h"
#include "user/session/command.h"
#include "user/base/words.h"

const char *const measured_by[] = { "device", "cgroup", NULL };
static const char *const attributions[] = { "auto", "kernel", "task", NULL };
/* methods by which the vfs layer can be traced: "auto", then the values of enum vfs_backend in its
 * order */
static const char *const backends[] = { "auto", "tracepoint", "kprobe", "fentry", NULL };

/* ---- Options ---- */

void measured_features(struct tracer_options *o)
{
	o->has_fentry = feature_has("bpf_prog_fentry");
	o->has_io_uring = feature_has("io_uring_req_events");
	o->has_libaio = feature_has("bpf_loop");
	o->faults = o->has_fentry;
	/* fentry is not chosen, because the kernel needs seconds to attach fentry programs to all
	 * system calls, and to detach them. */
	o->backend = feature_has("kprobe_multi") ? VFS_BY_KPROBE : VFS_BY_TRACEPOINT;
}

/* Sets how the vfs layer is traced. @backend is an index of backends[]. If it is 0 ("auto"), keeps
 * the choice of measured_features(). */
static int choose_backend(int backend, struct tracer_options *o)
{
	if (!backend)
		return 0;
	o->backend = backend - 1;
	o->faults = o->has_fentry && o->backend != VFS_BY_TRACEPOINT;
	if (o->backend == VFS_BY_TRACEPOINT ||
	    (o->backend == VFS_BY_FENTRY ? o->has_fentry : feature_has("kprobe_multi")))
		return 0;
	return error(-ENOTSUP,
		     "this kernel refuses %s programs; leave out --backend=%s "
		     "(see 'iospan version -v')",
		     backends[backend], backends[backend]);
}

/* Finds libiospan.so, which is preloaded into the measured command. Stores its path in @path and
 * @r->library, or the reason why it cannot be used in @r->no_library. */
static void find_library(struct report *r, char path[PATH_MAX])
{
	if (!library_find("libiospan.so", path))
		r->no_library = "libiospan.so is not in the directory of iospan nor in the "
				"lib/iospan of its installation; install both together";
	else if (strpbrk(path, " :$"))
		r->no_library = "the loader takes no library with a blank, ':' or '$' in its path; "
				"install iospan elsewhere";
	else
		r->library = path;
}

/* Duplicates @fd for the measured command, without close-on-exec. The duplicate has a high number,
 * because some programs expect number 3 for the first file that they open. */
static int high_descriptor(int fd)
{
	struct rlimit limit = { .rlim_cur = 256 };
	int min;

	getrlimit(RLIMIT_NOFILE, &limit);
	min = limit.rlim_cur > 1000 ? 900 : (int)limit.rlim_cur / 2;
	return fcntl(fd, F_DUPFD, min);
}

int measured_prepare(struct measured *m, const struct measured_opts *o)
{
	int charge, backend, ret;

	if (!o->max_groups || o->max_groups > MAX_GROUPS)
		return error(-EUSAGE, "--max-groups is a number from 1 to %u", MAX_GROUPS);
	charge = words_index("attribution", attributions, o->attribution);
	if (charge < 0)
		return charge;
	backend = words_index("backend", backends, o->backend);
	if (backend < 0)
		return backend;
	if (opt_given(&o->max_groups) && !measured_by_cgroup(o))
		return error(-EUSAGE, "option '--max-groups' has no effect without '--by cgroup'");
	if (o->disks && !(o->layers & 1 << LAYER_DEVICE))
		return error(-EUSAGE,
			     "option '--device' has no effect without the device layer; "
			     "add 'device' to '--layers'");
	ret = features_check();
	if (!ret) {
		measured_features(&m->options);
		ret = choose_backend(backend, &m->options);
	}
	m->charge = charge;
	m->parent = o->parent;
	m->options.layers = o->layers;
	m->options.disks = o->disks;
	m->options.per_cgroup = measured_by_cgroup(o);
	m->options.max_groups = o->max_groups;
	return ret;
}

/* Sets @root to the root cgroup of hierarchy @tree. */
static int find_root(enum cgroup_tree tree, struct cgroup *root)
{
	char path[PATH_MAX];
	int ret = cgroup_self(tree, root);

	if (ret)
		return ret;
	strcpy(path, root->path);
	for (int i = 0; i < root->level && strrchr(path, '/'); i++)
		*strrchr(path, '/') = '\0';
	return cgroup_at(path, root);
}

/* Sets the attribution of device I/O. Uses the first of these cgroups that exists:
 *
 * 1. the cgroup that the io controller (version 2) charges
 * 2. if @cgroup is NULL: the blkio cgroup (version 1) that the kernel charges
 * 3. the cgroup of the submitting task
 *
 * CHARGE_TASK excludes 1 and 2. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup)
{
	int ret = cgroup ? cgroup_check_v2(cgroup) : 0;

	if (ret)
		return ret;
	ret = cgroup ? cgroup_at(cgroup, &to->target) : find_root(CGROUP_V2, &to->target);
	if (ret)
		return error(ret, "cannot use the cgroup '%s': %s", cgroup ? cgroup : "/",
			     strerror(-ret));
	to->attribution = BY_BLKCG;
	if (charge != CHARGE_TASK && cgroup_has(&to->target, "io"))
		to->charged = to->target;
	else if (charge == CHARGE_TASK || cgroup || find_root(CGROUP_BLKIO, &to->charged))
		to->attribution = BY_TASK;
	return 0;
}

bool measured_is_by_blkio(const struct tracer_options *o)
{
	return o->attribution == BY_BLKCG && strcmp(o->charged.path, o->target.path);
}

/* Returns true if a cgroup of version 2 below the root cgroup @root has processes. If a command was
 * measured, it has ended, and its cgroups have no processes any more. So for a command, returns
 * true if there are cgroups below its cgroup. */
static bool has_groups(const struct tracer_options *o, const struct cgroup *root)
{
	return o->of_command ? cgroup_count_without_io(&o->target) : !cgroup_is_flat(root);
}

#define BY_V1 \
	": I/O is attributed to cgroups of version 1 (blkio), because the kernel charges them; " \
	"they have no PSI; --attribution=task selects the cgroups of version 2, without their " \
	"writeback"
#define FLAT_V2 \
	": no cgroup of version 2 except '/' has processes now, so I/O counts in '/'; " \
	"--attribution=kernel selects the cgroups of version 1, which have no PSI"
/* the names of the measured layers, then @text: "vfs, device: I/O is ..." */
#define OF_LAYERS(text) (!device ? "vfs" text : !vfs ? "device" text : "vfs, device" text)

const char *measured_hierarchy_note(const struct tracer_options *o)
{
	bool vfs = o->layers & 1 << LAYER_VFS, device = o->layers & 1 << LAYER_DEVICE;
	bool by_blkio = measured_is_by_blkio(o);
	struct cgroup root, blkio;

	if (!(vfs || device) || !o->per_cgroup || o->per_process || (o->of_command && !by_blkio) ||
	    find_root(CGROUP_V2, &root) || cgroup_has(&root, "io") ||
	    find_root(CGROUP_BLKIO, &blkio) || has_groups(o, &root) != by_blkio)
		return NULL;
	return by_blkio ? OF_LAYERS(BY_V1) : OF_LAYERS(FLAT_V2);
}

const char *measured_no_pressure(const struct tracer_options *o, const struct measurement *m)
{
	if (!o->pressure)
		return NULL;
	if (!m->pressure.has_psi)
		return "PSI: this kernel counts no I/O pressure; boot it with psi=1";
	return o->per_cgroup && !o->per_process && measured_is_by_blkio(o) ?
		"PSI: cgroups of version 1 have no pressure (or see --attribution=task)" :
		NULL;
}

bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns)
{
	struct pollfd p = { .fd = signals, .events = POLLIN };
	u64 last = 0, now = now_ns();

	/* Poll at least once, even if @end_ns has passed. So a caller that is always late still
	 * polls the tracer and sees signals. */
	do {
		u64 left = end_ns > now ? end_ns - now : 0, ns = left < poll_ns ? left : poll_ns;
		struct timespec timeout = { ns / 1000000000, ns % 1000000000 };

		if (signals_came(signals, &last))
			return false;
		ppoll(&p, 1, &timeout, NULL);
		tracer_poll(t);
		now = now_ns();
	} while (now < end_ns);
	return true;
}

static void poll_on_wait(void *measured)
{
	const struct measured *m = measured;

	tracer_poll(m->tracer);
	if (m->polled)
		m->polled(m->polled_arg);
}

static void set_uncharged(struct report *r, const struct cgroup *charged)
{
	if (r->options->per_cgroup && r->options->attribution == BY_BLKCG &&
	    cgroup_has(charged, "io"))
		r->uncharged = cgroup_count_without_io(charged);
}

int measured_begin(struct measured *m, const char *name, char **argv)
{
	struct report *r = &m->report;
	int fd = -1, ret;

	*r = (struct report){ .options = &m->options, .command = name, .argv = argv };
	find_library(r, m->library);
	if (!r->library && m->options.layers == 1 << LAYER_APP)
		return error(-ELIBACC, "cannot measure the app layer: %s", r->no_library);
	ret = session_begin(&m->session, m->parent, m->charge, 0);
	if (ret)
		return ret;
	session_target(&m->session, &m->options);
	m->options.of_command = true;
	ret = tracer_new(&m->options, &m->tracer);
	if (ret)
		return ret;
	if (m->options.layers & 1 << LAYER_APP && r->library)
		fd = high_descriptor(tracer_app_fd(m->tracer));
	return command_spawn(&m->session, argv, fd, r->library);
}

int measured_run(struct measured *m, u64 poll_ns)
{
	struct report *r = &m->report;
	struct measurement *found;
	u64 start_ns = now_ns();
	int left, ret = command_go(&m->session, r->argv[0]);

	if (ret)
		return ret;
	r->status = command_wait(&m->session, poll_on_wait, m, poll_ns, &r->runs_on);
	r->asked = m->session.asked;
	tracer_poll(m->tracer);
	ret = tracer_measure(m->tracer, start_ns, &found);
	if (ret)
		return ret;
	r->m = found;
	r->hierarchy = measured_hierarchy_note(&m->options);
	set_uncharged(r, &m->session.charged);
	left = session_end(&m->session);
	r->left = left > 0 ? left : 0;
	return r->status;
}

void measured_end(struct measured *m)
{
	session_end(&m->session);
	tracer_free(m->tracer);
	measurement_free((struct measurement *)m->report.m);
}
