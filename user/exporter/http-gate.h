/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gate checks passwords on a thread of its own, because a hash can take seconds. It remembers
 * the last credentials that were right, and checks these without a hash. Requests of one network
 * with the same credentials share a hash. A network with too many wrong passwords is refused. */
#ifndef IOSPAN_HTTP_GATE_H
#define IOSPAN_HTTP_GATE_H

#include <netinet/in.h>
#include <stdbool.h>

struct http_users;

enum gate_answer {
	GATE_OPEN, /* the user exists and the password is right */
	GATE_SHUT, /* the user does not exist or the password is wrong */
	/* not checked: the network had too many failures, or too many checks are waiting */
	GATE_LIMITED,
	GATE_WAIT, /* the gate's thread will set the answer and call @done */
};

#define GATE_DIGEST 32

struct gate;
/* Starts the gate's thread. @users must stay valid as long as the gate. Returns NULL after it has
 * printed an error. */
struct gate *gate_new(const struct http_users *users);

/* One check of a password, which the caller owns. After GATE_WAIT, the caller may free it only when
 * @done was called. */
struct gate_check {
	/* owned by the check; gate_check_free() overwrites the password with zeros */
	char *user, *password;
	struct in6_addr network; /* network of the client, see http_network() */
	void (*done)(void *arg);
	void *arg;
	enum gate_answer answer;
	/* the members below are used only by the gate */
	unsigned source;
	struct gate_check *next;
	struct gate_check *same; /* the next check that waits for the same hash */
	unsigned same_n;	 /* number of checks that asked to wait for the hash of this one */
	unsigned char digest[GATE_DIGEST];
};
void gate_check_free(struct gate_check *c);

/* Checks user and password of @c. If this returns GATE_WAIT, it has called @before_wait(c->arg),
 * and c->done() follows later. Any other result is final. */
enum gate_answer gate_ask(struct gate *g, struct gate_check *c, void (*before_wait)(void *arg));

/* Answers all waiting checks, and all later ones, with GATE_LIMITED, and ends the gate's thread. */
void gate_stop(struct gate *g);
void gate_free(struct gate *g); /* stops the gate if necessary; @g may be NULL */

#endif
