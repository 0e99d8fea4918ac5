/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A web server with fixed pages and /metrics, a document that a callback makes. Requests within a
 * second share one. */
#ifndef IOSPAN_HTTP_H
#define IOSPAN_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct http_options {
	/* "ADDR:PORT", such as "127.0.0.1:9715", "[::1]:0", "localhost:0" or ":0" */
	const char *listen;
	const char *certificate, *key; /* names of PEM files; NULL: no TLS */
	const char *auth_file;	       /* password file, see http-auth.h; NULL: no authentication */
	/* Makes the document for /metrics on the server's thread, which frees it. @classic: the
	 * older text format. */
	char *(*document)(void *arg, bool classic, size_t *size);
	const char *types[2]; /* Content-Type of the document; index 1 is for @classic */
	/* Decides if /healthz gets 200 or 503. The server's thread calls it. */
	bool (*healthy)(void *arg);
	void *arg;
};

struct http;

/* Reads certificate and passwords, and opens the sockets. Returns 0; or -EUSAGE or another -errno
 * after it has printed an error. */
int http_new(const struct http_options *o, struct http **h);
/* starts the server's thread; returns 0, or -errno after it has printed an error */
int http_serve(struct http *h);
void http_free(struct http *h);

/* Returns the URL of the document, such as "http://127.0.0.1:9715/metrics". */
const char *http_url(const struct http *h);

#endif
