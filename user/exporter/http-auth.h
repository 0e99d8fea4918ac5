/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User names and passwords of the web server (HTTP basic authentication). */
#ifndef IOSPAN_EXPORTER_HTTP_AUTH_H
#define IOSPAN_EXPORTER_HTTP_AUTH_H

#include <stdbool.h>
#include <stddef.h>

struct MHD_Connection;

/* Copies the user name and the password of an HTTP request to new memory, which the caller frees.
 * Overwrites the originals in the request with zeros. If the request has no user name and password,
 * sets *@user and *@password to NULL. @c is the connection of the request. */
void http_credentials(struct MHD_Connection *c, char **user, char **password);

/* Returns the text of the file @path, which the caller frees. Refuses a file that other users may
 * write. If @secret is true, also refuses a file that other users may read. Returns NULL after it
 * has printed an error. */
char *http_read_file(const char *path, bool secret);

/* Returns true if both secrets of @n bytes are equal. The time does not depend on the number of
 * equal bytes, so it does not reveal this number. */
bool http_same(const void *a, const void *b, size_t n);

/* The users in a password file. The file has lines NAME:HASH with a hash of crypt(5), empty lines,
 * and comments (#). */
struct http_users;
/* returns 0, or -errno after it has printed an error */
int http_users_read(const char *path, struct http_users **u);
bool http_users_know(const struct http_users *u, const char *user, const char *password);
void http_users_free(struct http_users *u);

#endif
