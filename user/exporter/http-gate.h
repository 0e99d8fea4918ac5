/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gate checks passwords on a thread of its own, because a hash can take seconds. The gate
 * remembers the last users and passwords that were right, and computes no hash for them. Requests
 * of one network with the same user and password share one hash. If a network sends too many wrong
 * passwords, the gate computes no more hashes for this network. */
#ifndef IOSPAN_HTTP_GATE_H
#define IOSPAN_HTTP_GATE_H

#include <netinet/in.h>
#include <stdbool.h>

struct http_users;

enum gate_answer {
	GATE_OPEN, /* the user exists and the password is right */
	GATE_SHUT, /* the user does not exist or the password is wrong */
	/* not checked: too many wrong passwords from the network, or too many checks are waiting */
	GATE_LIMITED,
	/* not known yet: the gate's thread will set the answer and call gate_check.done() */
	GATE_WAIT,
};

#define GATE_DIGEST 32

struct gate;
/* Starts the gate's thread. @users must stay valid as long as the gate. Returns NULL after it has
 * printed an error. */
struct gate *gate_new(const struct http_users *users);

/* One check of a password. The caller owns it. If gate_ask() returned GATE_WAIT, the caller may
 * free the check only after the gate has called .done(). */
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
	unsigned same_n;	 /* number of checks that share this check's hash */
	unsigned char digest[GATE_DIGEST];
};
void gate_check_free(struct gate_check *c);

/* Checks user and password of @c, and returns the answer. If the answer needs a hash, calls
 * @before_wait(c->arg) and returns GATE_WAIT. Later, the gate's thread sets c->answer and calls
 * c->done(c->arg). */
enum gate_answer gate_ask(struct gate *g, struct gate_check *c, void (*before_wait)(void *arg));

/* Answers all waiting checks, and later checks that need a hash, with GATE_LIMITED. Ends the gate's
 * thread. */
void gate_stop(struct gate *g);
void gate_free(struct gate *g); /* stops the gate if necessary; @g may be NULL */

#endif
