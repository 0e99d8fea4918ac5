// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/infile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/output-place.h"

int infile_check(int fd, const char *path)
{
	struct stat in, out;

	if (fstat(fd, &in) || fstat(STDOUT_FILENO, &out) || !S_ISREG(in.st_mode) ||
	    !output_same(&in, &out))
		return 0;
	return error(-EINVAL,
		     "cannot write standard output: it is the input '%s'; redirect it to "
		     "another file",
		     path);
}

FILE *infile_open(const char *path)
{
	FILE *f = fopen(path, "re");
	int ret;

	if (f)
		ret = infile_check(fileno(f), path);
	else
		ret = error(-errno, "cannot read '%s': %s", path, strerror(errno));
	if (!ret)
		return f;
	if (f)
		fclose(f);
	errno = -ret;
	return NULL;
}

struct named {
	const char *path;
	struct stat st; /* .st_mode is 0 if there is no such file */
};

static void look_up(struct named *in, const char *path)
{
	in->path = path;
	if (strcmp(path, "-") ? stat(path, &in->st) : fstat(STDIN_FILENO, &in->st))
		in->st.st_mode = 0;
}

static int check_pair(const struct named *a, const struct named *b)
{
	if (!strcmp(a->path, b->path))
		return error(-EUSAGE, "'%s' is given twice; leave out one of them", a->path);
	if (a->st.st_mode && b->st.st_mode && output_same(&a->st, &b->st))
		return error(-EUSAGE, "'%s' and '%s' are the same file; leave out one of them",
			     a->path, b->path);
	return 0;
}

int infile_check_once(const char *first, char *const *more)
{
	struct named *all;
	size_t n = 1;
	int ret = 0;

	while (more[n - 1])
		n++;
	all = need(calloc(n, sizeof(*all)));
	for (size_t i = 0; i < n && !ret; i++) {
		look_up(&all[i], i ? more[i - 1] : first);
		for (size_t k = 0; k < i && !ret; k++)
			ret = check_pair(&all[k], &all[i]);
	}
	free(all);
	return ret;
}
