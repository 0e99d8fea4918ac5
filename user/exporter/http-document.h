/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer for /metrics, in the form that a client asks for. */
#ifndef IOSPAN_EXPORTER_HTTP_DOCUMENT_H
#define IOSPAN_EXPORTER_HTTP_DOCUMENT_H

#include <microhttpd.h>

#include "user/exporter/http.h"

/* A form is a sum of these bits. */
#define FORM_CLASSIC 1 /* the classic text format of Prometheus; if not set: OpenMetrics */
#define FORM_GZIP 2    /* compressed */
#define FORMS 4

/* Returns the form that the client of @c asks for: a sum of FORM_CLASSIC and FORM_GZIP, or 0. */
unsigned http_document_form(struct MHD_Connection *c);

/* Makes the answer in @form. *@count is the number of answers in memory: this function adds 1. When
 * libmicrohttpd frees the answer, 1 is subtracted. */
struct MHD_Response *http_document_new(const struct http_options *o, unsigned form,
				       unsigned *count);

#endif
