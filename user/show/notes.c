// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the notes of a report: sentences about facts that change the meaning of a number. A limit
 * is a note that applies to all measurements on this machine. The preloaded library counts the
 * calls of a program for the app layer. */
#include "user/show/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "user/base/control.h"
#include "user/base/num.h"
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
	disarm(text); /* program names may have control characters */
	to->note(to->arg, text);
}

/* Adds a note that @n of @all programs could not load the preloaded library, unless @n is 0. @what
 * is the reason. @name is the first of these programs. */
static void note_programs(const struct note_sink *to, u64 n, u64 all, const char *what,
			  const char *name)
{
	if (n)
		put_note(to, "app: %llu of %llu program%s not seen, %s (first: %.32s)",
			 (unsigned long long)n, (unsigned long long)all, num_word(all, "", "s"),
			 what, name);
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
		put_note(to, "app: %llu of %llu program%s not seen, without libiospan.so",
			 (unsigned long long)(n->dynamic - r->m->app_programs),
			 (unsigned long long)all, num_word(all, "", "s"));
}

static bool is_lost_ring(const char *name)
{
	return !strcmp(name, "ring_completions") || !strcmp(name, "ring_unlisted") ||
		!strcmp(name, "aio_events");
}

/* Returns the number of io_uring and libaio requests for which iospan did not see the
 * completion. */
static u64 lost_rings(const struct measurement *m)
{
	u64 n = 0;

	for (const struct loss *l = m->losses; l->name; l++)
		if (is_lost_ring(l->name))
			n += l->n;
	return n;
}

/* Adds a note if processes left the command's cgroup. The vfs and device layers do not see their
 * later I/O. If device I/O is attributed by blkio (cgroup v1), the note does not name the device
 * layer: a process that left the v2 cgroup may still be in the command's blkio cgroup. */
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
	u64 rings = lost_rings(r->m);

	if (!report_has_layer(r, LAYER_VFS))
		return;
	if (n->compat)
		put_note(to, "vfs: system calls of 32-bit programs are not seen");
	if (!r->options->has_io_uring)
		put_note(
			to,
			"vfs: io_uring is not seen, this kernel's events do not identify requests");
	if (!r->options->has_libaio)
		put_note(to, "vfs: libaio is not seen, this kernel has no bpf_loop()");
	if (rings)
		put_note(to,
			 "app, vfs: T is an upper bound, iospan did not see the end of %llu ring "
			 "request%s",
			 (unsigned long long)rings, rings == 1 ? "" : "s");
}

/* Returns the number of accesses of @op on all disks, or their bytes. */
static u64 device_total(const struct measurement *m, enum op op, bool bytes)
{
	u64 sum = 0;

	for (unsigned i = 0; i < m->disks_n; i++)
		if (!m->disks[i].stacked)
			sum += bytes ? m->disks[i].ops[op].row.bytes :
				       m->disks[i].ops[op].row.accesses;
	return sum;
}

/* Returns true if less than 1 % of the reads may be missing because the kernel charged them to a
 * parent cgroup. */
static bool few_charged_above(const struct measurement *m)
{
	return m->notes.charged_above < device_total(m, OP_READ, false) / 100;
}

/* The kernel charged some reads to a parent cgroup. They may be reads of another program that a
 * task of the command issued. So the note says only that the command's numbers may lack them. */
static void note_charged_above(const struct measurement *m, const struct note_sink *to)
{
	u64 n = m->notes.charged_above, reads = device_total(m, OP_READ, false);

	if (n)
		put_note(to,
			 "device: besides %llu read%s counted, up to %llu may be missing: the "
			 "kernel charged %s to a parent cgroup; another program may have made %s",
			 (unsigned long long)reads, num_word(reads, "", "s"), (unsigned long long)n,
			 num_word(n, "it", "them"), num_word(n, "it", "them"));
}

static void group_notes(const struct report *r, const struct note_sink *to)
{
	const struct notes *n = &r->m->notes;

	if (r->uncharged)
		put_note(to,
			 "device: the io controller is not enabled in %u cgroup%s; the kernel "
			 "charges "
			 "their I/O to the parent cgroup (or see --attribution=task)",
			 r->uncharged, num_word(r->uncharged, "", "s"));
	if (!few_charged_above(r->m))
		note_charged_above(r->m, to);
	if (n->other_groups)
		put_note(to,
			 "device: %s%llu cgroup%s without a row: the I/O counts in the parents and "
			 "in "
			 "'(other)'; raise --max-groups",
			 n->more_groups ? "more than " : "", (unsigned long long)n->other_groups,
			 num_word(n->other_groups, "", "s"));
}

static bool is_whole_machine(const struct report *r)
{
	return r->everybody && !r->attached;
}

/* The device layer misses writeback by kernel threads, unless the kernel charges it to a cgroup (io
 * controller of cgroup v2). Returns a phrase for the part of the report that lacks this writeback,
 * such as "the command" or "the cgroups". Returns NULL if nothing is missed. */
static const char *misses_writeback(const struct report *r)
{
	if (!report_has_layer(r, LAYER_DEVICE) || !strcmp(report_charge(r), "io v2"))
		return NULL;
	if (!is_whole_machine(r))
		return r->attached ?: "the command";
	if (r->options->per_process)
		return "the processes";
	return r->options->per_cgroup ? "the cgroups" : NULL;
}

/* Returns true if kernel threads probably wrote dirty pages for the command, and the device
 * layer did not see these writes. If the vfs layer is measured, its written bytes must exceed
 * those of the device layer. A report of the whole machine misses no writeback. */
static bool writes_late(const struct report *r)
{
	u64 device = device_total(r->m, OP_WRITE, true);

	return misses_writeback(r) && !is_whole_machine(r) &&
		(!report_has_layer(r, LAYER_VFS) || r->m->vfs_ops[OP_WRITE].row.bytes > device);
}

static void note_writeback(const struct report *r, const struct note_sink *to)
{
	put_note(to,
		 "device: writeback by kernel threads is not charged to %s (I/O attributed by %s)",
		 misses_writeback(r), report_charge(r));
}

bool has_stacked(const struct measurement *m)
{
	bool any = false;

	for (unsigned i = 0; i < m->disks_n; i++)
		any |= m->disks[i].stacked && disk_is_used(&m->disks[i]);
	return any;
}

bool has_only_stacked(const struct measurement *m)
{
	return has_stacked(m) && !m->layers[LAYER_DEVICE].row.accesses;
}

static void stacked_notes(const struct report *r, const struct note_sink *to)
{
	const char *rows = "";

	if (r->options->per_cgroup)
		rows = r->options->per_process ? ", nor in the rows of processes" :
						 ", nor in the rows of cgroups";
	if (has_stacked(r->m))
		put_note(to, STACKED_NOTE "%s", rows);
	if (has_only_stacked(r->m))
		put_note(to, ONLY_STACKED_NOTE);
}

static void device_notes(const struct report *r, const struct note_sink *to)
{
	if (!report_has_layer(r, LAYER_DEVICE))
		return;
	if (r->options->disks)
		put_note(to, "device: only the disks that match '%s' are measured",
			 r->options->disks);
	stacked_notes(r, to);
	if (writes_late(r))
		note_writeback(r, to);
	group_notes(r, to);
	if (r->m->in_flight)
		put_note(to, "device: %llu access%s in flight at the end %s not counted",
			 (unsigned long long)r->m->in_flight, num_word(r->m->in_flight, "", "es"),
			 num_word(r->m->in_flight, "is", "are"));
}

void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg)
{
	const struct note_sink to = { note, arg };

	if (r->runs_on)
		put_note(
			&to,
			"interrupted: the command still runs; the result ends at the interruption");
	if (r->left)
		put_note(&to,
			 "%d process%s of the command %s still running; later I/O is not counted",
			 r->left, num_word(r->left, "", "es"), num_word(r->left, "is", "are"));
	if (r->hierarchy)
		put_note(&to, "%s", r->hierarchy);
	if (r->no_pressure)
		put_note(&to, "%s", r->no_pressure);
	app_notes(r, &to);
	vfs_notes(r, &to);
	departed_note(r, &to);
	device_notes(r, &to);
}

void report_limits(const struct report *r, void (*note)(void *arg, const char *text), void *arg)
{
	const struct note_sink to = { note, arg };

	if (report_has_layer(r, LAYER_VFS) && r->m->notes.loader)
		put_note(&to, "vfs: %llu read%s of the dynamic loader not counted",
			 (unsigned long long)r->m->notes.loader,
			 num_word(r->m->notes.loader, "", "s"));
	if (report_has_layer(r, LAYER_VFS) && !r->options->faults)
		put_note(&to, "vfs: reads of mapped files are not seen, %s",
			 r->options->has_fentry ? "that takes another --backend" :
						  "this kernel refuses fentry");
	if (misses_writeback(r) && !writes_late(r))
		note_writeback(r, &to);
	if (report_has_layer(r, LAYER_DEVICE) && few_charged_above(r->m))
		note_charged_above(r->m, &to);
}
