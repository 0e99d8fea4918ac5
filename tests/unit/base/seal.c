// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the hash that a result contains. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/base/seal.h"
#include "tests/unit/made-host.h"
#include "tests/unit/capture.h"

static struct out *sample(void)
{
	struct out *doc = out_object(), *list = out_array(), *row = out_object();

	out_str(doc, "iospan", "0.1");
	out_u64(doc, "elapsed_ns", 1234567890123456789);
	out_f64(doc, "bps", 1.0 / 3);
	out_f64(doc, "tiny", 2.5e-8);
	out_f64(doc, "whole", 512);
	out_f64(doc, "minus_nothing", -0.0);
	out_null(doc, "absent");
	out_bool(doc, "yes", 1);
	out_str(row, "zebra", "caf\xc3\xa9 \"x\"\n");
	out_str(row, "ant", "");
	out_append(list, row);
	out_append_str(list, "x");
	out_put(doc, "list", list);
	return doc;
}

static const char *kept(struct out *doc)
{
	static char path[MADE_PATH];
	FILE *f;

	made_path(path, "result.json");
	f = fopen(path, "w");
	out_json(f, doc);
	fclose(f);
	out_free(doc);
	return path;
}

static int check(const char *path)
{
	struct out *doc = out_read(path);
	int ret;

	ASSERT_TRUE(doc != NULL);
	ret = seal_check(doc);
	out_free(doc);
	return ret;
}

TEST(what_is_kept_is_as_it_was_sealed)
{
	struct out *doc = sample();

	EXPECT_EQ(seal_check(doc), -ENODATA);
	seal(doc);
	EXPECT_EQ(seal_check(doc), 0);
	seal(doc);
	EXPECT_EQ(seal_check(doc), 0);
	EXPECT_EQ(check(kept(doc)), 0);
}

/* The expected hash is from Python's JSON module and sha256sum. */
TEST(the_hash_is_what_others_compute)
{
	struct out *doc = sample();
	const char *path;
	char seen[80] = "";
	struct result r;

	seal(doc);
	snprintf(seen, sizeof(seen), "%s\n", out_get_str(doc, "hash"));
	path = kept(doc);
	r = run_command("python3 -c 'import json, sys\n"
			"d = json.load(open(sys.argv[1])); del d[\"hash\"]\n"
			"sys.stdout.write(json.dumps(d, sort_keys=True, ensure_ascii=False,"
			" separators=(\",\", \":\")))' %s | sha256sum | "
			"sed 's/^/sha256:/; s/ .*//'",
			path);
	EXPECT_STR(r.out, seen);
	run_free(&r);
}

TEST(another_layout_is_the_same_result)
{
	struct out *doc = sample();
	const char *path;
	struct result r;

	seal(doc);
	path = kept(doc);
	r = run_command("python3 -c 'import json, sys\n"
			"d = json.load(open(sys.argv[1]))\n"
			"json.dump(dict(reversed(d.items())), open(sys.argv[1], \"w\"),"
			" indent=7)' %s",
			path);
	EXPECT_EQ(r.status, 0);
	run_free(&r);
	EXPECT_EQ(check(path), 0);
}

/* Changes each byte in turn. The JSON parser or the check of the hash must notice the change. An
 * exception is a blank between two tokens, which may be any white space. */
TEST(every_changed_byte_shows)
{
	struct capture c;
	struct out *doc = sample();
	unsigned same = 0, changed = 0;
	const char *path;
	struct result r;
	FILE *f;

	seal(doc);
	path = kept(doc);
	r = run_command("cat %s", path);
	c = capture_start(STDERR_FILENO);
	for (size_t i = 0; i < r.out_size; i++) {
		char was = r.out[i];

		r.out[i] = was == '1' ? '2' : was == ' ' ? '\t' : '1';
		f = fopen(path, "w");
		fwrite(r.out, 1, r.out_size, f);
		fclose(f);
		doc = out_read(path);
		if (doc && !seal_check(doc)) {
			EXPECT_TRUE(was == ' ');
			same++;
		} else {
			changed++;
		}
		out_free(doc);
		r.out[i] = was;
	}
	capture_end(c);
	EXPECT_GT(same, 10);
	EXPECT_GT(changed, 200);
	run_free(&r);
}

static void expect_unreadable(const char *text, const char *words)
{
	struct capture c;
	char path[MADE_PATH];
	const char *said;
	struct out *doc;

	made_file(text, "bad.json");
	made_path(path, "bad.json");
	c = capture_start(STDERR_FILENO);
	doc = out_read(path);
	said = capture_end(c);
	EXPECT_TRUE(doc == NULL);
	EXPECT_TRUE(strstr(said, words) != NULL);
	EXPECT_TRUE(strstr(said, "bad.json': line ") != NULL);
	printf("%s", said);
	out_free(doc);
}

TEST(what_is_no_document_is_said_so)
{
	expect_unreadable("{\"a\": 1,\n \"a\": 2}", "line 2");
	expect_unreadable("{\"a\": 1", "line ");
	expect_unreadable("", "line ");
	expect_unreadable("{\"a\": 99999999999999999999}", "too big");
	expect_unreadable("{\"a\": \"\xff\"}", "decode");
	EXPECT_TRUE(out_get_str(NULL, "a") == NULL);
}

/* A file that never ends must not take all memory. */
TEST(a_document_that_is_too_large_is_refused)
{
	char path[MADE_PATH];
	struct capture c;
	struct out *doc;
	FILE *f;

	made_file("{}", "large.json");
	made_path(path, "large.json");
	f = fopen(path, "a");
	ASSERT_TRUE(f != NULL);
	for (int i = 0; i < OUT_READ_MAX; i++)
		fputc(' ', f);
	fclose(f);
	c = capture_start(STDERR_FILENO);
	doc = out_read(path);
	EXPECT_TRUE(strstr(capture_end(c), "it has more than 16.0 MiB") != NULL);
	EXPECT_TRUE(doc == NULL);
	doc = out_read_up_to(path, OUT_READ_MAX + 3);
	EXPECT_TRUE(doc != NULL);
	out_free(doc);
}

TEST(no_object_has_no_hash)
{
	struct out *list = out_array();

	EXPECT_EQ(seal_check(list), -ENODATA);
	out_free(list);
}

TEST_MAIN
