// SPDX-License-Identifier: GPL-2.0-or-later
/* Colours, messages and descriptions of terminals, for iospan top. */
#include "user/top/terminal.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/base/err.h"

/* ---- colours ---- */

static bool has_some;

void colour_begin(void)
{
	const char *none = getenv("NO_COLOR");

	has_some = !(none && *none) && has_colors();
	if (!has_some)
		return;
	start_color();
	use_default_colors();
	init_pair(COLOUR_LOSS, COLOR_YELLOW, -1);
	init_pair(COLOUR_BUSY, COLOR_RED, -1);
	init_pair(COLOUR_HISTORY, COLOR_CYAN, -1);
}

void colour_use(enum colour c)
{
	if (has_some)
		attrset(COLOR_PAIR(c));
}

void colour_end(void)
{
	attrset(A_NORMAL);
}

/* ---- messages ---- */

/* .collected: memfd with the messages. .stderr_fd: duplicate of the original descriptor of stderr.
 */
static struct {
	int collected, stderr_fd;
} messages = { -1, -1 };

int messages_hold(void)
{
	messages.collected = memfd_create("messages", MFD_CLOEXEC);
	messages.stderr_fd = dup(STDERR_FILENO);
	if (messages.collected < 0 || messages.stderr_fd < 0)
		return error(-errno, "cannot hold messages back: %s", strerror(errno));
	fflush(stderr);
	dup2(messages.collected, STDERR_FILENO);
	return 0;
}

void messages_release(void)
{
	char buf[4096];
	ssize_t n;

	fflush(stderr);
	dup2(messages.stderr_fd, STDERR_FILENO);
	lseek(messages.collected, 0, SEEK_SET);
	while ((n = read(messages.collected, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, n, stderr);
	close(messages.stderr_fd);
	close(messages.collected);
}

/* ---- descriptions of terminals ---- */

static const struct {
	const char *term, *description;
} known[] = {
#include "terminals.h"
};

const char *terminfo_find(const char *term)
{
	for (size_t i = 0; term && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].term, term))
			return known[i].description;
	return NULL;
}
