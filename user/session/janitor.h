/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that cleans up after us however we end: kill -9 leaves us no chance. */
#ifndef IOSPAN_JANITOR_H
#define IOSPAN_JANITOR_H

#include <sys/types.h>

/* Cleans up what @of names: 0, a number up to JANITOR_MANY of what lives on, or -errno. */
#define JANITOR_MANY 254
typedef int janitor_clean(const void *of);

struct janitor {
	pid_t pid; /* 0: none */
	int pipe;  /* its other end tells the janitor that we are gone */
	janitor_clean *clean;
	const void *of;
};

/* From here on @clean is called when we and all our children that have not left it are gone.
 * What @of names need not be there yet, and may not change any more. Errors are printed. */
int janitor_start(struct janitor *j, janitor_clean *clean, const void *of);

/* For a child of ours: the janitor does not wait for its end. */
void janitor_leave(const struct janitor *j);

/* Lets it do its work now, and returns the result of @clean. If another process killed it, the
 * caller does its work. -EINTR: it goes on, but a signal of signals.h came that is not read yet.
 * Safe where none was started. */
int janitor_end(struct janitor *j);

#endif
