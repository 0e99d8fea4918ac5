// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/disks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void release_all(struct exported_disks *e)
{
	for (unsigned i = 0; i < e->n; i++) {
		free(e->all[i].name);
		free(e->all[i].labels);
	}
	free(e->all);
}

void exported_disks_release(struct exported_disks *e)
{
	release_all(e);
	free(e->absent_ns);
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

/* Returns true if the disk was removed, or has another sequence number than at its last access: the
 * kernel changes the number when the disk gets or loses its medium. Returns false if this is not
 * known, for instance because /sys is not mounted. */
static bool is_absent(const struct disk_sum *d)
{
	char *dir = need_text("/sys/block/%s", d->name), *file;
	unsigned long long now;
	bool absent = false;
	FILE *f;

	for (char *c = dir + strlen("/sys/block/"); *c; c++)
		*c = *c == '/' ? '!' : *c;
	file = need_text("%s/diskseq", dir);
	f = fopen(file, "re");
	if (f)
		absent = fscanf(f, "%llu", &now) == 1 && now != d->diskseq;
	else
		absent = access(dir, F_OK) && !access("/sys/block", F_OK);
	if (f)
		fclose(f);
	free(file);
	free(dir);
	return absent;
}

/* Returns true if disk @i of @m has been absent for @keep_ns. */
static bool has_ended(struct exported_disks *e, const struct measurement *m, unsigned i,
		      u64 keep_ns)
{
	u64 now = m->begin_ns + m->elapsed_ns;

	if (!is_absent(&m->disks[i]))
		e->absent_ns[i] = 0;
	else if (!e->absent_ns[i])
		e->absent_ns[i] = now;
	return e->absent_ns[i] && now - e->absent_ns[i] >= keep_ns;
}

static void make_room(struct exported_disks *e, unsigned n)
{
	release_all(e);
	e->all = need(calloc(n + 1, sizeof(*e->all)));
	e->n = 0;
	if (n <= e->seen_n)
		return;
	e->absent_ns = need(reallocarray(e->absent_ns, n, sizeof(*e->absent_ns)));
	memset(e->absent_ns + e->seen_n, 0, (n - e->seen_n) * sizeof(*e->absent_ns));
	e->seen_n = n;
}

/* Returns true if all disks with the name of disk @i have ended. */
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

	make_room(e, m->disks_n);
	for (unsigned i = 0; i < m->disks_n; i++) {
		struct exported_disk *d = &e->all[e->n];

		if (!*m->disks[i].name)
			continue;
		set_disk(d, &m->disks[i]);
		d->ended = has_ended(e, m, i, keep_ns);
		while (strcmp(e->all[shown[i]].name, d->name))
			shown[i]++;
		e->n++;
	}
	for (unsigned i = 0; i < m->disks_n; i++)
		if (*m->disks[i].name && name_has_ended(e, shown[i]))
			shown[i] = DISK_ENDED;
	return shown;
}
