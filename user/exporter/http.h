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

/* Who may come in. */
struct http_users;

/* A socket that listens at @at, and its address. -errno or -EUSAGE, printed. */
#define HTTP_ADDRESS 80

#endif
