// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes the place of a command that the build leaves out, because a library is missing. The build
 * defines COMMAND, such as load; NAME, such as "bench load"; and LIBRARY, such as "gsl". */
#include "user/base/err.h"
#include "user/cmd.h"

#define JOIN_(first, second) first##second
#define JOIN(first, second) JOIN_(first, second)

static const struct opt opts[] = { OPT_END };

const struct opt_page JOIN(COMMAND, _page) = {
	.command = NAME,
	.usage = "",
	.summary = "not in this build, which lacks the library " LIBRARY,
	.opts = opts,
	.missing = LIBRARY,
};

int JOIN(cmd_, COMMAND)(int argc, char **argv)
{
	return error(-ENOTSUP,
		     "this build has no command '%s', because the library %s was missing; install "
		     "its development package and run make",
		     NAME, LIBRARY);
}
