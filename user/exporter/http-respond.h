/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_RESPOND_H
#define IOSPAN_EXPORTER_HTTP_RESPOND_H

#include <microhttpd.h>

/* Answers with a constant text, and the headers that belong to the status. */
enum MHD_Result http_respond(struct MHD_Connection *c, unsigned status, const char *type,
			     const char *text);

#endif
