// SPDX-License-Identifier: GPL-2.0-or-later
/* Which files make one trace: PATH, PATH.1, PATH.2 ..., the oldest of which may have been
 * removed. */
#include <stdlib.h>
#include <sys/stat.h>

#include "user/base/err.h"
#include "user/trace/file.h"
#include "tools/input/input.h"
#include "tools/input/files.h"

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A pattern of the shell names the files that continue one as well. */
static bool is_known(const char *path, const struct origin *others, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < others[i].files_n; k++)
			if (same_file(others[i].files[k], path))
				return true;
	return false;
}

static void add_file(struct origin *s, char *path)
{
	s->files = need(reallocarray(s->files, s->files_n + 1, sizeof(*s->files)));
	s->files[s->files_n++] = path;
}

int origin_find(struct origin *s, const char *path, const struct origin *others, u32 n)
{
	size_t numbers_n;
	u32 *numbers = trace_file_numbers(path, &numbers_n);
	struct stat st;
	bool there = !stat(path, &st);

	if (there && is_known(path, others, n)) {
		free(numbers);
		return 0;
	}
	if (there || !numbers_n)
		add_file(s, trace_file_path(path, 0));
	for (size_t i = 0; i < numbers_n; i++)
		add_file(s, trace_file_path(path, numbers[i]));
	free(numbers);
	return 0;
}

int input_spared_one(const struct output *o, const char *path)
{
	struct origin s = {};
	int ret;

	if (!o->path || !path)
		return 0;
	ret = output_spares(o, path) ?: origin_find(&s, path, NULL, 0);
	for (u32 k = 0; k < s.files_n && !ret; k++)
		ret = output_spares(o, s.files[k]);
	for (u32 k = 0; k < s.files_n; k++)
		free(s.files[k]);
	free(s.files);
	return ret;
}

int input_spared(const struct output *o, char *const *paths, u32 n)
{
	int ret = 0;

	for (u32 i = 0; i < n && !ret; i++)
		ret = input_spared_one(o, paths[i]);
	return ret;
}
