// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/trace/unmatched.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/host/dev.h"
#include "user/host/host.h"

#define SHOWN 8

void present_add(struct present *p, const char *name)
{
	char *before = p->list;

	if (p->n++ >= SHOWN)
		return;
	p->list = before ? need_text("%s, %s", before, name) : need(strdup(name));
	free(before);
}

char *unmatched_text(struct present *p, const char *what, const char *wanted)
{
	char more[32] = "", *text;

	if (p->n > SHOWN)
		snprintf(more, sizeof(more), " and %u more", p->n - SHOWN);
	text = need_text("no %s matches '%s'; present: %s%s", what, wanted, p->list ?: "none",
			 more);
	free(p->list);
	*p = (struct present){};
	return text;
}

struct disks {
	const char *wanted;
	struct present present;
	bool matched;
};

static void look_at_disk(void *arg, const char *name, u32 dev)
{
	struct disks *d = arg;
	const struct trace_name n = { .kind = TRACE_DISK, .id = dev, .text = name };
	char size[32];

	d->matched |= trace_name_matches(&n, d->wanted);
	if (host_line(size, sizeof(size), "/sys/block/%s/size", name) && strcmp(size, "0"))
		present_add(&d->present, name);
}

char *unmatched_disks(const char *wanted)
{
	struct disks d = { .wanted = wanted };

	dev_each(look_at_disk, &d);
	if (!d.matched)
		return unmatched_text(&d.present, "device", wanted);
	free(d.present.list);
	return NULL;
}

void unmatched_warn_start(const struct trace_filter *f)
{
	const char *wanted = f->text[TRACE_DISK];
	char *text = wanted ? unmatched_disks(wanted) : NULL;

	if (text)
		warn("%s", text);
	free(text);
}

void unmatched_warn_end(const struct trace_filter *f, const u64 accesses[LAYERS])
{
	bool some = false;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		some |= f->text[kind] != NULL;
	for (u32 layer = 0; layer < LAYERS; layer++)
		some &= !accesses[layer];
	if (some)
		warn("no access matches the filters");
}
