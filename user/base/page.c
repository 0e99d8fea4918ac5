// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/page.h"

#include <stdlib.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/out.h"

static const char common_style[] =
	"body { font: 14px/1.4 sans-serif; margin: 1em auto; max-width: 1040px; padding: 0 1em; }\n"
	"svg { display: block; margin: 1em 0; max-width: 100%; height: auto; }\n"
	"svg image { image-rendering: pixelated; }\n"
	"pre { overflow-x: auto; background: #f6f6f6; padding: 1em; font-size: 12px; }\n"
	".wide { overflow-x: auto; }\n"
	"table { border-collapse: collapse; font-size: 12px; white-space: nowrap; }\n"
	"th { border-bottom: 2px solid #888; text-align: right; padding: 3px 8px; }\n"
	"td { text-align: right; border-bottom: 1px solid #ddd; padding: 2px 8px; }\n"
	"th.name, td.name { text-align: left; }\n";

void page_begin(FILE *f, const char *title, const char *style)
{
	fprintf(f,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<title>%s</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s%s</style>\n"
		"</head>\n<body>\n<h1>%s</h1>\n",
		title, common_style, style, title);
}

void page_end(FILE *f)
{
	fputs("</body>\n</html>\n", f);
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

void page_listing(FILE *f, const char *heading, void (*print)(FILE *f, const void *arg),
		  const void *arg)
{
	char *text = NULL;
	size_t size;
	FILE *to = need(open_memstream(&text, &size));

	print(to, arg);
	if (fclose(to))
		need(NULL);
	fprintf(f, "<h2>%s</h2>\n<pre>", heading);
	page_text(f, text);
	fprintf(f, "</pre>\n");
	free(text);
}
