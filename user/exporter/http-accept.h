/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that accepts connections on a second socket and passes them to the web server.
 * libmicrohttpd itself listens on only one socket. */
#ifndef IOSPAN_EXPORTER_HTTP_ACCEPT_H
#define IOSPAN_EXPORTER_HTTP_ACCEPT_H

#include <pthread.h>

struct MHD_Daemon;

struct acceptor {
	struct MHD_Daemon *daemon; /* NULL: no thread is running */
	int fd;
	pthread_t thread;
};

/* Starts the thread. Returns 0, or -errno after it has printed an error. The caller keeps ownership
 * of @fd. */
int acceptor_start(struct acceptor *a, struct MHD_Daemon *daemon, int fd);

/* Stops the thread. The caller must do so before it stops @a->daemon, to which the thread passes
 * connections. If no thread is running, does nothing. */
void acceptor_stop(struct acceptor *a);

#endif
