/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_RESPOND_H
#define IOSPAN_EXPORTER_HTTP_RESPOND_H

#include <microhttpd.h>

/* Answers the request of @c with @status and @text. @text must be a constant, because it is not
 * copied. Adds the headers that @status requires, such as Allow and Retry-After. */
enum MHD_Result http_respond(struct MHD_Connection *c, unsigned status, const char *type,
			     const char *text);

#endif
