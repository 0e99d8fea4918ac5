// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks passwords on a thread of its own. A check computes a hash, unless the digest of user and
 * password is among the last right ones. Wrong passwords are limited per network: an IPv4 address,
 * or the first 64 bits of an IPv6 address. */
#include "user/exporter/http-gate.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/exporter/http-auth.h"

/* After this number of wrong passwords from a network, the gate computes no more hashes for this
 * network. A right password sets the number to 0. Each time REFILL_NS has passed, the number falls
 * by one. */
#define FAILURES 10
#define REFILL_NS 10000000000ULL
/* Number of networks in the table that counts wrong passwords. If the table is full, a new network
 * replaces the network with the fewest wrong passwords. */
#define SOURCES 1024
#define WAITING_MAX 64
/* maximum number of checks that wait for the hash of one other check with the same network, user
 * and password */
#define SAME_MAX 64
#define GOOD 16
_Static_assert(GATE_DIGEST == SHA256_DIGEST_LENGTH, "digest() fills it");

struct source {
	struct in6_addr network;
	/* number of wrong passwords, plus checks that are not finished yet */
	unsigned failures;
	uint64_t since_ns; /* time at which .failures was last reduced by one */
};

struct gate {
	const struct http_users *users;
	pthread_t thread;
	pthread_mutex_t lock; /* protects all fields below */
	pthread_cond_t some;
	bool stopped;
	struct gate_check *waiting;
	unsigned waiting_n;
	struct source sources[SOURCES];
	struct gate_check *hashed;
	unsigned char key[GATE_DIGEST];
	/* digests of the last users and passwords that were right; a new digest replaces the
	 * oldest */
	unsigned char good[GOOD][GATE_DIGEST];
	unsigned good_n; /* number of digests that were ever added to this array */
};

/* Computes a digest of user and password with a key. The key is random and never leaves this
 * process, so the digest does not reveal the password. */
static void digest(const struct gate *g, const struct gate_check *c, unsigned char to[GATE_DIGEST])
{
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, g->key, sizeof(g->key));
	SHA256Update(&context, (const void *)c->user, strlen(c->user) + 1);
	SHA256Update(&context, (const void *)c->password, strlen(c->password) + 1);
	SHA256Final(to, &context);
	explicit_bzero(&context, sizeof(context));
}

static bool is_good(const struct gate *g, const struct gate_check *c)
{
	bool good = false;

	for (unsigned i = 0; i < GOOD && i < g->good_n; i++)
		good |= http_same(g->good[i], c->digest, GATE_DIGEST);
	return good;
}

static void refill(struct source *s, uint64_t now)
{
	uint64_t n = (now - s->since_ns) / REFILL_NS;

	s->since_ns += n * REFILL_NS;
	s->failures = n < s->failures ? s->failures - n : 0;
}

static unsigned find_source(struct gate *g, const struct in6_addr *network)
{
	uint64_t now = now_ns();
	unsigned least = 0;

	for (unsigned i = 0; i < SOURCES; i++) {
		refill(&g->sources[i], now);
		if (!memcmp(&g->sources[i].network, network, sizeof(*network)))
			return i;
		if (g->sources[i].failures < g->sources[least].failures)
			least = i;
	}
	g->sources[least] = (struct source){ .network = *network, .since_ns = now };
	return least;
}

static struct gate_check *unlink_check(struct gate_check **at)
{
	struct gate_check *c = *at;

	*at = c->next;
	c->next = NULL;
	return c;
}

/* Removes a check from the list of waiting checks, and returns the check. Chooses a check of the
 * network with the fewest wrong passwords. So if one network sends many wrong passwords, the checks
 * of other networks wait for at most one of its hashes. */
static struct gate_check *next_check(struct gate *g)
{
	struct gate_check **best = &g->waiting;

	for (struct gate_check **c = &g->waiting; *c; c = &(*c)->next)
		if (g->sources[(*c)->source].failures < g->sources[(*best)->source].failures)
			best = c;
	return unlink_check(best);
}

static void remember_good(struct gate *g, const struct gate_check *c)
{
	/* While @c waited, a check of the same user and password from another network may have
	 * added their digest to g->good. */
	if (!is_good(g, c))
		memcpy(g->good[g->good_n++ % GOOD], c->digest, GATE_DIGEST);
	g->sources[c->source].failures = 0;
}

/* Sets the answer of @c and of the checks that wait for the same hash, and calls their done(). The
 * callers of gate_ask() free the checks. */
static void answer_all(struct gate_check *c, enum gate_answer how)
{
	while (c) {
		struct gate_check *same = c->same;

		c->answer = how;
		c->done(c->arg);
		c = same;
	}
}

/* Computes the hash for the check g->hashed, and sets the answer of this check. The caller must not
 * hold g->lock, because a hash takes long. */
static void check_hashed(struct gate *g)
{
	struct gate_check *c = g->hashed;
	bool known = http_users_know(g->users, c->user, c->password);

	pthread_mutex_lock(&g->lock);
	g->hashed = NULL;
	g->waiting_n--;
	if (known)
		remember_good(g, c);
	pthread_mutex_unlock(&g->lock);
	answer_all(c, known ? GATE_OPEN : GATE_SHUT);
}

static void *gate_main(void *arg)
{
	struct gate *g = arg;

	pthread_mutex_lock(&g->lock);
	while (!g->stopped) {
		g->hashed = g->waiting ? next_check(g) : NULL;
		if (!g->hashed) {
			pthread_cond_wait(&g->some, &g->lock);
			continue;
		}
		pthread_mutex_unlock(&g->lock);
		check_hashed(g);
		pthread_mutex_lock(&g->lock);
	}
	while (g->waiting)
		answer_all(unlink_check(&g->waiting), GATE_LIMITED);
	pthread_mutex_unlock(&g->lock);
	return NULL;
}

/* Returns a check that has the same user, password and network as @c, and no answer yet: it is
 * waiting, or the gate's thread is computing its hash. Returns NULL if there is none. */
static struct gate_check *find_same(const struct gate *g, const struct gate_check *c)
{
	for (struct gate_check *w = g->hashed ?: g->waiting; w;
	     w = w == g->hashed ? g->waiting : w->next)
		if (w->source == c->source && http_same(w->digest, c->digest, GATE_DIGEST))
			return w;
	return NULL;
}

static enum gate_answer ask_locked(struct gate *g, struct gate_check *c,
				   void (*before_wait)(void *arg))
{
	struct gate_check *same;

	digest(g, c, c->digest);
	if (is_good(g, c))
		return GATE_OPEN;
	if (g->stopped)
		return GATE_LIMITED;
	c->source = find_source(g, &c->network);
	same = find_same(g, c);
	/* Another check with the same user and password waits for a hash. Its result also answers
	 * this check, so a wrong password counts as one failure. */
	if (same) {
		if (++same->same_n > SAME_MAX)
			return GATE_LIMITED;
		before_wait(c->arg);
		c->same = same->same;
		same->same = c;
		return GATE_WAIT;
	}
	if (g->waiting_n >= WAITING_MAX || g->sources[c->source].failures >= FAILURES)
		return GATE_LIMITED;
	g->sources[c->source].failures++;
	g->waiting_n++;
	before_wait(c->arg);
	c->next = g->waiting;
	g->waiting = c;
	pthread_cond_signal(&g->some);
	return GATE_WAIT;
}

enum gate_answer gate_ask(struct gate *g, struct gate_check *c, void (*before_wait)(void *arg))
{
	enum gate_answer answer;

	pthread_mutex_lock(&g->lock);
	answer = ask_locked(g, c, before_wait);
	pthread_mutex_unlock(&g->lock);
	return answer;
}

void gate_check_free(struct gate_check *c)
{
	if (!c)
		return;
	if (c->password)
		explicit_bzero(c->password, strlen(c->password));
	free(c->password);
	free(c->user);
	free(c);
}

struct gate *gate_new(const struct http_users *users)
{
	struct gate *g = need(calloc(1, sizeof(*g)));
	int ret = 0;

	g->users = users;
	g->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	g->some = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	if (getrandom(g->key, sizeof(g->key), 0) != sizeof(g->key))
		ret = error(-EIO, "cannot make a random key: %s", strerror(errno));
	if (!ret && (ret = pthread_create(&g->thread, NULL, gate_main, g)))
		error(-ret, "cannot start a thread: %s", strerror(ret));
	if (!ret)
		return g;
	free(g);
	return NULL;
}

void gate_stop(struct gate *g)
{
	bool first;

	pthread_mutex_lock(&g->lock);
	first = !g->stopped;
	g->stopped = true;
	pthread_cond_signal(&g->some);
	pthread_mutex_unlock(&g->lock);
	if (first)
		pthread_join(g->thread, NULL);
}

void gate_free(struct gate *g)
{
	if (!g)
		return;
	gate_stop(g);
	explicit_bzero(g, sizeof(*g));
	free(g);
}
