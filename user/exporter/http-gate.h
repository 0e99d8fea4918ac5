/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks passwords on a thread of its own, because a hash takes up to seconds. A credential that
 * was good is recognised without a hash. Requests of one address that bring the same credential at
 * once share a hash. Failures are limited by address before a hash is made. */
#ifndef IOSPAN_HTTP_GATE_H
#define IOSPAN_HTTP_GATE_H

#include "user/exporter/http.h"

enum gate_answer {
	GATE_OPEN,    /* a user */
	GATE_SHUT,    /* no user, or a wrong password */
	GATE_LIMITED, /* not checked: too many failures, or too many checks wait */
	GATE_WAIT,    /* @done is called later, by the gate's thread */
};

#define GATE_DIGEST 32

struct gate;
struct gate *gate_new(const struct http_users *users); /* NULL: printed; @users outlive it */

/* A check that a caller waits for; the caller frees it with gate_check_free(), after @done. */
struct gate_check {
	char *user, *password;	 /* its own; the password is erased after the check */
	struct in6_addr network; /* of the client, see http_network() */
	void (*done)(void *arg);
	void *arg;
	enum gate_answer answer;
	/* the gate's own */
	unsigned source;
	struct gate_check *next;
	struct gate_check *same; /* waits for the same hash */
	unsigned char digest[GATE_DIGEST];
};
void gate_check_free(struct gate_check *c); /* NULL is fine */

/* Any answer but GATE_WAIT is final. @before_wait is called with @done's argument before another
 * thread can call @done. */
enum gate_answer gate_ask(struct gate *g, struct gate_check *c, void (*before_wait)(void *arg));

/* Answers all that wait with GATE_LIMITED, and all that ask later. */
void gate_stop(struct gate *g);
void gate_free(struct gate *g); /* stops it; NULL is fine */

#endif
