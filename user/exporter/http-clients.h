/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The connections of the web server. A thread accepts connections and runs libmicrohttpd. The
 * thread closes a connection after a deadline, even if the client still sends or reads single
 * bytes. If there are too many connections, the thread closes the oldest connection of the network
 * with the most connections. So clients of one network cannot lock out clients of other
 * networks. */
#ifndef IOSPAN_EXPORTER_HTTP_CLIENTS_H
#define IOSPAN_EXPORTER_HTTP_CLIENTS_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "user/exporter/http-listen.h"

/* Number of connections that libmicrohttpd must permit in addition to clients.most. These
 * connections were just accepted, or are shut down but not closed yet. */
#define CLIENTS_SPARE 128

struct clients {
	struct MHD_Daemon *daemon;
	const struct http_sockets *sockets;
	unsigned most; /* maximum number of connections */
	pthread_t thread;
	int wake;     /* an eventfd that wakes the thread */
	bool running; /* the thread was started */
	bool stop;    /* true: the thread must end; read and written atomically */
	/* the members below are used only by the thread */
	/* list of the clients, in the order in which they were accepted */
	struct client *oldest, *newest;
	struct network *networks;
	unsigned n;	     /* number of connections, including those that are shut down */
	unsigned shut;	     /* number of connections that are shut down, but not closed yet */
	uint64_t checked_ns; /* when the deadlines were last checked */
};

/* The step that a request has reached. The deadline of its connection depends on the step. */
enum client_step {
	CLIENT_ASKS,  /* the client sends its request */
	CLIENT_WAITS, /* the client waits for the check of its password, without a deadline */
	CLIENT_READS, /* the client reads the answer */
};

/* Sets the deadline of the connection according to @step. A new connection has the deadline of
 * CLIENT_ASKS. */
void client_set_step(struct MHD_Connection *connection, enum client_step step);

/* Continues a suspended request. Any thread may call this. */
void client_resume(struct MHD_Connection *connection);

/* Shuts down the connection. libmicrohttpd then closes it. */
void client_shut(struct clients *c, struct MHD_Connection *connection);

/* The callback MHD_OPTION_NOTIFY_CONNECTION; @clients is a struct clients. */
void clients_notify(void *clients, struct MHD_Connection *connection, void **client,
		    enum MHD_ConnectionNotificationCode code);

/* Starts the thread for c->daemon and c->sockets. The daemon must have been started without a
 * socket and without a thread of its own. Returns 0, or -errno after it has printed an error. */
int clients_start(struct clients *c);

/* Stops the thread, if there is one. The caller stops c->daemon afterwards. */
void clients_stop(struct clients *c);

#endif
