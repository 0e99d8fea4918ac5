// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/control.h"

int control_bytes(const char *text)
{
	const unsigned char *c = (const void *)text;

	if (*c == 0xc2 && (c[1] & 0xe0) == 0x80) /* U+0080 to U+009F */
		return 2;
	return *c && (*c < ' ' || *c == 0x7f);
}

void disarm(char *text)
{
	for (; *text; text++)
		for (int n = control_bytes(text); n; n--)
			text[n - 1] = '?';
}
