/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_LISTEN_H
#define IOSPAN_EXPORTER_HTTP_LISTEN_H

#include <netinet/in.h>

/* One socket, or for "localhost:PORT" and ":PORT" one for IPv4 and one for IPv6. */
struct http_sockets {
	int fd[2];
	unsigned n;
};

/* @to must be empty. @address gets the address of the first socket. Returns 0; or -EUSAGE or
 * another -errno after it has printed an error. */
#define HTTP_ADDRESS 80
int http_listen(const char *at, struct http_sockets *to, char address[HTTP_ADDRESS]);

/* Raises RLIMIT_NOFILE and returns the largest number of connections that it permits. */
unsigned http_connections(void);

/* Returns an IPv4 address, mapped to IPv6, or the first 64 bits of an IPv6 address. */
struct in6_addr http_network(const struct sockaddr *client);

#endif
