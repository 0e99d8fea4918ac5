// SPDX-License-Identifier: GPL-2.0-or-later
/* What a report rests on: which layers were watched and how, and what the
 * reader must know about it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/kernel/feature.h"
#include "user/show/show.h"
#include "user/show/notes.h"

struct listener {
	void (*note)(void *arg, const char *text);
	void *arg;
};

static void say(const struct listener *to, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(const struct listener *to, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	disarm(text); /* names of programs may have anything in them */
	to->note(to->arg, text);
}

static bool layer_on(const struct report *r, int layer)
{
	return r->options->layers & (1u << layer);
}

bool report_sees(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (layer != LAYER_APP || !layer_on(r, layer))
		return layer_on(r, layer);
	return r->m->app_programs || r->m->app_ring.row.accesses;
}

const char *report_charge(const struct report *r)
{
	if (r->options->attribution == BY_TASK)
		return "task";
	return strcmp(r->options->charged.path, r->options->target.path) ? "blkio v1" : "io v2";
}

const char *report_backend(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (!layer_on(r, layer))
		return NULL;
	if (layer == LAYER_APP)
		return r->library ? "preload, ring" : "ring";
	if (layer == LAYER_VFS)
		return r->options->fentry  ? "fentry" :
			r->options->faults ? "tracepoint, fentry" :
					     "tracepoint";
	return "tp_btf";
}

bool disk_is_used(const struct disk_sum *d)
{
	for (int op = 0; op < DEVICE_OPS; op++)
		if (d->ops[op].row.accesses || d->ops[op].span_ns)
			return true;
	return false;
}

double report_amplification(const struct report *r, int lower, int upper)
{
	double below = r->m->layers[lower].row.bytes, above = r->m->layers[upper].row.bytes;

	if (!report_sees(r, lower) || !report_sees(r, upper) || above <= 0)
		return NAN;
	return below / above;
}

u64 overlap_ns(const struct sum *a, const struct sum *b, u64 joint_ns)
{
	u128 sum = (u128)a->span_ns + b->span_ns;

	return sum > joint_ns ? sum - joint_ns : 0;
}

/* ---- the sentences ---- */

/* One kind of program that the preloaded library cannot get into. */
static u64 unseen(const struct listener *to, u64 n, u64 all, const char *what, const char *name)
{
	if (n)
		say(to, "app: %llu of %llu programs not seen, %s (first: %.32s)",
		    (unsigned long long)n, (unsigned long long)all, what, name);
	return n;
}

static void app_notes(const struct report *r, const struct listener *to)
{
	const struct notes *n = &r->m->notes;
	u64 all = n->dynamic + n->statically + n->secure + n->compat;

	if (!layer_on(r, LAYER_APP))
		return;
	if (r->everybody) {
		say(to, "app: io_uring and libaio requests alone; the library sees only a command");
		return;
	}
	if (!r->library)
		say(to, "app: io_uring and libaio requests alone; %s", r->no_library);
	unseen(to, n->statically, all, "statically linked", n->static_name);
	unseen(to, n->secure, all, "set-uid, set-gid or with capabilities", n->secure_name);
	unseen(to, n->compat, all, "32-bit", n->compat_name);
	if (r->library && n->dynamic > r->m->app_programs)
		say(to, "app: %llu of %llu programs not seen, they did not load libiospan.so",
		    (unsigned long long)(n->dynamic - r->m->app_programs), (unsigned long long)all);
}

/* Of these it is not known when they ended. */
static u64 lost_rings(const struct measurement *m)
{
	u64 n = 0;

	for (const struct loss *l = m->losses; l->name; l++)
		if (!strcmp(l->name, "ring_completions") || !strcmp(l->name, "aio_events"))
			n += l->n;
	return n;
}

static void vfs_notes(const struct report *r, const struct listener *to)
{
	const struct notes *n = &r->m->notes;

	if (!layer_on(r, LAYER_VFS))
		return;
	if (n->compat)
		say(to, "vfs: system calls of 32-bit programs are not seen");
	if (n->loader)
		say(to, "vfs: %llu reads of the dynamic loader are not counted",
		    (unsigned long long)n->loader);
	if (!r->options->faults)
		say(to, "vfs: reads of mapped files are not seen, %s",
		    feature_has("bpf_prog_fentry") ? "that takes another --backend" :
						     "this kernel refuses fentry");
	if (!feature_has("io_uring_req_events"))
		say(to, "vfs: io_uring is not seen, this kernel's events name no requests");
	if (!feature_has("bpf_loop"))
		say(to, "vfs: libaio is not seen, this kernel has no bpf_loop()");
	if (lost_rings(r->m))
		say(to,
		    "app, vfs: T is an upper bound, ends of %llu ring requests were not "
		    "seen",
		    (unsigned long long)lost_rings(r->m));
}

static void group_notes(const struct report *r, const struct listener *to)
{
	const struct notes *n = &r->m->notes;

	if (r->uncharged)
		say(to,
		    "device: the io controller is not enabled in %u cgroup%s; what they do is "
		    "charged to, and counts in, the one above (or see --attribution=task)",
		    r->uncharged, r->uncharged == 1 ? "" : "s");
	if (n->charged_above)
		say(to,
		    "device: up to %llu reads that the command issued are not counted: the "
		    "kernel charged them to a group above, or they are another's",
		    (unsigned long long)n->charged_above);
	if (n->other_groups)
		say(to,
		    "device: %s%llu cgroups have no row, they count in those above them and "
		    "in '(other)'; --max-groups=N gives more",
		    n->more_groups ? "more than " : "", (unsigned long long)n->other_groups);
}

static void device_notes(const struct report *r, const struct listener *to)
{
	bool stacked = false;

	if (!layer_on(r, LAYER_DEVICE))
		return;
	for (unsigned i = 0; i < r->m->disks_n; i++)
		stacked |= r->m->disks[i].stacked && disk_is_used(&r->m->disks[i]);
	if (stacked)
		say(to, "device: disks marked * stand on others and are not in the total");
	if (strcmp(report_charge(r), "io v2"))
		say(to,
		    "device: what the kernel writes back later is not charged to the "
		    "command (told apart by %s)",
		    report_charge(r));
	group_notes(r, to);
	if (r->m->in_flight)
		say(to, "device: in flight at the end, and not counted: %llu",
		    (unsigned long long)r->m->in_flight);
}

void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg)
{
	const struct listener to = { note, arg };

	if (r->runs_on)
		say(&to, "interrupted: the command goes on, this is the result so far");
	if (r->left)
		say(&to,
		    "%d process%s of the command go on; what they do from here on is not "
		    "counted",
		    r->left, r->left == 1 ? "" : "es");
	app_notes(r, &to);
	vfs_notes(r, &to);
	device_notes(r, &to);
}
