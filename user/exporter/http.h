/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A web server with one document, which is made when it is asked for. */
#ifndef IOSPAN_HTTP_H
#define IOSPAN_HTTP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

struct http_options {
	const char *listen;	       /* "127.0.0.1:9715", "[::1]:0" */
	const char *certificate, *key; /* PEM files; NULL: no TLS */
	const char *auth_file;	       /* see http-auth.c; NULL: anybody may */
	/* The document at /metrics and its size, for free(3); called by a thread of the
	 * server. @classic: in the other of the two formats. */
	char *(*document)(void *arg, bool classic, size_t *size);
	const char *types[2]; /* of the format, and of the other one */
	void *arg;
};

struct http;

/* Reads what there is to read, and listens. -errno or -EUSAGE, printed. */
int http_new(const struct http_options *o, struct http **h);
int http_serve(struct http *h); /* from here on; -errno, printed */
void http_free(struct http *h); /* ends it; NULL is fine */

/* "http://127.0.0.1:9715/metrics" */
const char *http_url(const struct http *h);

/* ---- the parts ---- */

/* What a file has, and a NUL; only its owner may write it, and, if it is @secret, others may not
 * read it. NULL: printed. */
char *http_read_file(const char *path, bool secret);

/* Who may come in. */
struct http_users;
int http_users_read(const char *path, struct http_users **u); /* -errno, printed */
bool http_users_know(const struct http_users *u, const char *user, const char *password);
void http_users_free(struct http_users *u); /* NULL is fine */

/* A socket that listens at @at, and its address. -errno or -EUSAGE, printed. */
#define HTTP_ADDRESS 80
int http_listen(const char *at, char address[HTTP_ADDRESS]);

/* How many connections there can be at most. Each takes a descriptor. */
unsigned http_connections(void);

/* All clients of one network share its limits. It is an address of IPv4, as IPv6 maps it, or the
 * first 64 bits of an address of IPv6. */
struct in6_addr http_network(const struct sockaddr *client);

#endif
