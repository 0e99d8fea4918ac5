// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads names of containers from files of the kubelet, Docker and Podman. Such files belong to the
 * system or to a user who runs containers. A source is a file or directory with the names of many
 * containers. */
#include "user/host/runtime-files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out-read.h"
#include "user/host/cgroup-names.h"

/* largest sizes of files that are read; in memory, a parsed JSON file takes up to 50 times its
 * size */
#define FILE_MAX_BYTES (2 << 20)
#define PASSWD_MAX_BYTES (64 << 20)
/* largest number of entries that are read from a directory or a JSON list */
#define ENTRIES_MAX 8192
#define READ_FILE (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)

static char root[PATH_MAX] = "/";

int runtime_set_root(const char *path)
{
	return snprintf(root, sizeof(root), "%s", path) < (int)sizeof(root) ? 0 : -ENAMETOOLONG;
}

bool runtime_is_name(const char *name)
{
	size_t n = strlen(name);

	return n && n <= NAME_MAX &&
		n ==
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
}

static bool is_id(const char *text)
{
	return strlen(text) == CGROUP_CONTAINER_ID &&
		strspn(text, "0123456789abcdef") == CGROUP_CONTAINER_ID;
}

/* ---- functions that open files ---- */

static int open_below(int at, const char *path, int flags, unsigned resolve)
{
	struct open_how how = { .flags = flags | O_CLOEXEC,
				.resolve = resolve | RESOLVE_NO_MAGICLINKS };
	int fd = syscall(SYS_openat2, at, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* Opens @path in the directory `root`. Follows links and "..", but never out of `root`. Links are
 * permitted, because only the superuser can change these directories.
 *
 * If openat2() is forbidden, and `root` is "/", uses openat(), because no path leads out of "/".
 * RestrictSUIDSGID= in the exporter's systemd unit forbids openat2(). */
static int open_of_system(const char *path, int flags)
{
	int at = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (at < 0)
		return -errno;
	fd = open_below(at, path, flags, RESOLVE_IN_ROOT);
	if (fd == -ENOSYS && !strcmp(root, "/")) {
		fd = openat(at, path, flags | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	close(at);
	return fd;
}

bool runtime_is_readable(void)
{
	static const char *const directories[] = {
		"var/lib/docker/containers",
		"var/lib/containers/storage/overlay-containers",
		NULL,
	};
	int fd = 0;

	for (const char *const *d = directories; *d && fd != -EACCES; d++) {
		fd = open_of_system(*d, O_RDONLY | O_DIRECTORY);
		if (fd >= 0)
			close(fd);
	}
	return fd != -EACCES;
}

/* If @fd is a regular file of at most @most bytes, returns a stream that reads it. Otherwise closes
 * @fd and returns NULL. */
static FILE *open_regular(int fd, off_t most)
{
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= most)
		return fdopen(fd, "r");
	close(fd);
	return NULL;
}

/* Returns the home directory of a user, which the caller frees, or NULL. */
static char *find_home(long uid)
{
	FILE *f = open_regular(open_of_system("etc/passwd", READ_FILE), PASSWD_MAX_BYTES);
	struct passwd user = {}, *p;
	char texts[4096];
	char *home = NULL;

	while (f && !home && !fgetpwent_r(f, &user, texts, sizeof(texts), &p))
		if (p->pw_uid == (uid_t)uid)
			home = need(strdup(p->pw_dir));
	if (f)
		fclose(f);
	return home;
}

/* Opens the file @path, relative to ~/.local/share of user @uid. Refuses links and mounts below the
 * home directory, because the user could make both. Returns a descriptor or -errno. */
static int open_of_user(long uid, const char *path)
{
	char *home = find_home(uid), *below = need_text(".local/share/%s", path);
	int at = home ? open_of_system(home, O_PATH | O_DIRECTORY) : -ENOENT, fd = at;

	if (at >= 0) {
		fd = open_below(at, below, READ_FILE,
				RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV);
		close(at);
	}
	free(home);
	free(below);
	return fd;
}

static int open_file(long uid, const char *path)
{
	char *of_system;
	int fd;

	if (uid != RUNTIME_ROOT)
		return open_of_user(uid, path);
	of_system = need_text("var/lib/%s", path);
	fd = open_of_system(of_system, READ_FILE);
	free(of_system);
	return fd;
}

int runtime_open(const struct runtime_source *s, long uid)
{
	if (s->of_users)
		return open_file(uid, s->path);
	return uid == RUNTIME_ROOT ? open_of_system(s->path, O_RDONLY | O_DIRECTORY | O_NONBLOCK) :
				     -ENOENT;
}

/* ---- functions that read files; each of them closes its descriptor ---- */

static struct out *read_json(int fd)
{
	FILE *f = open_regular(fd, FILE_MAX_BYTES);
	struct out *doc = NULL;
	char *text;
	size_t n;

	if (!f)
		return NULL;
	text = need(malloc(FILE_MAX_BYTES + 1));
	n = fread(text, 1, FILE_MAX_BYTES + 1, f);
	if (n <= FILE_MAX_BYTES)
		doc = out_parse(text, n);
	free(text);
	fclose(f);
	return doc;
}

static void report(runtime_found *found, void *arg, const char *id, char *const part[3])
{
	char *names = need_text("%s/%s/%s", part[0], part[1], part[2]);

	found(arg, id, names);
	free(names);
}

/* Splits @text of the form "A_B_C" into its three parts. This is unambiguous, because names in
 * Kubernetes have no '_'. Returns false if @text has another form. */
static bool split(char *text, char *part[3])
{
	part[0] = text;
	for (int i = 1; i < 3; i++) {
		part[i] = strchr(part[i - 1], '_');
		if (!part[i])
			return false;
		*part[i]++ = '\0';
	}
	return !strchr(part[2], '_') && runtime_is_name(part[0]) && runtime_is_name(part[1]);
}

/* If @entry is the name of a pod's directory, NAMESPACE_POD_UID, calls @found with the id and the
 * names. */
static void read_pod(char *entry, runtime_found *found, void *arg)
{
	char *part[3], *id;
	size_t n;

	if (!split(entry, part))
		return;
	id = part[2];
	n = strlen(id);
	part[2] = "";
	if (n >= CGROUP_POD_ID_MIN && n <= CGROUP_POD_ID_MAX &&
	    strspn(id, "0123456789abcdef-") == n)
		report(found, arg, id, part);
}

/* If @entry is the name of a container's log, POD_NAMESPACE_CONTAINER-ID.log, calls @found with the
 * id and the names. */
static void read_link(char *entry, runtime_found *found, void *arg)
{
	char *part[3], *order[3], *id;
	size_t n = strlen(entry);

	if (n < CGROUP_CONTAINER_ID + 6 || strcmp(entry + n - 4, ".log") ||
	    entry[n - CGROUP_CONTAINER_ID - 5] != '-')
		return;
	entry[n - 4] = '\0';
	id = entry + n - 4 - CGROUP_CONTAINER_ID;
	id[-1] = '\0';
	if (!is_id(id) || !split(entry, part) || !runtime_is_name(part[2]))
		return;
	order[0] = part[1];
	order[1] = part[0];
	order[2] = part[2];
	report(found, arg, id, order);
}

static void read_entries(int fd, void (*read)(char *entry, runtime_found *found, void *arg),
			 runtime_found *found, void *arg)
{
	DIR *dir = fdopendir(fd);
	struct dirent *e;

	if (!dir) {
		close(fd);
		return;
	}
	for (int i = 0; i < ENTRIES_MAX && (e = readdir(dir)); i++)
		read(e->d_name, found, arg);
	closedir(dir);
}

static void read_pods(int fd, runtime_found *found, void *arg)
{
	read_entries(fd, read_pod, found, arg);
}

static void read_links(int fd, runtime_found *found, void *arg)
{
	read_entries(fd, read_link, found, arg);
}

struct reading_of_podman {
	runtime_found *found;
	void *arg;
	unsigned n;
	const char *id;
};

static void read_podman_name(void *arg, const char *key, const struct out *value)
{
	const char *name = out_text(value);
	struct reading_of_podman *r = arg;

	if (!key && name && r->id && runtime_is_name(name))
		report(r->found, r->arg, r->id, (char *[]){ "", "", (char *)name });
	r->id = NULL; /* the other names of the container are aliases, so later calls ignore them */
}

static void read_podman_container(void *arg, const char *key, const struct out *value)
{
	const struct out *names = out_get(value, "names");
	struct reading_of_podman *r = arg;

	r->id = out_get_str(value, "id");
	if (names && r->id && is_id(r->id) && r->n++ < ENTRIES_MAX)
		out_each(names, read_podman_name, r);
}

static void read_podman(int fd, runtime_found *found, void *arg)
{
	struct reading_of_podman r = { .found = found, .arg = arg };
	struct out *doc = read_json(fd);

	if (!doc)
		return;
	out_each(doc, read_podman_container, &r);
	out_free(doc);
}

void runtime_docker(long uid, const char *id, runtime_found *found, void *arg)
{
	char *path = need_text("docker/containers/%s/config.v2.json", id);
	struct out *doc = read_json(open_file(uid, path));
	const char *name = doc ? out_get_str(doc, "Name") : NULL;

	if (name && name[0] == '/' && runtime_is_name(name + 1))
		report(found, arg, id, (char *[]){ "", "", (char *)name + 1 });
	out_free(doc);
	free(path);
}

#define PODMAN(driver) \
	{ "containers/storage/" driver "-containers/containers.json", true, read_podman }, \
	{ \
		"containers/storage/" driver "-containers/volatile-containers.json", true, \
			read_podman \
	}

const struct runtime_source runtime_sources[] = {
	{ "var/log/pods", false, read_pods },
	{ "var/log/containers", false, read_links },
	PODMAN("overlay"),
	PODMAN("vfs"),
	PODMAN("btrfs"),
	PODMAN("zfs"),
	{},
};
