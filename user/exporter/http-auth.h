/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_AUTH_H
#define IOSPAN_EXPORTER_HTTP_AUTH_H

#include <stdbool.h>

struct MHD_Connection;

/* Moves user name and password of the request of @c to new memory; NULL: the request has none. The
 * caller frees both. */
void http_credentials(struct MHD_Connection *c, char **user, char **password);

/* Returns the text of the file @path; the caller frees it. Refuses a file that group or others may
 * write. If @secret is true, also refuses a file that others may read. Returns NULL after it has
 * printed an error. */
char *http_read_file(const char *path, bool secret);

/* The users of a password file. Each line is NAME:HASH with a hash of crypt(5). Empty lines and
 * lines that start with '#' are ignored. */
struct http_users;
/* returns 0, or -errno after it has printed an error */
int http_users_read(const char *path, struct http_users **u);
bool http_users_know(const struct http_users *u, const char *user, const char *password);
void http_users_free(struct http_users *u); /* @u may be NULL */

#endif
