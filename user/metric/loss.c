// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of the losses: events that were not measured, or measured only in part. */
#include "user/metric/loss.h"

#include <stdbool.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/out-read.h"

/* The layer and the sentence of each loss. If the layer is LAYERS, the loss may concern several
 * layers. "access[|es]" stands for the singular "access" and the plural "accesses". The losses at
 * the end of the list come from importers, which read traces of other programs. */
static const struct {
	const char *name;
	enum layer layer;
	const char *text;
} losses[] = {
	{ "completions", LAYER_DEVICE,
	  "device completion[|s] never seen (T repaired: the end[|s] [is|are] estimated)" },
	{ "issues", LAYER_DEVICE, "device access[|es] with an unseen start" },
	{ "requeues", LAYER_DEVICE,
	  "device request[|s] requeued unseen: the wait counts as busy time" },
	{ "nested", LAYER_DEVICE,
	  "device completion[|s] during another one's interrupt: without latency" },
	{ "no_slot", LAYER_DEVICE, "device access[|es] not followed: too many tags" },
	{ "no_cell", LAYER_DEVICE, "device access[|es] not counted: too many disks" },
	{ "no_group_cell", LAYER_DEVICE,
	  "device access[|es] missing in the row of the cgroup: too many disks and cgroups" },
	{ "no_pending", LAYERS, "bio[|s] or ring request[|s] not followed: table full" },
	{ "no_storage", LAYER_VFS, "call[|s] not counted: no memory in the kernel" },
	{ "call_ends", LAYER_VFS, "call[|s] not counted: [its|their] end was not seen" },
	{ "span_updates", LAYERS, "update[|s] of a span given up" },
	{ "ring_completions", LAYER_VFS, "io_uring completion[|s] never seen" },
	{ "aio_events", LAYER_VFS, "libaio event[|s] never seen (fetched in user space)" },
	{ "aio_batch", LAYER_VFS,
	  "libaio request[|s] not followed: more than 1024 in one call, or not in memory" },
	{ "vectors", LAYER_VFS,
	  "failed or lost request[|s] with fewer bytes than requested: not all vectors were read" },
	{ "ring_killed", LAYER_VFS, "io_uring or libaio request[|s] of programs that died" },
	{ "ring_unlisted", LAYER_VFS,
	  "io_uring completion[|s] not found: the queue was full, and too many requests had one "
	  "user_data" },
	{ "app_no_slot", LAYER_APP, "call[|s] not counted: too many threads in calls" },
	{ "app_killed", LAYER_APP, "call[|s] cut short by a jump or the end of the thread" },
	{ "app_seccomp", LAYER_APP,
	  "call[|s] not counted: seccomp forbids a system call that this needs" },
	{ "app_unbound", LAYER_APP,
	  "librar[y|ies] loaded with RTLD_DEEPBIND or by dlmopen(): [its|their] calls are not "
	  "seen" },
	{ "app_async", LAYER_APP, "asynchronous call[|s] of MPI-IO or POSIX AIO, not timed" },
	{ "lane_records", LAYER_APP,
	  "app access[|es] not recorded: the programs made them faster than iospan stores them; "
	  "--buffer does not help" },
	{ "app_records", LAYER_APP,
	  "app access[|es] not recorded: no room in the rings; raise --buffer" },
	{ "app_refused", LAYER_APP,
	  "app access[|es] not recorded: times or data are impossible, or were not complete" },
	{ "vfs_records", LAYER_VFS,
	  "vfs access[|es] not recorded: no room in the rings; raise --buffer" },
	{ "open_records", LAYERS,
	  "open[|s] or close[|s] of files not recorded: no room in the rings; raise --buffer" },
	{ "device_records", LAYER_DEVICE,
	  "device access[|es] not recorded: no room in the rings; raise --buffer" },
	{ "name_records", LAYERS,
	  "name[|s] of processes or files not recorded: no room in the rings; raise --buffer" },
	{ "names", LAYERS, "access[|es] recorded without process or file: too many of them" },
	{ "late_bios", LAYER_DEVICE,
	  "time[|s] that disks without requests were added during the measurement; their first "
	  "accesses are missing" },
	{ "missed_runs", LAYERS, "run[|s] of our programs left out by the kernel" },
	{ "bad_lines", LAYERS, "line[|s] could not be read and [was|were] skipped" },
	{ "completions_unmatched", LAYERS, "completion[|s] without an issue event" },
	{ "issues_unmatched", LAYERS, "access[|es] without a completion event" },
	{ "given_up", LAYERS, "access[|es] given up: too many were in flight" },
	{ "recorder_skips", LAYERS, "time[|s] that blktrace lost events" },
};

/* Chooses the singular or plural of each "[one|many]" in @text. */
static void choose(char *text, bool is_one)
{
	bool drop = false, choice = false;
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '[')
			choice = true, drop = !is_one;
		else if (choice && *from == '|')
			drop = is_one;
		else if (*from == ']')
			choice = drop = false;
		else if (!drop)
			*to++ = *from;
	}
	*to = '\0';
}

enum layer loss_layer(const char *name)
{
	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		if (!strcmp(losses[i].name, name))
			return losses[i].layer;
	return LAYERS;
}

u64 loss_device_accesses(const struct out *doc)
{
	u64 n = 0;

	out_get_u64(out_get(out_get(doc, "layers"), "device"), "accesses", &n);
	return n;
}

bool loss_is_small(const char *name, u64 n, u64 accesses)
{
	return !strcmp(name, "completions") && n < accesses / 100.0;
}

bool loss_removes_accesses(const char *name)
{
	static const char *const keep[] = {
		"completions",	 "issues",	 "requeues",	     "nested",
		"no_group_cell", "span_updates", "ring_completions", "aio_events",
		"vectors",	 "open_records", "name_records",     "names",
		"missed_runs",
	};

	for (size_t i = 0; i < sizeof(keep) / sizeof(*keep); i++)
		if (!strcmp(name, keep[i]))
			return false;
	return true;
}

bool loss_is_of_recordings(const char *name)
{
	return strstr(name, "_records") || !strcmp(name, "app_refused") || !strcmp(name, "names");
}

char *loss_text(const char *name, u64 n)
{
	char *text;

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		if (strcmp(losses[i].name, name))
			continue;
		text = need_text("%llu %s", (unsigned long long)n, losses[i].text);
		choose(text, n == 1);
		return text;
	}
	/* a trace of another program, or of another version of iospan, may have losses that this
	 * version does not know */
	return need_text("%s: %llu", name, (unsigned long long)n);
}
