/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_EXPORTER_HTTP_LISTEN_H
#define IOSPAN_EXPORTER_HTTP_LISTEN_H

#include "user/exporter/http.h"

int http_listen(const char *at, char address[HTTP_ADDRESS]);

/* How many connections there can be at most. Each takes a descriptor. */
unsigned http_connections(void);

/* All clients of one network share its limits. It is an address of IPv4, as IPv6 maps it, or the
 * first 64 bits of an address of IPv6. */
struct in6_addr http_network(const struct sockaddr *client);

#endif
