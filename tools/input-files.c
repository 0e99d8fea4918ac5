// SPDX-License-Identifier: GPL-2.0-or-later
/* Which files make one trace: PATH, PATH.1, PATH.2 ..., the oldest of which may have been
 * removed. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../user/err.h"
#include "../user/num.h"
#include "input.h"

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

static int by_number(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* The N of all PATH.N; the caller frees it. */
static u64 *find_numbers(const char *path, size_t *n)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *dir = need(strndup(slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1));
	size_t len = strlen(base), room = 0;
	u64 *numbers = NULL, number;
	struct dirent *e;
	DIR *d = opendir(dir);

	*n = 0;
	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, base, len) != 0 || e->d_name[len] != '.' ||
		    num_uint(e->d_name + len + 1, &number))
			continue;
		if (*n == room) {
			room = 2 * room + 16;
			numbers = need(reallocarray(numbers, room, sizeof(*numbers)));
		}
		numbers[(*n)++] = number;
	}
	if (d)
		closedir(d);
	free(dir);
	if (*n)
		qsort(numbers, *n, sizeof(*numbers), by_number);
	return numbers;
}

static void add_file(struct origin *s, char *path)
{
	s->files = need(reallocarray(s->files, s->files_n + 1, sizeof(*s->files)));
	s->files[s->files_n++] = path;
}

int origin_find(struct origin *s, const char *path, const struct origin *others, u32 n)
{
	size_t numbers_n;
	u64 *numbers = find_numbers(path, &numbers_n);
	struct stat st;
	bool there = !stat(path, &st);

	if (there && is_known(path, others, n)) {
		free(numbers);
		return 0;
	}
	if (there || !numbers_n)
		add_file(s, need(strdup(path)));
	for (size_t i = 0; i < numbers_n; i++)
		add_file(s, need_text("%s.%llu", path, (unsigned long long)numbers[i]));
	free(numbers);
	return 0;
}
