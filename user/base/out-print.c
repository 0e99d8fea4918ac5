// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints JSON documents. A node is any JSON value: an object, array, string, number, boolean or
 * null. Its depth is the number of objects and arrays around it. */
#include "user/base/out-print.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"

static void print_string(FILE *f, const char *s)
{
	json_t *node = need(json_string_nocheck(s));

	json_dumpf(node, f, JSON_ENCODE_ANY);
	json_decref(node);
}

/* Prints a number, string, boolean or null. Does not use jansson for doubles, because jansson
 * prints all doubles with the same number of digits. With 17 digits, 0.1 becomes
 * 0.10000000000000001. With fewer digits, other numbers change. Prints -0 as 0, because a JSON
 * parser may drop the sign. The parsed document would then not match its hash (seal.h). */
static void print_scalar(FILE *f, json_t *node)
{
	char buf[NUM_TEXT];

	if (json_is_real(node))
		fputs(num_exact_text(buf, json_real_value(node) + 0.0), f);
	else
		json_dumpf(node, f, JSON_ENCODE_ANY);
}

static void print_node(FILE *f, json_t *node, int depth);

/* Depth of the outermost node if JSON is printed in one line, because print_break() starts no
 * new line at a negative depth. Inner nodes are deeper by 1 per level. The number is so low that
 * their depths are negative, too. */
#define ONE_LINE -1000

/* Prints the separator before an element: a newline and the indentation for @depth, or a blank if
 * @depth is negative. */
static void print_break(FILE *f, const char *comma, int depth)
{
	if (depth < 0)
		fprintf(f, "%s%s", comma, *comma ? " " : "");
	else
		fprintf(f, "%s\n%*s", comma, 2 * depth, "");
}

static void print_object(FILE *f, json_t *object, int depth)
{
	const char *key, *comma = "";
	json_t *value;

	fputc('{', f);
	json_object_foreach (object, key, value) {
		print_break(f, comma, depth + 1);
		print_string(f, key);
		fputs(": ", f);
		print_node(f, value, depth + 1);
		comma = ",";
	}
	if (*comma)
		print_break(f, "", depth);
	fputc('}', f);
}

static void print_array(FILE *f, json_t *array, int depth)
{
	const char *comma = "";
	json_t *value;
	size_t i;

	fputc('[', f);
	json_array_foreach (array, i, value) {
		print_break(f, comma, depth + 1);
		print_node(f, value, depth + 1);
		comma = ",";
	}
	if (*comma)
		print_break(f, "", depth);
	fputc(']', f);
}

static void print_node(FILE *f, json_t *node, int depth)
{
	switch (json_typeof(node)) {
	case JSON_OBJECT:
		print_object(f, node, depth);
		break;
	case JSON_ARRAY:
		print_array(f, node, depth);
		break;
	default:
		print_scalar(f, node);
	}
}

char *out_plain(const struct out *node)
{
	const json_t *of = (const json_t *)node;
	char buf[NUM_TEXT] = "";

	if (json_is_string(of))
		return need(strdup(json_string_value(of)));
	if (json_is_real(of))
		num_exact_text(buf, json_real_value(of) + 0.0);
	else if (json_is_integer(of))
		sprintf(buf, "%lld", json_integer_value(of));
	else if (json_is_boolean(of))
		strcpy(buf, json_is_true(of) ? "true" : "false");
	return need(strdup(buf));
}

void out_json(FILE *f, struct out *node)
{
	print_node(f, (json_t *)node, 0);
	fputc('\n', f);
}

void out_json_line(FILE *f, struct out *node)
{
	print_node(f, (json_t *)node, ONE_LINE);
	fputc('\n', f);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_canonical(FILE *f, json_t *node, const char *except)
{
	size_t n = json_object_size(node), i = 0;
	const char **keys, *key, *comma = "";
	json_t *value;

	if (json_is_array(node)) {
		fputc('[', f);
		json_array_foreach (node, i, value) {
			fputs(i ? "," : "", f);
			print_canonical(f, value, NULL);
		}
		fputc(']', f);
		return;
	}
	if (!json_is_object(node)) {
		print_scalar(f, node);
		return;
	}
	keys = need(malloc((n + 1) * sizeof(*keys)));
	json_object_foreach (node, key, value)
		keys[i++] = key;
	qsort(keys, n, sizeof(*keys), compare_keys);
	fputc('{', f);
	for (i = 0; i < n; i++) {
		if (except && !strcmp(keys[i], except))
			continue;
		fputs(comma, f);
		print_string(f, keys[i]);
		fputc(':', f);
		print_canonical(f, json_object_get(node, keys[i]), NULL);
		comma = ",";
	}
	fputc('}', f);
	free(keys);
}

char *out_canonical(const struct out *node, const char *except)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	print_canonical(f, (json_t *)node, except);
	if (fclose(f))
		need(NULL);
	return need(text);
}

/* Returns true if @f is a pipe or socket without a reader. */
static bool is_unread(FILE *f)
{
	struct pollfd p = { .fd = fileno(f), .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && p.revents & POLLERR;
}

int out_finish(FILE *f, const char *name)
{
	/* If an earlier write failed, its errno is lost. fflush() usually fails again for the same
	 * reason, and sets errno. */
	errno = 0;
	if (fflush(f) == 0 && !ferror(f))
		return 0;
	if (is_unread(f))
		errno = EPIPE;
	if (!errno)
		errno = EIO;
	if (f == stdout && errno == EPIPE)
		return -EPIPE;
	return error(-errno, "cannot write to '%s': %s", name, strerror(errno));
}
