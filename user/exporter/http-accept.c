// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/http-accept.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "user/base/err.h"

/* time in ms until accept() is tried again after it failed for lack of descriptors or memory */
#define RETRY_MS 100

/* Thread function. Passes each new connection to libmicrohttpd, which closes a connection that it
 * refuses. */
static void *accept_all(void *acceptor)
{
	struct acceptor *a = acceptor;
	struct pollfd p = { .fd = a->fd, .events = POLLIN };

	for (;;) {
		struct sockaddr_in6 client;
		socklen_t length = sizeof(client);
		int fd = accept4(a->fd, (void *)&client, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0)
			MHD_add_connection(a->daemon, fd, (void *)&client, length);
		else if (errno == EAGAIN)
			poll(&p, 1, -1);
		/* EINVAL means that acceptor_stop() has shut down the socket. */
		else if (errno == EINVAL)
			return NULL;
		else
			poll(NULL, 0, RETRY_MS);
	}
}

int acceptor_start(struct acceptor *a, struct MHD_Daemon *daemon, int fd)
{
	int ret;

	a->daemon = daemon;
	a->fd = fd;
	ret = -pthread_create(&a->thread, NULL, accept_all, a);
	if (!ret)
		return 0;
	a->daemon = NULL;
	return error(ret, "cannot start a thread: %s", strerror(-ret));
}

void acceptor_stop(struct acceptor *a)
{
	if (!a->daemon)
		return;
	shutdown(a->fd, SHUT_RD);
	pthread_join(a->thread, NULL);
	a->daemon = NULL;
}
