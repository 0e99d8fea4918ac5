// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/infile.h"

#include <errno.h>
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
