// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/metric/measurement.h"

struct note_sink {
	void (*note)(void *arg, const char *text);
	void *arg;
};

static void put_note(const struct note_sink *to, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void put_note(const struct note_sink *to, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	disarm(text); /* a program's name may contain control characters */
	to->note(to->arg, text);
}

/* Programs that the preloaded library cannot be loaded into. */
static void note_programs(const struct note_sink *to, u64 n, u64 all, const char *what,
			  const char *name)
{
	if (n)
		put_note(to, "app: %llu of %llu programs not seen, %s (first: %.32s)",
			 (unsigned long long)n, (unsigned long long)all, what, name);
}

static void app_notes(const struct report *r, const struct note_sink *to)
{
	const struct notes *n = &r->m->notes;
	u64 all = n->dynamic + n->statically + n->secure + n->compat;

	if (!report_has_layer(r, LAYER_APP))
		return;
	if (r->everybody) {
		put_note(to,
			 "app: only io_uring and libaio requests; the library is loaded only into "
			 "a command");
		return;
	}
	if (!r->library)
		put_note(to, "app: only io_uring and libaio requests; %s", r->no_library);
	note_programs(to, n->statically, all, "statically linked", n->static_name);
	note_programs(to, n->secure, all, "set-uid, set-gid or with capabilities", n->secure_name);
	note_programs(to, n->compat, all, "32-bit", n->compat_name);
	if (r->library && n->dynamic > r->m->app_programs)
		put_note(to, "app: %llu of %llu programs not seen, they did not load libiospan.so",
			 (unsigned long long)(n->dynamic - r->m->app_programs),
			 (unsigned long long)all);
}

static bool is_lost_ring(const char *name)
{
	return !strcmp(name, "ring_completions") || !strcmp(name, "ring_unlisted") ||
		!strcmp(name, "aio_events");
}

/* Ring requests without a known end. */
static u64 lost_rings(const struct measurement *m)
{
	u64 n = 0;

	for (const struct loss *l = m->losses; l->name; l++)
		if (is_lost_ring(l->name))
			n += l->n;
	return n;
}

/* Layers that do not see processes outside of the command's cgroup. The blkio cgroup of version 1
 * is another one, which they may still be in. */
static void departed_note(const struct report *r, const struct note_sink *to)
{
	bool vfs = report_has_layer(r, LAYER_VFS);
	bool device = report_has_layer(r, LAYER_DEVICE) && strcmp(report_charge(r), "blkio v1");
	u64 n = r->m->notes.departed;

	if (n && (vfs || device))
		put_note(to,
			 "%s%s%s: %llu process%s left the cgroup of the command; %s later I/O is "
			 "not seen",
			 vfs ? "vfs" : "", vfs && device ? ", " : "", device ? "device" : "",
			 (unsigned long long)n, n == 1 ? "" : "es", n == 1 ? "its" : "their");
}

static void vfs_notes(const struct report *r, const struct note_sink *to)
{
	const struct notes *n = &r->m->notes;

	if (!report_has_layer(r, LAYER_VFS))
		return;
	if (n->compat)
		put_note(to, "vfs: system calls of 32-bit programs are not seen");
	if (n->loader)
		put_note(to, "vfs: %llu reads of the dynamic loader are not counted",
			 (unsigned long long)n->loader);
	if (!r->options->faults)
		put_note(to, "vfs: reads of mapped files are not seen, %s",
			 r->options->has_fentry ? "that takes another --backend" :
						  "this kernel refuses fentry");
	if (!r->options->has_io_uring)
		put_note(
			to,
			"vfs: io_uring is not seen, this kernel's events do not identify requests");
	if (!r->options->has_libaio)
		put_note(to, "vfs: libaio is not seen, this kernel has no bpf_loop()");
	if (lost_rings(r->m))
		put_note(to,
			 "app, vfs: T is an upper bound, ends of %llu ring requests were not "
			 "seen",
			 (unsigned long long)lost_rings(r->m));
}

static void group_notes(const struct report *r, const struct note_sink *to)
{
	const struct notes *n = &r->m->notes;

	if (r->uncharged)
		put_note(to,
			 "device: the io controller is not enabled in %u cgroup%s; the kernel "
			 "charges "
			 "their I/O to the parent cgroup (or see --attribution=task)",
			 r->uncharged, r->uncharged == 1 ? "" : "s");
	if (n->charged_above)
		put_note(to,
			 "device: up to %llu read%s may be missing: the kernel charged %s to a "
			 "parent "
			 "cgroup",
			 (unsigned long long)n->charged_above, n->charged_above == 1 ? "" : "s",
			 n->charged_above == 1 ? "it" : "them");
	if (n->other_groups)
		put_note(to,
			 "device: %s%llu cgroups have no row, they count in their parents and in "
			 "'(other)'; raise --max-groups",
			 n->more_groups ? "more than " : "", (unsigned long long)n->other_groups);
}

static void device_notes(const struct report *r, const struct note_sink *to)
{
	bool stacked = false;

	if (!report_has_layer(r, LAYER_DEVICE))
		return;
	for (unsigned i = 0; i < r->m->disks_n; i++)
		stacked |= r->m->disks[i].stacked && disk_is_used(&r->m->disks[i]);
	if (stacked)
		put_note(to, "device: disks marked * are stacked and not in the total");
	if (strcmp(report_charge(r), "io v2"))
		put_note(to,
			 "device: later writeback is not charged to the command (I/O attributed by "
			 "%s)",
			 report_charge(r));
	group_notes(r, to);
	if (r->m->in_flight)
		put_note(to, "device: %llu accesses in flight at the end are not counted",
			 (unsigned long long)r->m->in_flight);
}

void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg)
{
	const struct note_sink to = { note, arg };

	if (r->runs_on)
		put_note(&to, "interrupted: the command goes on, this is the result so far");
	if (r->left)
		put_note(&to, "%d process%s of the command go on; their later I/O is not counted",
			 r->left, r->left == 1 ? "" : "es");
	app_notes(r, &to);
	vfs_notes(r, &to);
	departed_note(r, &to);
	device_notes(r, &to);
}
