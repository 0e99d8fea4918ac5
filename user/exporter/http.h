/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A web server. It serves fixed pages, and the document /metrics, which a callback makes. A
 * document is served again for up to one second. */
#ifndef IOSPAN_HTTP_H
#define IOSPAN_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct http_options {
	/* "ADDR:PORT", such as "127.0.0.1:9715", "[::1]:0", "localhost:0" or ":0" */
	const char *listen;
	const char *certificate, *key; /* names of PEM files; NULL: no TLS */
	const char *auth_file;	       /* password file, see http-auth.h; NULL: no authentication */
	/* Makes the document for /metrics; if @classic is true, in the older text format. The
	 * server's thread calls this and frees the document. */
	char *(*document)(void *arg, bool classic, size_t *size);
	/* Content-Type of the document; types[1] is for the older text format */
	const char *types[2];
	/* Decides the answer to /healthz: 200 for true, 503 for false. The server's thread calls
	 * this. */
	bool (*healthy)(void *arg);
	void *arg;
};

struct http;

/* Reads the certificate and the passwords, and opens the sockets. Returns 0, or -EUSAGE or another
 * -errno after it has printed an error. */
int http_new(const struct http_options *o, struct http **h);
/* starts the server's thread; returns 0, or -errno after it has printed an error */
int http_serve(struct http *h);
void http_free(struct http *h);

/* Returns the URL of the document, such as "http://127.0.0.1:9715/metrics". */
const char *http_url(const struct http *h);

#endif
