/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accepts connections on a second socket, because libmicrohttpd listens on only one socket. */
#ifndef IOSPAN_EXPORTER_HTTP_ACCEPT_H
#define IOSPAN_EXPORTER_HTTP_ACCEPT_H

#include <pthread.h>

struct MHD_Daemon;

struct acceptor {
	struct MHD_Daemon *daemon;
	int fd;
	pthread_t thread;
};

/* Starts the thread, which accepts connections on @fd. The caller still owns @fd. Returns 0, or
 * -errno after it has printed an error. */
int acceptor_start(struct acceptor *a, struct MHD_Daemon *daemon, int fd);

/* Stops the thread, if there is one. Call this before @a->daemon is stopped, because the thread
 * passes connections to it. */
void acceptor_stop(struct acceptor *a);

#endif
