// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/top/colour.h"

#include <curses.h>
#include <stdlib.h>

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
