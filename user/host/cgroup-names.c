// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes readable names of cgroups, such as "docker:web", from their paths. A pattern describes
 * the path of a container, pod or systemd unit. A hole is a variable part of a pattern, such as
 * an id. */
#include "user/host/cgroup-names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

/* A pattern for the path of a cgroup has variable parts, the holes. Each kind matches:
 *
 * %h	container id, 64 hexadecimal digits; the readable name has the first 12
 * %i	id of 64 hexadecimal digits for which no name is looked up, such as a Podman pod's id
 * %u	pod id, in which systemd replaces '-' by '_'
 * %n	name of a container or machine, text without '/'
 * %s	text without '/'
 * *	text without '/' that the readable name leaves out */
#define ID_SHOWN 12
#define HOLES 2

/* Patterns, in the order in which they are tried; the first that matches is used. A pattern may
 * match several components of the path. */
static const struct pattern {
	const char *path;
	/* kinds[i]: word that stands in the readable name before the text of hole i, such as
	 * "docker" in "docker:0123456789ab". If kinds[0] is "", the matched path itself is the
	 * readable name. */
	const char *kinds[HOLES];
} patterns[] = {
	/* path if the kubelet uses the cgroup driver "systemd", but containerd uses "cgroupfs" */
	{ "kubepods*pod%u.slice:cri-containerd:%h", { "pod", "containerd" } },
	{ "system.slice:docker:%h", { "docker" } },
	{ "docker/buildkit/%s", { "buildkit" } },
	{ "docker/%h", { "docker" } },
	{ "libpod_parent/libpod-%h", { "podman" } },
	{ "libpod_parent/%i", { "podman-pod" } },
	{ "ecs/%s/%h", { "ecs", "container" } },
	{ "docker-%h.scope", { "docker" } },
	{ "cri-containerd-%h.scope", { "containerd" } },
	{ "nerdctl-%h.scope", { "nerdctl" } },
	{ "crio-%h.scope", { "cri-o" } },
	{ "crio-%h", { "cri-o" } },
	{ "crio-conmon-%i.scope", { "crio-conmon" } },
	{ "crio-conmon-%i", { "crio-conmon" } },
	{ "libpod-%h.scope", { "podman" } },
	{ "libpod-%h", { "podman" } },
	{ "libpod-conmon-%i.scope", { "podman-conmon" } },
	{ "libpod-conmon-%i", { "podman-conmon" } },
	{ "*-libpod_pod_%i.slice", { "podman-pod" } },
	{ "*kubepods*-pod%u.slice", { "pod" } },
	{ "pod%u", { "pod" } },
	{ "%h", { "container" } },
	{ "lxc.payload.%n", { "lxc" } },
	{ "lxc.monitor.%s", { "lxc-monitor" } },
	{ "lxc/%n", { "lxc" } },
	{ "machine-qemu\\x2d%s.scope", { "qemu" } },
	{ "machine-%n.scope", { "machine" } },
	{ "systemd-nspawn@%n.service", { "machine" } },
	{ "user-%s.slice/user@*.service", { "user" } },
	{ "user-%s.slice", { "user" } },
	{ "%s.service", { "" } },
	{ "%s.scope", { "" } },
	{ "%s.socket", { "" } },
	{ "%s.mount", { "" } },
	{ "%s.swap", { "" } },
};

struct hole {
	char what; /* kind of the hole: the letter after % in the pattern */
	const char *text;
	size_t length;
};

/* Sets *@least to the smallest number of bytes at the start of @text that can fill a hole of kind
 * @what. Returns the largest such number, or 0 if @text cannot fill the hole. */
static size_t hole_length(char what, const char *text, size_t *least)
{
	size_t n;

	*least = what == '*' ? 0 : 1;
	if (what != 'h' && what != 'i' && what != 'u')
		return strcspn(text, "/");
	n = strspn(text, what == 'u' ? "0123456789abcdef-_" : "0123456789abcdef");
	*least = what == 'u' ? CGROUP_POD_ID_MIN : CGROUP_CONTAINER_ID;
	if (what == 'u')
		return n <= CGROUP_POD_ID_MAX ? n : 0;
	return n == CGROUP_CONTAINER_ID ? n : 0;
}

/* Matches @pattern with the start of @text. Sets @holes to the parts of @text that match the holes
 * of the pattern. The match must end at the end of a path component. Returns the length of the
 * match; 0: no match. */
static size_t match(const char *pattern, const char *text, struct hole *holes)
{
	const char *begin = text;
	size_t least, most, rest;
	char what;

	while (*pattern && *pattern != '%' && *pattern != '*' && *pattern == *text) {
		pattern++;
		text++;
	}
	if (!*pattern)
		return !*text || *text == '/' ? text - begin : 0;
	if (*pattern != '%' && *pattern != '*')
		return 0;
	what = *pattern == '%' ? pattern[1] : '*';
	most = hole_length(what, text, &least);
	pattern += what == '*' ? 1 : 2;
	for (size_t n = most + 1; n-- > least;) {
		if (!*pattern && (!text[n] || text[n] == '/'))
			rest = 0;
		else
			rest = match(pattern, text + n, holes + (what != '*'));
		if (*pattern ? !rest : text[n] && text[n] != '/')
			continue;
		if (what != '*')
			*holes = (struct hole){ what, text, n };
		return text + n + rest - begin;
	}
	return 0;
}

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Prints @text, with systemd's escapes decoded, such as \x2d to '-'. */
static void print_unescaped(FILE *f, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool escape = i + 3 < length && text[i] == '\\' && text[i + 1] == 'x' &&
			isxdigit((unsigned char)text[i + 2]) &&
			isxdigit((unsigned char)text[i + 3]);
		int c = escape ? hex_digit(text[i + 2]) << 4 | hex_digit(text[i + 3]) : text[i];

		/* a character that cannot be printed stays escaped */
		if (escape && (c < ' ' || c >= 0x7f)) {
			escape = false;
			c = text[i];
		}
		fputc(c, f);
		i += escape ? 3 : 0;
	}
}

/* Names that are printed instead of ids, for the first container in the path and for the pod of
 * this container. Ids further down in the path get no names, because the container itself may have
 * chosen these ids. */
struct given_names {
	const char *pod; /* "NAMESPACE/POD", of pod_length bytes */
	const char *container;
	size_t pod_length;
};

static struct given_names given_names(const char *names)
{
	const char *slash = strrchr(names, '/');
	struct given_names g = { .container = slash ? slash + 1 : "" };

	if (slash && *names != '/') {
		g.pod = names;
		g.pod_length = slash - names;
	}
	return g;
}

static void copy_pod_id(char *to, const struct hole *h)
{
	for (size_t i = 0; i < h->length; i++)
		to[i] = h->text[i] == '_' ? '-' : h->text[i];
	to[h->length] = '\0';
}

static void print_hole(FILE *f, const struct hole *h, struct given_names *names)
{
	char id[CGROUP_POD_ID_MAX + 1];

	if (h->what == 'h' && *names->container) {
		fputs(names->container, f);
	} else if (h->what == 'h' || h->what == 'i') {
		fprintf(f, "%.*s", ID_SHOWN, h->text);
	} else if (h->what == 'u' && names->pod) {
		fprintf(f, "%.*s", (int)names->pod_length, names->pod);
	} else if (h->what == 'u') {
		copy_pod_id(id, h);
		fputs(id, f);
	} else {
		print_unescaped(f, h->text, h->length);
	}
	if (h->what == 'u' || h->what == 'h')
		names->pod = NULL;
	if (h->what == 'h')
		names->container = "";
}

/* Returns the pattern that matches the start of @path, or NULL. Sets @holes, and *@length to the
 * length of the match. */
static const struct pattern *find_pattern(const char *path, struct hole holes[HOLES],
					  size_t *length)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		memset(holes, 0, HOLES * sizeof(*holes));
		*length = match(patterns[i].path, path, holes);
		if (*length)
			return &patterns[i];
	}
	return NULL;
}

/* If a pattern matches the start of @path, prints @between and then the readable name of the
 * matched part. Returns the length of the match, or 0. */
static size_t print_known(FILE *f, const char *between, const char *path, struct given_names *names)
{
	struct hole holes[HOLES];
	size_t length;
	const struct pattern *p = find_pattern(path, holes, &length);

	if (!p)
		return 0;
	fputs(between, f);
	/* Patterns of systemd units have "" in kinds[0]. Their readable name is the matched path,
	 * with systemd's escapes decoded. */
	if (!p->kinds[0][0]) {
		print_unescaped(f, path, length);
		return length;
	}
	for (int h = 0; h < HOLES && holes[h].text; h++) {
		fprintf(f, "%s%s:", h ? "/" : "", p->kinds[h]);
		print_hole(f, &holes[h], names);
	}
	return length;
}

char *cgroup_name(const char *path, const char *names)
{
	const char *below = NULL; /* rest of the path after the last match; NULL: no match yet */
	struct given_names given = given_names(names);
	char *name = NULL;
	size_t size, known;
	FILE *f = need(open_memstream(&name, &size));

	while (*path) {
		path += strspn(path, "/");
		known = print_known(f, below ? "/" : "", path, &given);
		path += known ? known : strcspn(path, "/");
		if (known)
			below = path;
	}
	if (below)
		fputs(below, f);
	fclose(f);
	if (below)
		return name;
	free(name);
	return NULL;
}

/* ---- ids of pods and containers, from the path of a cgroup ---- */

/* Stores the text of hole @h in @ids if it is the id of the first pod, or the id or name of a
 * container. Returns true if it belongs to a container. The caller then stops, because ids further
 * down in the path are not used. */
static bool take_id(struct cgroup_ids *ids, const struct hole *h)
{
	char *name = NULL;
	size_t size;
	FILE *f;

	if (h->what == 'u' && !*ids->pod)
		copy_pod_id(ids->pod, h);
	if (h->what == 'h')
		memcpy(ids->container, h->text, h->length);
	if (h->what != 'n')
		return h->what == 'h';
	f = need(open_memstream(&name, &size));
	print_unescaped(f, h->text, h->length);
	fclose(f);
	need(name);
	snprintf(ids->name, sizeof(ids->name), "%s", name);
	free(name);
	return true;
}

static bool take_ids(struct cgroup_ids *ids, const struct hole holes[HOLES])
{
	bool done = false;

	for (int h = 0; h < HOLES && holes[h].text && !done; h++)
		done = take_id(ids, &holes[h]);
	return done;
}

struct cgroup_ids cgroup_ids(const char *path)
{
	struct cgroup_ids ids = {};
	/* end of the path component with the id of the container or, if there is no container, of
	 * the pod */
	const char *end = NULL;
	struct hole holes[HOLES];
	size_t length;
	int after = 0;

	ids.has_user = sscanf(path, "/user.slice/user-%u.slice/%n", &ids.uid, &after) == 1 && after;
	while (*path) {
		bool known, done = false;

		path += strspn(path, "/");
		known = find_pattern(path, holes, &length);
		done = known && take_ids(&ids, holes);
		path += known ? length : strcspn(path, "/");
		if (done || (*ids.pod && !end))
			end = path;
		if (done)
			break;
	}
	ids.below = end && *end;
	return ids;
}

const char *const cgroup_names_parts[CGROUP_NAMES_PARTS + 1] = {
	[CGROUP_NAMESPACE] = "namespace",
	[CGROUP_POD] = "pod",
	[CGROUP_CONTAINER] = "container",
};

char *cgroup_names_part(const char *path, const char *names, enum cgroup_names_part part)
{
	struct cgroup_ids ids = cgroup_ids(path);
	const char *at = names;

	if (ids.below)
		return need(strdup(""));
	for (int i = 0; i < (int)part && *at; i++)
		at += strcspn(at, "/") + (strchr(at, '/') != NULL);
	if (part == CGROUP_CONTAINER && !*at)
		return need(strndup(ids.container, ID_SHOWN));
	return need(strndup(at, strcspn(at, "/")));
}
