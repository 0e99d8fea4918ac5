// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the answer for /metrics: in OpenMetrics or in the classic text format of Prometheus, and
 * compressed if the client accepts gzip. */
#include "user/exporter/http-document.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "user/base/err.h"

/* Level 1 takes a third of the time of zlib's default level. It compresses well enough, because the
 * lines of the document are similar. */
#define LEVEL 1
/* MAX_WBITS + 16 selects the format of gzip; MAX_WBITS alone, that of zlib */
#define GZIP_WINDOW (MAX_WBITS + 16)
#define MEMORY 8 /* value of memLevel, which is zlib's default */

struct document {
	char *text;
	unsigned *count;
};

/* Returns true if the element "NAME[;q=WEIGHT]" of a list is gzip with a weight above 0. */
static bool is_gzip(const char *element)
{
	size_t n = strcspn(element, " \t;");
	const char *weight = strcasestr(element + n, "q=");

	if (strncasecmp(element, "gzip", n) || n != strlen("gzip"))
		return false;
	return !weight || strtod(weight + 2, NULL) > 0;
}

static bool takes_gzip(const char *encodings)
{
	char *list = need(strdup(encodings)), *rest = list, *element;
	bool found = false;

	while (!found && (element = strsep(&rest, ",")))
		found = is_gzip(element + strspn(element, " \t"));
	free(list);
	return found;
}

unsigned http_document_form(struct MHD_Connection *c)
{
	const char *type = MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	const char *encodings =
		MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
	/* clients without this Accept header, such as curl and promtool, get the classic format */
	bool open = type && strcasestr(type, "application/openmetrics-text");

	return (open ? 0 : FORM_CLASSIC) | (encodings && takes_gzip(encodings) ? FORM_GZIP : 0);
}

/* Replaces *@text of *@size bytes by the same text, compressed. */
static void compress_text(char **text, size_t *size)
{
	z_stream z = { .next_in = (void *)*text, .avail_in = *size };
	size_t room;
	char *to;

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		need(NULL);
	room = deflateBound(&z, *size);
	to = need(malloc(room));
	z.next_out = (void *)to;
	z.avail_out = room;
	deflate(&z, Z_FINISH);
	*size = z.total_out;
	deflateEnd(&z);
	free(*text);
	*text = need(realloc(to, *size));
}

static void document_free(void *arg)
{
	struct document *d = arg;

	--*d->count;
	free(d->text);
	free(d);
}

struct MHD_Response *http_document_new(const struct http_options *o, unsigned form, unsigned *count)
{
	struct document *d = need(malloc(sizeof(*d)));
	struct MHD_Response *r;
	bool classic = form & FORM_CLASSIC, gzip;
	size_t size;

	*d = (struct document){ o->document(o->arg, classic, &size), count };
	++*count;
	gzip = form & FORM_GZIP && size <= INT_MAX; /* zlib counts bytes in 32 bits */
	if (gzip)
		compress_text(&d->text, &size);
	r = need(MHD_create_response_from_buffer_with_free_callback_cls(size, d->text,
									document_free, d));
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, o->types[classic]);
	MHD_add_response_header(r, MHD_HTTP_HEADER_VARY,
				MHD_HTTP_HEADER_ACCEPT ", " MHD_HTTP_HEADER_ACCEPT_ENCODING);
	if (gzip)
		MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
	return r;
}
