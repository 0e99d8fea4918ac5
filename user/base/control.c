// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds characters that must not reach a terminal, and replaces or escapes them. */
#include "user/base/control.h"

#include <string.h>

#include "user/base/out.h"

/* Ranges of control characters that are not ASCII. In UTF-8, each of them is the bytes .start and
 * one more byte, from .first to .last. */
static const struct {
	const char *start;
	unsigned char first, last;
} controls[] = {
	{ "\xc2", 0x80, 0x9f },	    /* control characters C1, U+0080 to U+009F */
	{ "\xd8", 0x9c, 0x9c },	    /* ARABIC LETTER MARK */
	{ "\xe2\x80", 0x8e, 0x8f }, /* LEFT-TO-RIGHT MARK, RIGHT-TO-LEFT MARK */
	/* line and paragraph separators; characters that override the text direction */
	{ "\xe2\x80", 0xa8, 0xae },
	/* U+2066 to U+206F: characters that isolate the text direction, and deprecated format
	 * characters */
	{ "\xe2\x81", 0xa6, 0xaf },
};

int control_bytes(const char *text)
{
	if ((unsigned char)*text < 0x80)
		return *text && (*text < ' ' || *text == 0x7f);
	for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
		size_t n = strlen(controls[i].start);
		unsigned char end;

		if (strncmp(text, controls[i].start, n))
			continue;
		end = text[n];
		if (end >= controls[i].first && end <= controls[i].last)
			return n + 1;
	}
	return 0;
}

int harmful_bytes(const char *text)
{
	return control_bytes(text) ?: *text && !utf8_length(text);
}

void disarm(char *text)
{
	while (*text) {
		int n = harmful_bytes(text);

		memset(text, '?', n);
		text += n ?: utf8_length(text);
	}
}

/* If @text starts with an escape that escape_text() writes, such as \x1b, returns the byte that the
 * escape stands for. Otherwise returns 0. */
static unsigned char escaped_byte(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	const char *high, *low;
	unsigned char byte;

	if (text[0] != '\\' || text[1] != 'x' || !text[2] || !text[3])
		return 0;
	high = strchr(digits, text[2]);
	low = strchr(digits, text[3]);
	if (!high || !low)
		return 0;
	byte = (high - digits) << 4 | (low - digits);
	return byte < ' ' || byte >= 0x7f || byte == '\\' ? byte : 0;
}

void escape_text(FILE *f, const char *text)
{
	while (*text) {
		const char *start = text;
		int n = 0;

		while (*text && !(n = harmful_bytes(text) ?: escaped_byte(text) > 0))
			text += utf8_length(text);
		fwrite(start, 1, text - start, f);
		for (; n; n--)
			fprintf(f, "\\x%02x", (unsigned char)*text++);
	}
}

void unescape(char *text)
{
	char *to = text;

	while (*text) {
		unsigned char byte = escaped_byte(text);

		*to++ = byte ?: *text;
		text += byte ? 4 : 1;
	}
	*to = '\0';
}
