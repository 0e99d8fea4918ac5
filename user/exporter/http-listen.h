/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_LISTEN_H
#define IOSPAN_EXPORTER_HTTP_LISTEN_H

#include <netinet/in.h>

/* Returns a socket that listens at @at, and stores its address as text. -EUSAGE or another -errno,
 * printed. */
#define HTTP_ADDRESS 80
int http_listen(const char *at, char address[HTTP_ADDRESS]);

/* Returns the largest number of connections, after raising the limit of descriptors. */
unsigned http_connections(void);

/* Returns the network of a client, for limits per network: the IPv4 address, mapped to IPv6, or the
 * first 64 bits of the IPv6 address. */
struct in6_addr http_network(const struct sockaddr *client);

#endif
