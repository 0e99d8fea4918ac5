// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds names of containers and pods by their ids, and caches them. A source is a file or directory
 * that has such names. An answer is an entry of the cache: it has the names for one id, or states
 * that no names were found. */
#include "user/host/containers.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/types.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/host/cgroup-names.h"
#include "user/host/runtime-files.h"

/* Limits of the cache. When it has ANSWERS_MAX answers or SOURCES_MAX sources, iospan empties the
 * whole cache. Reading a source adds at most ANSWERS_OF_SOURCE answers, so that one source cannot
 * fill the cache. If the source belongs to a user, the limit is ANSWERS_OF_USER. */
#define ANSWERS_MAX 16384
#define ANSWERS_OF_SOURCE 8192
#define ANSWERS_OF_USER 1024
#define SOURCES_MAX 256

#define SECOND_NS 1000000000ULL
#define WAIT_MAX_NS (64 * SECOND_NS)

struct answer {
	long uid; /* user who runs the container, or RUNTIME_ROOT: the system */
	char id[CGROUP_CONTAINER_ID + 1];
	char *names; /* NULL: no names were found */
	/* Only used if there are no names. .next_ns: time (now_ns()) of the next look-up. .wait_ns:
	 * time between the last look-up and the next one. */
	u64 next_ns, wait_ns;
};

/* A source, and the state of its file or directory when it was read last. */
struct known_source {
	const struct runtime_source *source;
	long uid;
	struct timespec changed;
	ino_t inode;
	u64 read_ns;
	/* false: the source changed shortly before it was read. A later change may have the same
	 * time stamp, so the source must be read again. */
	bool settled;
};

static struct cache {
	void *answers, *sources; /* trees of struct answer and struct known_source */
	unsigned answers_n, sources_n;
} cache;

static int by_id(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;

	return x->uid != y->uid ? (x->uid > y->uid) - (x->uid < y->uid) : strcmp(x->id, y->id);
}

static int by_source(const void *a, const void *b)
{
	const struct known_source *x = a, *y = b;

	return x->uid != y->uid ? (x->uid > y->uid) - (x->uid < y->uid) :
				  (x->source > y->source) - (x->source < y->source);
}

static void answer_free(void *answer)
{
	free(((struct answer *)answer)->names);
	free(answer);
}

static void empty_cache(void)
{
	tdestroy(cache.answers, answer_free);
	tdestroy(cache.sources, free);
	cache = (struct cache){};
}

int containers_reset(const char *root)
{
	empty_cache();
	return runtime_set_root(root);
}

static struct answer *find_answer(long uid, const char *id)
{
	struct answer key = { .uid = uid }, **found;

	snprintf(key.id, sizeof(key.id), "%s", id);
	found = tfind(&key, &cache.answers, by_id);
	return found ? *found : NULL;
}

/* Returns the answer for @id. If there is none, makes an answer without names. */
static struct answer *make_answer(long uid, const char *id)
{
	struct answer *a = find_answer(uid, id);

	if (a)
		return a;
	a = need(calloc(1, sizeof(*a)));
	a->uid = uid;
	snprintf(a->id, sizeof(a->id), "%s", id);
	need(tsearch(a, &cache.answers, by_id));
	cache.answers_n++;
	return a;
}

struct finding {
	long uid;
	unsigned room;
};

/* Stores @names as the names for @id, unless the id already has names. The sources of the kubelet
 * are read first, so names from the kubelet take precedence over names from a runtime such as
 * Podman. */
static void keep_names(void *arg, const char *id, const char *names)
{
	struct finding *f = arg;
	struct answer *a;

	if (!f->room)
		return;
	f->room--;
	a = make_answer(f->uid, id);
	if (!a->names)
		a->names = need(strdup(names));
}

/* ---- sources ---- */

static bool has_changed(struct known_source *k, const struct stat *st)
{
	struct timespec now;

	if (k->settled && k->inode == st->st_ino && k->changed.tv_sec == st->st_mtim.tv_sec &&
	    k->changed.tv_nsec == st->st_mtim.tv_nsec)
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	k->inode = st->st_ino;
	k->changed = st->st_mtim;
	k->settled = now.tv_sec > st->st_mtim.tv_sec + 1;
	return true;
}

static struct known_source *know_source(const struct runtime_source *source, long uid)
{
	struct known_source key = { .source = source, .uid = uid }, *k;
	struct known_source **found = tfind(&key, &cache.sources, by_source);

	if (found)
		return *found;
	k = need(malloc(sizeof(*k)));
	*k = key;
	need(tsearch(k, &cache.sources, by_source));
	cache.sources_n++;
	return k;
}

/* Reads a source if its file or directory has changed since the last reading. Looks for a change at
 * most once per second. */
static void read_source(const struct runtime_source *source, long uid)
{
	struct known_source *k = know_source(source, uid);
	struct finding f = { uid, uid == RUNTIME_ROOT ? ANSWERS_OF_SOURCE : ANSWERS_OF_USER };
	u64 now = now_ns();
	struct stat st;
	int fd;

	if (k->read_ns && now - k->read_ns < SECOND_NS)
		return;
	k->read_ns = now;
	fd = runtime_open(source, uid);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && has_changed(k, &st))
		source->read(fd, keep_names, &f);
	else
		close(fd);
}

static void look_up(struct answer *a, bool is_pod)
{
	struct finding f = { a->uid, 1 };

	for (const struct runtime_source *s = runtime_sources; s->path && !a->names; s++)
		if (!is_pod || !s->of_users)
			read_source(s, a->uid);
	if (!a->names && !is_pod)
		runtime_docker(a->uid, a->id, keep_names, &f);
	a->wait_ns = !a->wait_ns	     ? SECOND_NS :
		2 * a->wait_ns < WAIT_MAX_NS ? 2 * a->wait_ns :
					       WAIT_MAX_NS;
	a->next_ns = now_ns() + a->wait_ns;
}

/* Returns the names for @id, the id of a pod or container. Returns "" if no names were found. */
static const char *names_of(long uid, const char *id, bool is_pod)
{
	struct answer *a;

	if (!*id)
		return "";
	if (cache.answers_n >= ANSWERS_MAX || cache.sources_n >= SOURCES_MAX)
		empty_cache();
	a = make_answer(uid, id);
	if (!a->names && now_ns() >= a->next_ns)
		look_up(a, is_pod);
	return a->names ?: "";
}

char *container_names(const char *path)
{
	struct cgroup_ids ids = cgroup_ids(path);
	long uid = ids.has_user ? ids.uid : RUNTIME_ROOT;
	/* a copy, because the next call of names_of() may empty the cache */
	char *pod = need(strdup(names_of(uid, ids.pod, true)));
	const char *names = names_of(uid, ids.container, false);
	char *both;

	if (*ids.name && runtime_is_name(ids.name))
		both = need_text("//%s", ids.name);
	else
		both = need(strdup(*names && !strncmp(names, pod, strlen(pod)) ? names : pod));
	free(pod);
	return both;
}

char *container_title(const char *path)
{
	char *names = container_names(path), *title = cgroup_name(path, names);

	free(names);
	return title ?: need(strdup(path));
}

void containers_warn(void)
{
	if (!runtime_is_readable())
		warn("containers of Docker and Podman have ids instead of names, because this user "
		     "may not read the names; run iospan as root, or add CAP_DAC_READ_SEARCH");
}
