/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_AUTH_H
#define IOSPAN_EXPORTER_HTTP_AUTH_H

#include <stdbool.h>

struct MHD_Connection;

/* Takes over the name and password of a request; NULL: it has none. The caller frees both. */
void http_credentials(struct MHD_Connection *c, char **user, char **password);

/* Returns the text of a file; the caller frees it. Refuses a file that others than its owner may
 * write, or, if it is @secret, that everybody may read. NULL: an error was printed. */
char *http_read_file(const char *path, bool secret);

/* Users: a file with lines NAME:HASH, the hash of crypt(5). Empty lines and lines that start with
 * '#' are comments. */
struct http_users;
int http_users_read(const char *path, struct http_users **u); /* -errno, printed */
bool http_users_know(const struct http_users *u, const char *user, const char *password);
void http_users_free(struct http_users *u); /* NULL is fine */

#endif
