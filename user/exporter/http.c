// SPDX-License-Identifier: GPL-2.0-or-later
/* The web server. The document is the answer for /metrics. A request is suspended while its
 * password is checked. A network is an IPv4 address, or the first 64 bits of an IPv6 address. */
#include "user/exporter/http.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/exporter/http-auth.h"
#include "user/exporter/http-clients.h"
#include "user/exporter/http-document.h"
#include "user/exporter/http-gate.h"
#include "user/exporter/http-listen.h"

#define IDLE_S 10 /* idle time in s after which a connection is closed */
#define HEADER_BYTES 16384UL
#define BODY_BYTES 65536 /* largest body of a request; the body is read and ignored */

/* Maximum number of documents in memory. A document stays in memory while a client reads it. The
 * clients of one network can keep at most two documents in memory. */
#define DOCUMENTS 8
#define FRESH_NS 1000000000ULL

struct served {
	struct MHD_Response *response;
	uint64_t made_ns;
};

struct http {
	struct http_options o;
	struct http_users *users;
	struct gate *gate;
	char *certificate, *key;
	struct http_sockets sockets;
	struct clients clients;
	char url[HTTP_ADDRESS + 20];
	/* the members below are used only by the thread that .clients has started */
	/* last document of each form; the index is a sum of FORM_ bits */
	struct served served[FORMS];
	unsigned documents;
	struct request *requests;
};

struct request {
	struct MHD_Connection *connection;
	struct in6_addr network;
	const struct MHD_Response *document;
	size_t body;
	struct gate_check *check;
	struct request *next; /* next request in the list http.requests */
};

static void drop_response(struct served *s)
{
	if (s->response)
		MHD_destroy_response(s->response);
	s->response = NULL;
}

static bool is_young(const struct served *s)
{
	return s->response && now_ns() - s->made_ns < FRESH_NS;
}

static bool is_fresh(const struct http *h, const struct MHD_Response *document)
{
	for (int i = 0; i < FORMS; i++)
		if (h->served[i].response == document)
			return is_young(&h->served[i]);
	return false;
}

/* Returns true if clients in the network of @r still read two documents that are not fresh. Then no
 * further document is sent to this network (see DOCUMENTS). */
static bool keeps_two_old(const struct http *h, const struct request *r)
{
	const struct MHD_Response *other = NULL;

	for (const struct request *q = h->requests; q; q = q->next) {
		if (!q->document || is_fresh(h, q->document) ||
		    memcmp(&q->network, &r->network, sizeof(q->network)))
			continue;
		if (other && other != q->document)
			return true;
		other = q->document;
	}
	return false;
}

/* Shuts down all connections that read the oldest document, so that libmicrohttpd frees this
 * document. */
static void shut_oldest(struct http *h)
{
	const struct MHD_Response *oldest = NULL;

	for (const struct request *r = h->requests; r; r = r->next)
		/* New requests are put at the start of the list. So the last document in the list
		 * is the oldest. */
		oldest = r->document ?: oldest;
	for (const struct request *r = h->requests; r; r = r->next)
		if (oldest && r->document == oldest)
			client_shut(&h->clients, r->connection);
}

/* Returns a document that is at most FRESH_NS old. Makes one if necessary. Returns NULL if slow
 * clients in the network of @r are still reading two older documents. */
static struct MHD_Response *fresh_document(struct http *h, const struct request *r, unsigned form)
{
	struct served *s = &h->served[form];

	if (keeps_two_old(h, r))
		return NULL;
	if (is_young(s))
		return s->response;
	for (int i = 0; i < FORMS; i++)
		if (!is_young(&h->served[i]))
			drop_response(&h->served[i]);
	if (h->documents >= DOCUMENTS)
		shut_oldest(h);
	s->response = http_document_new(&h->o, form, &h->documents);
	s->made_ns = now_ns();
	return s->response;
}

static void request_over(void *arg, struct MHD_Connection *c, void **request,
			 enum MHD_RequestTerminationCode why)
{
	struct request *r = *request, **at = &((struct http *)arg)->requests;

	client_set_step(c, CLIENT_ASKS);
	if (!r)
		return;
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	gate_check_free(r->check);
	free(r);
	*request = NULL;
}

static void suspend(void *arg)
{
	MHD_suspend_connection(((struct request *)arg)->connection);
}

/* Continues a suspended request: libmicrohttpd calls handle() for it again. */
static void resume(void *arg)
{
	client_resume(((struct request *)arg)->connection);
}

static struct gate_check *check_of(struct request *r)
{
	struct gate_check *check = need(calloc(1, sizeof(*check)));

	http_credentials(r->connection, &check->user, &check->password);
	check->network = r->network;
	check->done = resume;
	check->arg = r;
	return check;
}

static enum gate_answer authorize(struct http *h, struct request *r)
{
	if (!h->gate)
		return GATE_OPEN;
	if (r->check)
		return r->check->answer;
	r->check = check_of(r);
	if (!r->check->user || !r->check->password)
		return GATE_SHUT;
	return gate_ask(h->gate, r->check, suspend);
}

#define PAGE "<!DOCTYPE html><title>iospan</title><p><a href=\"metrics\">Metrics</a>\n"

static bool is_health(const char *url)
{
	return !strcmp(url, "/healthz");
}

/* Answers the request of @c. @text is not copied, so it must be a constant. Adds the headers that
 * @status requires, such as Allow and Retry-After. */
static enum MHD_Result respond(struct MHD_Connection *c, unsigned status, const char *type,
			       const char *text)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result ret;

	if (!r)
		return MHD_NO;
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS)
		MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	if (status == MHD_HTTP_UNAUTHORIZED)
		ret = MHD_queue_basic_auth_fail_response(c, "iospan", r);
	else
		ret = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return ret;
}

static enum MHD_Result answer_health(struct http *h, struct MHD_Connection *c)
{
	if (h->o.healthy(h->o.arg))
		return respond(c, MHD_HTTP_OK, "text/plain", "200 OK: the exporter measures\n");
	return respond(c, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain",
		       "503 Service Unavailable: the exporter does not measure\n");
}

static enum MHD_Result answer_get(struct http *h, struct request *request, const char *url)
{
	struct MHD_Connection *c = request->connection;
	struct MHD_Response *r;

	if (!strcmp(url, "/"))
		return respond(c, MHD_HTTP_OK, "text/html", PAGE);
	if (is_health(url))
		return answer_health(h, c);
	if (strcmp(url, "/metrics"))
		return respond(c, MHD_HTTP_NOT_FOUND, "text/plain",
			       "404 Not Found: the metrics are at /metrics\n");
	r = fresh_document(h, request, http_document_form(c));
	if (!r)
		return respond(c, MHD_HTTP_SERVICE_UNAVAILABLE, "text/plain",
			       "503 Service Unavailable: too many slow readers\n");
	request->document = r;
	return MHD_queue_response(c, MHD_HTTP_OK, r);
}

/* Starts a request when its headers have been read. A GET is answered only after its body was read.
 * An earlier answer would make libmicrohttpd close the connection. */
static enum MHD_Result start_request(struct http *h, struct MHD_Connection *c, const char *method,
				     void **request)
{
	const char *length =
		MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
	struct request *r;

	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return respond(c, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain",
			       "405 Method Not Allowed: use GET or HEAD\n");
	if (length && strtoull(length, NULL, 10) > BODY_BYTES)
		return respond(c, MHD_HTTP_CONTENT_TOO_LARGE, "text/plain",
			       "413 Content Too Large: send no body\n");
	*request = r = need(calloc(1, sizeof(*r)));
	*r = (struct request){
		.connection = c,
		.network =
			http_network(MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
					     ->client_addr),
		.next = h->requests,
	};
	h->requests = r;
	return MHD_YES;
}

static enum MHD_Result handle(void *arg, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **request)
{
	struct request *r = *request;
	enum gate_answer allowed;

	if (!r)
		return start_request(arg, c, method, request);
	if (*upload_size) {
		r->body += *upload_size;
		*upload_size = 0;
		return r->body > BODY_BYTES ? MHD_NO : MHD_YES;
	}
	allowed = is_health(url) ? GATE_OPEN : authorize(arg, r);
	client_set_step(c, allowed == GATE_WAIT ? CLIENT_WAITS : CLIENT_READS);
	switch (allowed) {
	case GATE_OPEN:
		return answer_get(arg, r, url);
	case GATE_WAIT:
		return MHD_YES;
	case GATE_LIMITED:
		return respond(c, MHD_HTTP_TOO_MANY_REQUESTS, "text/plain",
			       "429 Too Many Requests: too many wrong passwords\n");
	default:
		return respond(c, MHD_HTTP_UNAUTHORIZED, "text/plain", "401 Unauthorized\n");
	}
}

static int read_files(struct http *h)
{
	const struct http_options *o = &h->o;

	if (!o->certificate != !o->key)
		return error(-EUSAGE, "--tls-cert and --tls-key go together; give both");
	if (o->key && MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
		return error(-ENOTSUP, "libmicrohttpd has no TLS; leave out --tls-cert");
	if (o->key) {
		h->certificate = http_read_file(o->certificate, false);
		h->key = h->certificate ? http_read_file(o->key, true) : NULL;
		if (!h->key)
			return -EINVAL;
	}
	return o->auth_file ? http_users_read(o->auth_file, &h->users) : 0;
}

static int listen_at(struct http *h)
{
	char address[HTTP_ADDRESS] = "";
	int ret = http_listen(h->o.listen, &h->sockets, address);

	snprintf(h->url, sizeof(h->url), "%s://%s/metrics", h->key ? "https" : "http", address);
	return ret;
}

int http_serve(struct http *h)
{
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, h->certificate },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, h->key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" },
		{ MHD_OPTION_END, 0, NULL },
	}, none[] = { { MHD_OPTION_END, 0, NULL } };
	unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME |
		(h->key ? MHD_USE_TLS : 0);

	if (h->users && !(h->gate = gate_new(h->users)))
		return -EAGAIN;
	h->clients.sockets = &h->sockets;
	h->clients.most = http_connections(CLIENTS_SPARE);
	h->clients.daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, handle, h, MHD_OPTION_CONNECTION_LIMIT,
		h->clients.most + CLIENTS_SPARE, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADER_BYTES, MHD_OPTION_NOTIFY_COMPLETED,
		request_over, h, MHD_OPTION_NOTIFY_CONNECTION, clients_notify, &h->clients,
		MHD_OPTION_ARRAY, h->key ? tls : none, MHD_OPTION_END);
	if (h->clients.daemon)
		return clients_start(&h->clients);
	return error(-EIO, "cannot start the web server%s",
		     h->key ? ": --tls-cert must be a certificate in PEM, and --tls-key its key" :
			      ", memory or descriptors are used up");
}

int http_new(const struct http_options *o, struct http **made)
{
	struct http *h = need(calloc(1, sizeof(*h)));
	int ret;

	h->o = *o;
	ret = read_files(h);
	if (!ret)
		ret = listen_at(h);
	if (ret)
		http_free(h);
	else
		*made = h;
	return ret;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	if (h->gate)
		/* answers all suspended requests, as MHD_stop_daemon() requires */
		gate_stop(h->gate);
	clients_stop(&h->clients);
	if (h->clients.daemon)
		MHD_stop_daemon(h->clients.daemon);
	for (unsigned i = 0; i < h->sockets.n; i++)
		close(h->sockets.fd[i]);
	for (unsigned i = 0; i < FORMS; i++)
		drop_response(&h->served[i]);
	gate_free(h->gate);
	http_users_free(h->users);
	if (h->key)
		explicit_bzero(h->key, strlen(h->key));
	free(h->certificate);
	free(h->key);
	free(h);
}

const char *http_url(const struct http *h)
{
	return h->url;
}
