/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_AUTH_H
#define IOSPAN_EXPORTER_HTTP_AUTH_H

#include <stdbool.h>

struct MHD_Connection;

/* Moves user and password to memory that the caller frees; NULL: the request has none. */
void http_credentials(struct MHD_Connection *c, char **user, char **password);

/* Refuses a file that others may write; if @secret, also one that they may read. Returns its text,
 * which the caller frees; NULL after it has printed an error. */
char *http_read_file(const char *path, bool secret);

/* A password file has lines NAME:HASH with a hash of crypt(5), empty lines, and comments (#). */
struct http_users;
/* returns 0, or -errno after it has printed an error */
int http_users_read(const char *path, struct http_users **u);
bool http_users_know(const struct http_users *u, const char *user, const char *password);
void http_users_free(struct http_users *u);

#endif
