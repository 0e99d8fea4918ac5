// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/host/cgroup-names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

/* Holes in a pattern for the path of a cgroup:
 *
 * %h	container id, 64 hexadecimal digits; the name has the first 12
 * %u	pod id, in which systemd replaces '-' by '_'
 * %s	text without '/'
 * *	text without '/' that is left out of the name */
#define ID_DIGITS 64
#define ID_SHOWN 12
#define POD_MIN 32 /* ids of static pods have 32 digits and no '-' */
#define POD_MAX 36
#define HOLES 2

/* Patterns, in the order in which they are tried; the first that matches is used. A pattern may
 * match several components of the path. */
static const struct pattern {
	const char *path;
	/* per hole, the kind printed before its text, as in "docker:0123456789ab"; if the first is
	 * "", the matched text is the name */
	const char *kinds[HOLES];
} patterns[] = {
	/* containerd with the driver "cgroupfs" under a kubelet with the driver "systemd" */
	{ "kubepods*pod%u.slice:cri-containerd:%h", { "pod", "containerd" } },
	{ "system.slice:docker:%h", { "docker" } },
	{ "docker/buildkit/%s", { "buildkit" } },
	{ "docker/%h", { "docker" } },
	{ "libpod_parent/libpod-%h", { "podman" } },
	{ "libpod_parent/%h", { "podman-pod" } },
	{ "ecs/%s/%h", { "ecs", "container" } },
	{ "docker-%h.scope", { "docker" } },
	{ "cri-containerd-%h.scope", { "containerd" } },
	{ "nerdctl-%h.scope", { "nerdctl" } },
	{ "crio-%h.scope", { "cri-o" } },
	{ "crio-%h", { "cri-o" } },
	{ "crio-conmon-%h.scope", { "crio-conmon" } },
	{ "crio-conmon-%h", { "crio-conmon" } },
	{ "libpod-%h.scope", { "podman" } },
	{ "libpod-%h", { "podman" } },
	{ "libpod-conmon-%h.scope", { "podman-conmon" } },
	{ "libpod-conmon-%h", { "podman-conmon" } },
	{ "*-libpod_pod_%h.slice", { "podman-pod" } },
	{ "*kubepods*-pod%u.slice", { "pod" } },
	{ "pod%u", { "pod" } },
	{ "%h", { "container" } },
	{ "lxc.payload.%s", { "lxc" } },
	{ "lxc.monitor.%s", { "lxc-monitor" } },
	{ "lxc/%s", { "lxc" } },
	{ "machine-qemu\\x2d%s.scope", { "qemu" } },
	{ "machine-%s.scope", { "machine" } },
	{ "systemd-nspawn@%s.service", { "machine" } },
	{ "%s.service", { "" } },
	{ "%s.scope", { "" } },
	{ "%s.socket", { "" } },
	{ "%s.mount", { "" } },
	{ "%s.swap", { "" } },
};

struct hole {
	char what; /* 'h', 'u' or 's', as in the pattern */
	const char *text;
	size_t length;
};

/* Returns the largest length that hole @what can have at the start of @text, and sets *@least to
 * the smallest. Returns 0 if there is no such hole. */
static size_t hole_length(char what, const char *text, size_t *least)
{
	size_t n;

	*least = what == '*' ? 0 : 1;
	if (what == 's' || what == '*')
		return strcspn(text, "/");
	n = strspn(text, what == 'h' ? "0123456789abcdef" : "0123456789abcdef-_");
	*least = what == 'h' ? ID_DIGITS : POD_MIN;
	if (what == 'h')
		return n == ID_DIGITS ? n : 0;
	return n <= POD_MAX ? n : 0;
}

/* Matches @pattern with the start of @text, and sets @holes to the parts of @text that stand for
 * its variable parts. The match must end at the end of a path component. Returns the length of
 * the match; 0: no match. */
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

static void print_hole(FILE *f, const struct hole *h)
{
	if (h->what == 'h') {
		fprintf(f, "%.*s", ID_SHOWN, h->text);
	} else if (h->what == 's') {
		print_unescaped(f, h->text, h->length);
	} else {
		for (size_t i = 0; i < h->length; i++)
			fputc(h->text[i] == '_' ? '-' : h->text[i], f);
	}
}

/* If a pattern matches the start of @path, prints @between and the readable name. Returns the
 * length of the match, or 0. */
static size_t print_known(FILE *f, const char *between, const char *path)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		const struct pattern *p = &patterns[i];
		struct hole holes[HOLES] = {};
		size_t length = match(p->path, path, holes);

		if (!length)
			continue;
		fputs(between, f);
		/* If the first kind is "", the matched path itself is the name, without systemd's
		 * escapes. */
		if (!p->kinds[0][0]) {
			print_unescaped(f, path, length);
			return length;
		}
		for (int h = 0; h < HOLES && holes[h].text; h++) {
			fprintf(f, "%s%s:", h ? "/" : "", p->kinds[h]);
			print_hole(f, &holes[h]);
		}
		return length;
	}
	return 0;
}

char *cgroup_name(const char *path)
{
	const char *below = NULL; /* rest of the path after the last match; NULL: no match yet */
	char *name = NULL;
	size_t size, known;
	FILE *f = need(open_memstream(&name, &size));

	while (*path) {
		path += strspn(path, "/");
		known = print_known(f, below ? "/" : "", path);
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
