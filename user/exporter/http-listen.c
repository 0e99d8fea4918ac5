// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the sockets at which the web server listens, for IPv4 and IPv6. */
#include "user/exporter/http-listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/num.h"

#define BACKLOG 1024
#define CONNECTIONS 4096
#define DESCRIPTORS 256 /* number of descriptors that the connections leave free for other files */

/* Splits the address @at into host and port: "[::1]:80" into "::1" and "80", ":80" into "" and
 * "80". Returns the host, which the caller frees. Returns NULL if the address is invalid. */
static char *split_address(const char *at, const char **port)
{
	const char *colon = strrchr(at, ':'), *from = at, *to = colon;

	if (!colon || !colon[1])
		return NULL;
	if (*at == '[' && colon > at && colon[-1] == ']') {
		from++;
		to--;
		if (to == from)
			return NULL;
	} else if (memchr(at, ':', colon - at)) {
		return NULL;
	}
	*port = colon + 1;
	return need(strndup(from, to - from));
}

/* Resolves the address @at. "localhost" is always 127.0.0.1 and ::1; /etc/hosts is not read. An
 * address without a host means all addresses of this machine. */
static int resolve(const char *at, struct addrinfo **found)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				  .ai_socktype = SOCK_STREAM };
	const char *port;
	char *host = split_address(at, &port);
	bool local = host && !strcmp(host, "localhost");
	uint64_t number = 0;
	int bad = host ? num_uint(port, &number) : -EINVAL, ret = EAI_NONAME;

	if (bad == -ERANGE || number > UINT16_MAX) {
		free(host);
		return error(-EUSAGE, "port %s of '%s' is out of range: 0 to %d", port, at,
			     UINT16_MAX);
	}
	if (!local)
		hints.ai_flags |= AI_PASSIVE;
	if (!bad)
		ret = getaddrinfo(local || !*host ? NULL : host, port, &hints, found);
	free(host);
	if (ret)
		return error(-EUSAGE,
			     "'%s' is no address to listen at; as in :9715, localhost:9715, "
			     "127.0.0.1:9715 or [::1]:9715",
			     at);
	return 0;
}

static void describe(int fd, char address[HTTP_ADDRESS])
{
	struct sockaddr_storage is;
	socklen_t length = sizeof(is);
	char host[NI_MAXHOST], port[NI_MAXSERV];

	if (getsockname(fd, (void *)&is, &length) ||
	    getnameinfo((void *)&is, length, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		strcpy(host, strcpy(port, "?"));
	snprintf(address, HTTP_ADDRESS, strchr(host, ':') ? "[%.60s]:%.8s" : "%.60s:%.8s", host,
		 port);
}

static in_port_t port_of(int fd)
{
	/* works for IPv4, too: struct sockaddr_in has the port at the same offset */
	struct sockaddr_in6 is;
	socklen_t length = sizeof(is);

	return getsockname(fd, (void *)&is, &length) ? 0 : is.sin6_port;
}

/* Opens a socket that listens at @a. If @port is not 0, a socket for IPv4 already listens at @port;
 * the new socket is for IPv6, and uses @port instead of the port in @a. Returns a descriptor or
 * -errno; prints nothing. */
static int open_socket(const struct addrinfo *a, in_port_t port)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, ret;

	if (fd < 0)
		return -errno;
	if (port)
		((struct sockaddr_in6 *)a->ai_addr)->sin6_port = port;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    (!port || !setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on))) &&
	    !bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, BACKLOG))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

/* Returns true if the error means that this machine has no IPv4 or no IPv6. */
static bool lacks_family(int err)
{
	return err == -EAFNOSUPPORT || err == -EADDRNOTAVAIL;
}

int http_listen(const char *at, struct http_sockets *to, char address[HTTP_ADDRESS])
{
	static const int families[] = { AF_INET, AF_INET6 };
	struct addrinfo *found;
	int ret = resolve(at, &found), fd = -EADDRNOTAVAIL;

	if (ret)
		return ret;
	for (int i = 0; i < 2; i++) {
		const struct addrinfo *a = found;

		while (a && a->ai_family != families[i])
			a = a->ai_next;
		if (!a)
			continue;
		fd = open_socket(a, to->n ? port_of(to->fd[0]) : 0);
		if (fd >= 0)
			to->fd[to->n++] = fd;
		else if (!lacks_family(fd))
			break;
	}
	freeaddrinfo(found);
	if (to->n && (fd >= 0 || lacks_family(fd))) {
		describe(to->fd[0], address);
		return 0;
	}
	while (to->n)
		close(to->fd[--to->n]);
	return error(
		fd, "cannot listen at '%s': %s%s", at, strerror(-fd),
		fd == -EACCES ? "; a port below 1024 takes root or CAP_NET_BIND_SERVICE" :
			fd == -EADDRINUSE ? "; 'ss -ltnp' shows the program that uses the port; "
					    "give another port" :
			lacks_family(fd)  ? "; 'ip address' shows the addresses of this machine" :
					    "");
}

struct in6_addr http_network(const struct sockaddr *client)
{
	struct in6_addr a = {};

	if (client->sa_family == AF_INET6) {
		a = ((const struct sockaddr_in6 *)client)->sin6_addr;
		if (!IN6_IS_ADDR_V4MAPPED(&a))
			memset(&a.s6_addr[8], 0, 8);
	} else if (client->sa_family == AF_INET) {
		a.s6_addr[10] = a.s6_addr[11] = 0xff;
		memcpy(&a.s6_addr[12], &((const struct sockaddr_in *)client)->sin_addr, 4);
	}
	return a;
}

unsigned http_connections(unsigned spare)
{
	struct rlimit limit = { .rlim_cur = 1024 };

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max < 2 * CONNECTIONS ? limit.rlim_max :
								    2 * CONNECTIONS;
		setrlimit(RLIMIT_NOFILE, &limit);
		getrlimit(RLIMIT_NOFILE, &limit);
	}
	spare += DESCRIPTORS;
	if (limit.rlim_cur > CONNECTIONS + spare)
		return CONNECTIONS;
	return limit.rlim_cur > 2 * spare ? limit.rlim_cur - spare : DESCRIPTORS;
}
