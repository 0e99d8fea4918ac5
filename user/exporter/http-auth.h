/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_AUTH_H
#define IOSPAN_EXPORTER_HTTP_AUTH_H

#include "user/exporter/http.h"

/* What a file has, and a NUL; only its owner may write it, and, if it is @secret, others may not
 * read it. NULL: printed. */
char *http_read_file(const char *path, bool secret);
int http_users_read(const char *path, struct http_users **u); /* -errno, printed */
bool http_users_know(const struct http_users *u, const char *user, const char *password);
void http_users_free(struct http_users *u); /* NULL is fine */

#endif
