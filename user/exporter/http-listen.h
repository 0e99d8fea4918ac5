/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses, sockets and limits of the web server. */
#ifndef IOSPAN_EXPORTER_HTTP_LISTEN_H
#define IOSPAN_EXPORTER_HTTP_LISTEN_H

#include <netinet/in.h>

/* The sockets at which the exporter listens. "localhost:PORT" and ":PORT" have two sockets, for
 * IPv4 and IPv6, if the machine has both. Other addresses have one. */
struct http_sockets {
	int fd[2];
	unsigned n;
};

/* Opens the sockets for address @at and stores them in @to, which must be empty. Stores the address
 * of the first socket in @address. Returns 0, or -EUSAGE or another -errno after it has printed an
 * error. */
#define HTTP_ADDRESS 80
int http_listen(const char *at, struct http_sockets *to, char address[HTTP_ADDRESS]);

/* Raises the limit of open files (RLIMIT_NOFILE). Returns the number of connections that the limit
 * permits if @spare descriptors are kept free. */
unsigned http_connections(unsigned spare);

/* Returns the network of a client. Connections and wrong passwords are limited per network. For
 * IPv4, the network is the address, mapped to IPv6. For IPv6, it is the first 64 bits of the
 * address. */
struct in6_addr http_network(const struct sockaddr *client);

#endif
