// SPDX-License-Identifier: GPL-2.0-or-later
/* The disks of the exporter. A disk is absent if it was removed, or if it has lost its medium. */
#include "user/exporter/disks.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/exporter/openmetrics.h"
#include "user/host/dev.h"

static char *device_label(const char *value)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	label_put(f, true, "device", value);
	fclose(f);
	return need(text);
}

static void clear_disk(struct exported_disk *d)
{
	free(d->name);
	free(d->labels);
	d->name = d->labels = NULL;
}

void exported_disks_release(struct exported_disks *e)
{
	for (u32 i = 0; i < e->room; i++)
		clear_disk(&e->all[i]);
	free(e->all);
}

static void set_disk(struct exported_disk *to, const struct disk_sum *from)
{
	char number[DEV_TEXT];

	to->name = device_label(from->name);
	to->labels = need_text("%s,dev=\"%s\",stacked=\"%s\"", to->name,
			       dev_text(number, from->dev), from->stacked ? "yes" : "no");
	exported_sum_set(&to->sum, &from->all);
	to->shared_ns = from->shared_ns;
}

/* Returns true if disk @d has been absent for @keep_ns. @from is the same disk in the measurement.
 * @now is the time of the update. */
static bool has_ended(struct exported_disk *d, const struct disk_sum *from, u64 now, u64 keep_ns)
{
	if (!dev_is_absent(from->name, from->diskseq))
		d->absent_ns = 0;
	else if (!d->absent_ns)
		d->absent_ns = now;
	return d->absent_ns && now - d->absent_ns >= keep_ns;
}

/* Returns true if no disk with the name of disk @i has series any more. */
static bool name_has_ended(const struct exported_disks *e, unsigned i)
{
	for (unsigned k = 0; k < e->n; k++)
		if (!e->all[k].ended && !strcmp(e->all[k].name, e->all[i].name))
			return false;
	return true;
}

unsigned *exported_disks_update(struct exported_disks *e, const struct measurement *m, u64 keep_ns)
{
	unsigned *shown = need(calloc(m->disks_n + 1, sizeof(*shown)));

	e->n = m->disks_n;
	for (unsigned i = 0; i < e->n; i++) {
		const struct disk_sum *from = &m->disks[i];
		struct exported_disk *d;

		e->all = need_index(e->all, &e->room, i, sizeof(*e->all));
		d = &e->all[i];
		clear_disk(d);
		d->ended = true;
		if (!*from->name)
			continue;
		set_disk(d, from);
		d->ended = has_ended(d, from, m->begin_ns + m->elapsed_ns, keep_ns);
		while (!e->all[shown[i]].name || strcmp(e->all[shown[i]].name, d->name))
			shown[i]++;
	}
	for (unsigned i = 0; i < e->n; i++)
		if (!e->all[i].name || name_has_ended(e, shown[i]))
			shown[i] = DISK_ENDED;
	return shown;
}
