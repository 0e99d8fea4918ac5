/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks passwords on a thread of its own, because a hash takes up to seconds. A credential that
 * was good lately needs no hash. Concurrent requests of one network with the same credential share
 * a hash. The failures of each network are limited before a hash is computed. */
#ifndef IOSPAN_HTTP_GATE_H
#define IOSPAN_HTTP_GATE_H

#include <netinet/in.h>
#include <stdbool.h>

struct http_users;

enum gate_answer {
	GATE_OPEN,    /* known user, right password */
	GATE_SHUT,    /* unknown user or wrong password */
	GATE_LIMITED, /* not checked: too many failures, or too many checks wait */
	GATE_WAIT,    /* @done is called later, by the gate's thread */
};

#define GATE_DIGEST 32

struct gate;
/* @users must outlive the gate. NULL: an error was printed. */
struct gate *gate_new(const struct http_users *users);

/* The caller frees it with gate_check_free(); if gate_ask() returns GATE_WAIT, only after @done. */
struct gate_check {
	char *user, *password;	 /* owned; gate_check_free() erases the password */
	struct in6_addr network; /* of the client, see http_network() */
	void (*done)(void *arg);
	void *arg;
	enum gate_answer answer;
	/* private to the gate */
	unsigned source;
	struct gate_check *next;
	struct gate_check *same; /* the next check that waits for this hash */
	unsigned char digest[GATE_DIGEST];
};
void gate_check_free(struct gate_check *c); /* NULL is fine */

/* Any answer but GATE_WAIT is final. If the check waits, first calls @before_wait with the argument
 * of @done. */
enum gate_answer gate_ask(struct gate *g, struct gate_check *c, void (*before_wait)(void *arg));

/* Answers all checks that wait, and all later ones, with GATE_LIMITED. */
void gate_stop(struct gate *g);
void gate_free(struct gate *g); /* stops it; NULL is fine */

#endif
