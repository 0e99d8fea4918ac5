// SPDX-License-Identifier: GPL-2.0-or-later
/* Accepts the connections of the web server and closes them after a deadline. Connections are
 * limited per network: an IPv4 address, or the first 64 bits of an IPv6 address. */
#include "user/exporter/http-clients.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"

#define EACH 1024	       /* maximum number of connections of one network */
#define ASK_NS 5000000000ULL   /* time for the TLS handshake and the request */
#define READ_NS 30000000000ULL /* time in which a client must have read the answer */
#define CHECK_MS 1000	       /* time between two checks of the deadlines */
/* maximum number of connections accepted between two runs of libmicrohttpd */
#define AT_ONCE 32
/* time in ms until accept() is tried again after it failed for lack of descriptors or memory */
#define RETRY_MS 100

struct network {
	struct in6_addr address; /* address of the network, from http_network() */
	unsigned n;		 /* number of connections of this network that are not shut down */
	struct network *next;
};

struct client {
	struct clients *all;
	int fd;
	bool shut;
	uint64_t until_ns; /* time at which the connection is closed */
	struct network *network;
	struct client *older, *newer;
};

/* ---- networks ---- */

static struct network *join_network(struct clients *c, const struct sockaddr *address)
{
	struct in6_addr a = http_network(address);
	struct network *n = c->networks;

	while (n && memcmp(&n->address, &a, sizeof(a)))
		n = n->next;
	if (!n) {
		n = need(malloc(sizeof(*n)));
		*n = (struct network){ .address = a, .next = c->networks };
		c->networks = n;
	}
	n->n++;
	return n;
}

static void leave_network(struct clients *c, struct network *n)
{
	struct network **at = &c->networks;

	if (--n->n)
		return;
	while (*at != n)
		at = &(*at)->next;
	*at = n->next;
	free(n);
}

/* ---- connections ---- */

static struct client *client_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
}

/* Shuts down the connection of @one. The descriptor cannot belong to another connection yet:
 * libmicrohttpd calls remove_client() before it closes the descriptor. */
static void shut(struct clients *c, struct client *one)
{
	if (one->shut)
		return;
	shutdown(one->fd, SHUT_RDWR);
	one->shut = true;
	c->shut++;
	leave_network(c, one->network);
}

void client_shut(struct clients *c, struct MHD_Connection *connection)
{
	shut(c, client_of(connection));
}

void client_set_step(struct MHD_Connection *connection, enum client_step step)
{
	struct client *one = client_of(connection);

	one->until_ns = step == CLIENT_WAITS ? UINT64_MAX :
					       now_ns() + (step == CLIENT_ASKS ? ASK_NS : READ_NS);
}

static void wake(const struct clients *c)
{
	eventfd_write(c->wake, 1);
}

/* MHD_resume_connection() does not wake the thread that runs libmicrohttpd, so this function wakes
 * the thread. The thread may free the resumed connection at any time. So this function reads c,
 * which wake() needs, before it resumes the connection. */
void client_resume(struct MHD_Connection *connection)
{
	const struct clients *c = client_of(connection)->all;

	MHD_resume_connection(connection);
	wake(c);
}

/* Returns the oldest connection of the network with the most connections. */
static struct client *most_common(const struct clients *c)
{
	struct client *found = NULL;

	for (struct client *one = c->oldest; one; one = one->newer)
		if (!one->shut && (!found || one->network->n > found->network->n))
			found = one;
	return found;
}

static void add_client(struct clients *c, struct MHD_Connection *connection, void **client)
{
	struct client *one = need(malloc(sizeof(*one)));

	*one = (struct client){
		.all = c,
		.fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
			      ->connect_fd,
		.until_ns = now_ns() + ASK_NS,
		.network = join_network(
			c,
			MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
				->client_addr),
		.older = c->newest,
	};
	*(c->newest ? &c->newest->newer : &c->oldest) = one;
	c->newest = *client = one;
	c->n++;
	if (one->network->n > EACH)
		shut(c, one);
	else if (c->n - c->shut > c->most)
		shut(c, most_common(c));
}

static void remove_client(struct clients *c, struct client *one)
{
	if (one->shut)
		c->shut--;
	else
		leave_network(c, one->network);
	c->n--;
	*(one->older ? &one->older->newer : &c->oldest) = one->newer;
	*(one->newer ? &one->newer->older : &c->newest) = one->older;
	free(one);
}

void clients_notify(void *clients, struct MHD_Connection *connection, void **client,
		    enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		add_client(clients, connection, client);
	else
		remove_client(clients, *client);
}

static void check_deadlines(struct clients *c)
{
	uint64_t now = now_ns();

	if (now - c->checked_ns < CHECK_MS * 1000000ULL)
		return;
	c->checked_ns = now;
	for (struct client *one = c->oldest; one; one = one->newer)
		if (one->until_ns <= now)
			shut(c, one);
}

/* ---- the thread ---- */

/* Accepts waiting connections of the socket @fd and passes them to libmicrohttpd, which closes the
 * connections that it refuses. Returns false if accept() fails for lack of descriptors or memory,
 * and must be tried again later. */
static bool accept_some(struct clients *c, int fd)
{
	for (int i = 0; i < AT_ONCE; i++) {
		struct sockaddr_in6 address;
		socklen_t length = sizeof(address);
		int got = accept4(fd, (void *)&address, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (got < 0)
			return errno != EMFILE && errno != ENFILE && errno != ENOMEM &&
				errno != ENOBUFS;
		MHD_add_connection(c->daemon, got, (void *)&address, length);
	}
	return true;
}

/* Returns the time in ms until libmicrohttpd has work to do or the deadlines must be checked.
 * Returns -1 if the thread may wait without a limit. */
static int idle_ms(const struct clients *c)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(c->daemon, &ms) != MHD_YES)
		ms = c->n ? CHECK_MS : UINT64_MAX;
	return ms <= CHECK_MS ? (int)ms : c->n ? CHECK_MS : -1;
}

/* Waits until the thread has something to do, and accepts connections. Returns false if accept() is
 * to be tried again after RETRY_MS. */
static bool wait_and_accept(struct clients *c, int daemon_fd, bool accepts)
{
	struct pollfd p[4] = { { .fd = daemon_fd, .events = POLLIN },
			       { .fd = c->wake, .events = POLLIN } };
	bool room = c->n + 2 * AT_ONCE <= c->most + CLIENTS_SPARE;
	int ms = idle_ms(c);
	unsigned n = 2;
	eventfd_t wakes;

	for (unsigned i = 0; room && accepts && i < c->sockets->n; i++)
		p[n++] = (struct pollfd){ .fd = c->sockets->fd[i], .events = POLLIN };
	poll(p, n, accepts || (ms >= 0 && ms < RETRY_MS) ? ms : RETRY_MS);
	if (p[1].revents)
		eventfd_read(c->wake, &wakes);
	accepts = true;
	while (n-- > 2)
		accepts &= !p[n].revents || accept_some(c, p[n].fd);
	return accepts;
}

static void *serve(void *arg)
{
	struct clients *c = arg;
	int fd = MHD_get_daemon_info(c->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	bool accepts = true;

	while (!__atomic_load_n(&c->stop, __ATOMIC_ACQUIRE)) {
		accepts = wait_and_accept(c, fd, accepts);
		MHD_run(c->daemon);
		check_deadlines(c);
	}
	return NULL;
}

int clients_start(struct clients *c)
{
	int ret;

	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = c->wake < 0 ? -errno : -pthread_create(&c->thread, NULL, serve, c);
	c->running = !ret;
	return ret ? error(ret, "cannot start a thread: %s", strerror(-ret)) : 0;
}

void clients_stop(struct clients *c)
{
	if (!c->running)
		return;
	__atomic_store_n(&c->stop, true, __ATOMIC_RELEASE);
	wake(c);
	pthread_join(c->thread, NULL);
	close(c->wake);
	c->running = false;
}
