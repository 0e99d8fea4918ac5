/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accepts the connections of a second socket for the web server, which listens at one only. */
#ifndef IOSPAN_EXPORTER_HTTP_ACCEPT_H
#define IOSPAN_EXPORTER_HTTP_ACCEPT_H

#include <pthread.h>

struct MHD_Daemon;

struct acceptor {
	struct MHD_Daemon *daemon; /* NULL: no thread */
	int fd;
	pthread_t thread;
};

/* Starts the thread. Returns 0 or -errno, printed. @fd stays the caller's. */
int acceptor_start(struct acceptor *a, struct MHD_Daemon *daemon, int fd);

/* Stops it, before the daemon. Does nothing if @a is zeroed. */
void acceptor_stop(struct acceptor *a);

#endif
