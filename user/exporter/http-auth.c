// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the password file of the web server, and checks user names and passwords. Each line of the
 * file has a user name and the hash of a password. */
#include "user/exporter/http-auth.h"

#include <crypt.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/err.h"

static char *take_secret(char *secret)
{
	char *copy = secret ? need(strdup(secret)) : NULL;

	if (secret)
		explicit_bzero(secret, strlen(secret));
	MHD_free(secret);
	return copy;
}

void http_credentials(struct MHD_Connection *c, char **user, char **password)
{
	char *secret = NULL;

	*user = take_secret(MHD_basic_auth_get_username_password(c, &secret));
	*password = take_secret(secret);
}

#define FILE_MAX (1 << 20)

struct http_user {
	/* name of the user, and hash of the password; both point into http_users.text */
	char *name, *hash;
};

struct http_users {
	char *text;
	struct http_user *all;
	size_t n;
};

static int check_file(const char *path, const struct stat *s, bool secret)
{
	if (!S_ISREG(s->st_mode))
		return error(-EINVAL, "'%s' is no regular file; give the path of one", path);
	if (s->st_mode & (S_IWGRP | S_IWOTH))
		return error(-EPERM, "'%s' can be written by others than its owner; chmod go-w it",
			     path);
	if (secret && s->st_mode & S_IROTH)
		return error(-EPERM, "'%s' can be read by everybody; chmod o-r it", path);
	if (s->st_size > FILE_MAX)
		return error(-EFBIG, "'%s' is larger than 1 MiB", path);
	return 0;
}

char *http_read_file(const char *path, bool secret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret;
	char *text = NULL;
	struct stat s;
	ssize_t n = 0;

	ret = fd < 0 || fstat(fd, &s) ? -errno : 0;
	if (ret)
		error(ret, "cannot read '%s': %s", path, strerror(-ret));
	else
		ret = check_file(path, &s, secret);
	if (!ret) {
		text = need(calloc(1, s.st_size + 1));
		n = read(fd, text, s.st_size);
		if (n < 0)
			error(-errno, "cannot read '%s': %s", path, strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

/* Returns false if the hash is truncated. No password matches a truncated hash, but
 * crypt_checksalt() accepts it. */
static bool hash_is_whole(const char *hash)
{
	struct crypt_data *data = need(calloc(1, sizeof(*data)));
	const char *made = crypt_r("", hash, data);
	bool whole = made && strlen(made) == strlen(hash);

	free(data);
	return whole;
}

static int add_user(struct http_users *u, char *line, const char *path, unsigned number)
{
	char *colon = strchr(line, ':');

	if (!colon || colon == line)
		return error(-EINVAL, "'%s', line %u: no NAME:HASH", path, number);
	*colon = '\0';
	/* this also refuses a line that has a password instead of its hash */
	if (crypt_checksalt(colon + 1) != CRYPT_SALT_OK)
		return error(-EINVAL,
			     "'%s', line %u: no strong hash of crypt(5); 'mkpasswd' "
			     "(package whois) makes one",
			     path, number);
	if (!hash_is_whole(colon + 1))
		return error(-EINVAL,
			     "'%s', line %u: the hash has the wrong length; copy the whole hash",
			     path, number);
	u->all = need(reallocarray(u->all, u->n + 1, sizeof(*u->all)));
	u->all[u->n++] = (struct http_user){ line, colon + 1 };
	return 0;
}

int http_users_read(const char *path, struct http_users **users)
{
	struct http_users *u = need(calloc(1, sizeof(*u)));
	char *rest, *line;
	int ret = 0;

	rest = u->text = http_read_file(path, true);
	if (!rest)
		ret = -EINVAL;
	for (unsigned number = 1; !ret && (line = strsep(&rest, "\n")); number++)
		if (*line && *line != '#')
			ret = add_user(u, line, path, number);
	if (!ret && !u->n)
		ret = error(-EINVAL, "'%s' has no users; add a line NAME:HASH", path);
	if (ret)
		http_users_free(u);
	else
		*users = u;
	return ret;
}

void http_users_free(struct http_users *u)
{
	if (!u)
		return;
	if (u->text)
		explicit_bzero(u->text, strlen(u->text));
	free(u->text);
	free(u->all);
	free(u);
}

bool http_same(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	volatile unsigned char differ = 0;

	for (size_t i = 0; i < n; i++)
		differ |= x[i] ^ y[i];
	return !differ;
}

/* Computes a hash even if @user does not exist, so that the time does not reveal which users
 * exist. */
bool http_users_know(const struct http_users *u, const char *user, const char *password)
{
	const struct http_user *found = NULL;
	struct crypt_data *data;
	const char *hash;
	bool known;

	for (size_t i = 0; i < u->n; i++)
		if (!strcmp(u->all[i].name, user))
			found = &u->all[i];
	data = need(calloc(1, sizeof(*data)));
	hash = crypt_r(password, found ? found->hash : u->all[0].hash, data);
	known = hash && found && strlen(hash) == strlen(found->hash) &&
		http_same(hash, found->hash, strlen(hash));
	explicit_bzero(data, sizeof(*data));
	free(data);
	return known;
}
