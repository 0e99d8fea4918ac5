// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/http-listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
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
#define DESCRIPTORS 256 /* reserved for other files than connections */

/* Splits "[::1]:80" into ::1 and 80. The caller frees the host. */
static char *split_address(const char *at, const char **port)
{
	const char *colon = strrchr(at, ':'), *from = at, *to = colon;

	if (!colon || !colon[1])
		return NULL;
	if (*at == '[' && colon > at && colon[-1] == ']') {
		from++;
		to--;
	} else if (memchr(at, ':', colon - at)) {
		return NULL;
	}
	*port = colon + 1;
	return to > from ? need(strndup(from, to - from)) : NULL;
}

static int resolve(const char *at, struct addrinfo **found)
{
	const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
					.ai_socktype = SOCK_STREAM };
	const char *port;
	char *host = split_address(at, &port);
	uint64_t number;
	int ret = EAI_NONAME;

	if (host && !num_uint(port, &number) && number <= UINT16_MAX)
		ret = getaddrinfo(host, port, &hints, found);
	free(host);
	if (ret)
		return error(-EUSAGE,
			     "'%s' is no address to listen at; as in 127.0.0.1:9715 or "
			     "[::1]:9715",
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

int http_listen(const char *at, char address[HTTP_ADDRESS])
{
	struct addrinfo *found;
	int ret = resolve(at, &found), fd, on = 1;

	if (ret)
		return ret;
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, BACKLOG)) {
		ret = error(-errno, "cannot listen at '%s': %s", at, strerror(errno));
		if (fd >= 0)
			close(fd);
	} else {
		ret = fd;
		describe(fd, address);
	}
	freeaddrinfo(found);
	return ret;
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

unsigned http_connections(void)
{
	struct rlimit limit = { .rlim_cur = 1024 };

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max < 2 * CONNECTIONS ? limit.rlim_max :
								    2 * CONNECTIONS;
		setrlimit(RLIMIT_NOFILE, &limit);
		getrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur > CONNECTIONS + DESCRIPTORS)
		return CONNECTIONS;
	return limit.rlim_cur > 2 * DESCRIPTORS ? limit.rlim_cur - DESCRIPTORS : DESCRIPTORS;
}
