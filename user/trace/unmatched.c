// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the message for a user's filter that matches nothing, with similar names that exist. */
#include "user/trace/unmatched.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/nearest.h"
#include "user/base/need.h"
#include "user/base/words.h"
#include "user/host/dev.h"
#include "user/host/host.h"

#define SHOWN 8

void present_add(struct present *p, const char *name)
{
	/* Many processes have the same name. The message shows only the first SHOWN names, so only
	 * these must differ from each other. */
	for (u32 i = 0; i < p->n && i < SHOWN; i++)
		if (!strcmp(p->names[i], name))
			return;
	p->names = need_index(p->names, &p->room, p->n + 1, sizeof(*p->names));
	p->names[p->n++] = need(strdup(name));
}

void present_free(struct present *p)
{
	for (u32 i = 0; i < p->n; i++)
		free(p->names[i]);
	free(p->names);
	*p = (struct present){};
}

/* Returns a pattern similar to @pattern that matches a name in @p; NULL: there is none. The caller
 * frees it. */
static char *similar(const struct present *p, const char *pattern)
{
	const char **words = need(calloc(p->n + 1, sizeof(*words)));
	char *path = need_text("*/%s", pattern), *found = NULL;
	const char *near;

	for (u32 i = 0; i < p->n; i++) {
		const char *slash = strrchr(p->names[i], '/');

		words[i] = slash && !strchr(pattern, '/') ? slash + 1 : p->names[i];
		if (!found && !fnmatch(path, p->names[i], 0))
			found = need(strdup(path));
	}
	free(path);
	near = found ? NULL : nearest_word(words, pattern, strlen(pattern));
	found = near ? need(strdup(near)) : found;
	free(words);
	return found;
}

static char *similar_to_list(const struct present *p, const char *list)
{
	char *pattern, *found = NULL;

	while (!found && (pattern = words_item(&list))) {
		found = similar(p, pattern);
		free(pattern);
	}
	return found;
}

static char *listed(const struct present *p)
{
	u32 n = p->n < SHOWN ? p->n : SHOWN;
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	for (u32 i = 0; i < n; i++)
		fprintf(f, "%s%s", i ? ", " : "", p->names[i]);
	if (p->n > n)
		fprintf(f, " and %u more", p->n - n);
	fputs(n ? "" : "none", f);
	fclose(f);
	return need(text);
}

char *unmatched_text(struct present *p, const char *what, const char *wanted)
{
	char *near = similar_to_list(p, wanted), *names = listed(p), *text;

	text = need_text("no %s matches '%s'; %s%s%spresent: %s", what, wanted,
			 near ? "did you mean '" : "", near ?: "", near ? "'? " : "", names);
	free(near);
	free(names);
	present_free(p);
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
	present_free(&d.present);
	return NULL;
}

void unmatched_warn_disks(const char *list)
{
	char *pattern, *text;

	while ((pattern = words_item(&list))) {
		text = unmatched_disks(pattern);
		if (text)
			warn("%s", text);
		free(text);
		free(pattern);
	}
}

void unmatched_warn_end(const struct trace_filter *f, const u64 accesses[LAYERS])
{
	char *filters = NULL;
	size_t size;
	FILE *to = need(open_memstream(&filters, &size));
	bool some = false;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (f->text[kind])
			fprintf(to, "%s%s '%s'", ftell(to) ? ", " : "", trace_kind_names[kind],
				f->text[kind]);
	fclose(to);
	for (u32 layer = 0; layer < LAYERS; layer++)
		some |= accesses[layer] > 0;
	need(filters);
	if (!some && *filters)
		warn("no access matches the filters: %s", filters);
	free(filters);
}
