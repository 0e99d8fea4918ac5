/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_LISTEN_H
#define IOSPAN_EXPORTER_HTTP_LISTEN_H

#include <netinet/in.h>

/* Sockets that listen: one, or for "localhost:PORT" and ":PORT" one for IPv4 and one for IPv6. */
struct http_sockets {
	int fd[2];
	unsigned n;
};

/* Adds the sockets that listen at @at to @to, which is empty, and stores the address of the first
 * as text. -EUSAGE or another -errno, printed. */
#define HTTP_ADDRESS 80
int http_listen(const char *at, struct http_sockets *to, char address[HTTP_ADDRESS]);

/* Returns the largest number of connections, after raising the limit of descriptors. */
unsigned http_connections(void);

/* Returns the network of a client, for limits per network: the IPv4 address, mapped to IPv6, or the
 * first 64 bits of the IPv6 address. */
struct in6_addr http_network(const struct sockaddr *client);

#endif
