// SPDX-License-Identifier: GPL-2.0-or-later

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out-read.h"
#include "tools/input/prometheus.h"

#define ANSWER_PATH "/api/v1/query_range"

/* Writes @url with %XX for each byte that it cannot have. An encoded byte stays as it is. */
static void put_encoded(FILE *f, const char *url)
{
	for (const unsigned char *c = (const unsigned char *)url; *c; c++) {
		bool encoded = *c == '%' && isxdigit(c[1]) && isxdigit(c[2]);

		if (encoded || isalnum(*c) || strchr("-._~:/?&=()*,;!'@$", *c))
			fputc(*c, f);
		else
			fprintf(f, "%%%02X", *c);
	}
}

char *prometheus_url(const char *url, const struct prometheus_range *range)
{
	const struct {
		const char *name;
		double value;
	} more[] = { { "start", range->start_s },
		     { "end", range->end_s },
		     { "step", range->step_s } };
	const char *query = strstr(url, "?query="), *end = query;
	char *text = NULL;
	size_t size;
	int ret = 0;
	FILE *f;

	if (!query) {
		error(-EINVAL, "'%s': add ?query=EXPRESSION", url);
		return NULL;
	}
	while (end > url && end[-1] == '/')
		end--;
	f = need(open_memstream(&text, &size));
	fprintf(f, "%.*s", (int)(end - url), url);
	if (end - url < (long)strlen(ANSWER_PATH) ||
	    strncmp(end - strlen(ANSWER_PATH), ANSWER_PATH, strlen(ANSWER_PATH)) != 0)
		fputs(ANSWER_PATH, f);
	put_encoded(f, query);
	for (int i = 0; i < 3 && !ret; i++) {
		char *given = need_text("&%s=", more[i].name);

		if (!strstr(query, given) && isnan(more[i].value))
			ret = error(-EINVAL, "'%s': add %sTIME", url, given);
		else if (!strstr(query, given))
			fprintf(f, "%s%.3f", given, more[i].value);
		free(given);
	}
	fclose(f);
	if (!ret)
		return need(text);
	free(text);
	return NULL;
}

/* Runs curl, which writes the answer to @to. */
static int run_curl(const char *url, int to)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return error(-errno, "cannot start curl: %s", strerror(errno));
	if (!pid) {
		dup2(to, STDOUT_FILENO);
		execlp("curl", "curl", "-q", "-sS", "--globoff", "--connect-timeout", "10", "--",
		       url, NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error(-ENOENT, "there is no curl to ask Prometheus; install it");
	return status ? error(-EIO, "cannot read '%s'; see the line of curl above", url) : 0;
}

static struct out *read_answer(const char *url, int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	struct out *doc = text == MAP_FAILED ? NULL : out_parse(text, size);

	if (text != MAP_FAILED)
		munmap(text, size);
	if (!doc)
		error(-EINVAL, "'%s': the answer is not JSON", url);
	return doc;
}

struct out *prometheus_fetch(const char *url, const struct prometheus_range *range)
{
	char *whole = prometheus_url(url, range);
	int fd = memfd_create("answer", MFD_CLOEXEC);
	struct out *doc = NULL;

	if (fd < 0)
		error(-errno, "cannot make a file in memory: %s", strerror(errno));
	else if (whole && !run_curl(whole, fd))
		doc = read_answer(whole, fd);
	if (fd >= 0)
		close(fd);
	free(whole);
	return doc;
}
