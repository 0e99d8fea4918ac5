/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A web server. Besides fixed pages it serves one document, /metrics, which a callback makes.
 * Requests within a second get the same document. */
#ifndef IOSPAN_HTTP_H
#define IOSPAN_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct http_options {
	/* "ADDR:PORT", such as "127.0.0.1:9715", "[::1]:0", "localhost:0" or ":0" */
	const char *listen;
	const char *certificate, *key; /* names of PEM files; NULL: no TLS */
	const char *auth_file;	       /* password file, see http-auth.h; NULL: no authentication */
	/* Returns the document for /metrics and its size. The server's thread calls it and frees
	 * the document. @classic selects the older text format of Prometheus. */
	char *(*document)(void *arg, bool classic, size_t *size);
	const char *types[2]; /* Content-Type of the document; index 1 is for @classic */
	/* Returns true if the server is to answer /healthz with 200, and false for 503. The
	 * server's thread calls it. */
	bool (*healthy)(void *arg);
	void *arg; /* argument of both callbacks */
};

struct http;

/* Reads the certificate and the password file, and opens the sockets. Returns 0; or -EUSAGE or
 * another -errno after it has printed an error. */
int http_new(const struct http_options *o, struct http **h);
/* starts the server's thread; returns 0, or -errno after it has printed an error */
int http_serve(struct http *h);
void http_free(struct http *h); /* stops the thread; @h may be NULL */

/* Returns the URL of the document, such as "http://127.0.0.1:9715/metrics". */
const char *http_url(const struct http *h);

#endif
