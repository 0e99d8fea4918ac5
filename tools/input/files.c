// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the files of a trace: PATH, PATH.1, PATH.2 and so on. The recorder may have removed the
 * oldest files. */
#include <stdlib.h>
#include <sys/stat.h>

#include "user/base/err.h"
#include "user/trace/file.h"
#include "tools/input/input.h"

static bool is_one_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns true if a trace in @others already has the file. A pattern such as trace* also matches
 * trace.1, which must not be read twice. */
static bool is_listed(const char *path, const struct input_trace *others, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < others[i].files_n; k++)
			if (is_one_file(others[i].files[k], path))
				return true;
	return false;
}

static void add_file(struct input_trace *t, char *path)
{
	t->files = need(reallocarray(t->files, t->files_n + 1, sizeof(*t->files)));
	t->files[t->files_n++] = path;
}

void input_trace_find(struct input_trace *t, const char *path, const struct input_trace *others,
		      u32 n)
{
	size_t numbers_n;
	u32 *numbers = trace_file_numbers(path, &numbers_n);
	struct stat st;
	bool exists = !stat(path, &st);

	if (exists && is_listed(path, others, n)) {
		free(numbers);
		return;
	}
	if (exists || !numbers_n)
		add_file(t, trace_file_path(path, 0));
	for (size_t i = 0; i < numbers_n; i++)
		add_file(t, trace_file_path(path, numbers[i]));
	free(numbers);
}

int input_spared_one(const struct output *o, const char *path)
{
	struct input_trace t = {};
	int ret = 0;

	if (!o->path || !path)
		return 0;
	input_trace_find(&t, path, NULL, 0);
	for (u32 k = 0; k < t.files_n && !ret; k++)
		ret = output_spares(o, t.files[k]);
	for (u32 k = 0; k < t.files_n; k++)
		free(t.files[k]);
	free(t.files);
	return ret;
}

int input_spared(const struct output *o, char *const *paths, u32 n)
{
	int ret = 0;

	for (u32 i = 0; i < n && !ret; i++)
		ret = input_spared_one(o, paths[i]);
	return ret;
}
