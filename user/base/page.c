// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes an HTML page with its style sheet and script, which are parts of the executable. */
#include "user/base/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/out.h"

/* Embeds the bytes of @file in the executable, as the string @name. */
#define EMBED(name, file) \
	__asm__(".pushsection .rodata\n" #name ": .incbin \"" file "\"\n.byte 0\n.popsection"); \
	extern const char name[]

EMBED(page_style, "user/base/page.css");
EMBED(page_script, "user/base/page.js");

static char **command;

void page_set_command(char **argv)
{
	command = argv;
}

static void fact(FILE *f, const char *name, const char *value)
{
	fprintf(f, "<dt>%s</dt><dd>", name);
	page_text(f, value);
	fprintf(f, "</dd>\n");
}

/* Writes @word so that a shell would read it as one word. */
static void write_word(FILE *f, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=+.,:/@%";
	char *quoted = NULL;
	size_t size;
	FILE *to;

	if (*word && !word[strspn(word, plain)]) {
		page_text(f, word);
		return;
	}
	to = need(open_memstream(&quoted, &size));
	fputc('\'', to);
	for (; *word; word++)
		fprintf(to, *word == '\'' ? "'\\''" : "%c", *word);
	fputc('\'', to);
	if (fclose(to))
		need(NULL);
	page_text(f, quoted);
	free(quoted);
}

static void write_command(FILE *f)
{
	fprintf(f, "<dt>command</dt><dd><code>iospan");
	for (char **word = command + 1; *word; word++) {
		fputc(' ', f);
		write_word(f, *word);
	}
	fprintf(f, "</code></dd>\n");
}

static void write_header(FILE *f, const char *title)
{
	char when[64];
	time_t now = time(NULL);
	struct utsname u;
	struct tm local;

	uname(&u);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %Z", localtime_r(&now, &local));
	fprintf(f, "<header>\n<h1>%s</h1>\n<dl>\n", title);
	if (command)
		write_command(f);
	fact(f, "date", when);
	fact(f, "host", u.nodename);
	fact(f, "kernel", u.release);
	fprintf(f, "</dl>\n</header>\n");
}

void page_begin(FILE *f, const char *title)
{
	fprintf(f,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<title>%s</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s</style>\n"
		"</head>\n<body>\n",
		title, page_style);
	write_header(f, title);
	fputs("<main>\n", f);
}

void page_end(FILE *f)
{
	fprintf(f, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
}

void page_text(FILE *f, const char *any)
{
	char *clean = out_utf8(any);
	int control;

	for (const char *text = clean; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		case '\n':
			fputc('\n', f);
			break;
		default:
			control = control_bytes(text);
			fputc(control ? '?' : *text, f);
			text += control ? control - 1 : 0;
		}
	}
	free(clean);
}
