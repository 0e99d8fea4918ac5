/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A web server with one document, which it makes on request. */
#ifndef IOSPAN_HTTP_H
#define IOSPAN_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct http_options {
	const char *listen;	       /* "127.0.0.1:9715", "[::1]:0", "localhost:0", ":0" */
	const char *certificate, *key; /* PEM files; NULL: no TLS */
	const char *auth_file;	       /* see http-auth.h; NULL: no authentication */
	/* Returns the document at /metrics and its size; the server frees it. Called by the
	 * server's thread. @classic selects the format. */
	char *(*document)(void *arg, bool classic, size_t *size);
	const char *types[2]; /* Content-Type by @classic */
	/* Returns whether /healthz answers 200, or 503. Called by the server's thread. */
	bool (*healthy)(void *arg);
	void *arg; /* of both functions */
};

struct http;

/* Reads the files and opens the socket. -EUSAGE or another -errno, printed. */
int http_new(const struct http_options *o, struct http **h);
int http_serve(struct http *h); /* starts the thread; -errno, printed */
void http_free(struct http *h); /* stops it; NULL is fine */

/* "http://127.0.0.1:9715/metrics" */
const char *http_url(const struct http *h);

#endif
