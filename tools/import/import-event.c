// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses a line of blkparse's default format. The fields after rwbs depend on the action:
 *
 * 8,0    1       42     0.000123456  4711  Q  WS 223490 + 8 [kjournald]
 * major,minor cpu sequence seconds      pid action rwbs */
#include <string.h>

#include "bpf/event.h"
#include "tools/import/blkparse.h"
#include "tools/import/import.h"

/* Parses the field rwbs into @e. blkparse prints in this order: F (preflush), one of D W R N, F
 * (FUA), A (readahead), S (sync), M (meta). Other programs print F for a flush, and DE for an
 * erase. */
static bool parse_rwbs(const char *s, struct event *e)
{
	bool before = s[0] == 'F';

	s += before && s[1] && strchr("DWRN", s[1]);
	e->flush_request = before && *s == 'N';
	switch (*s) {
	case 'R':
		e->op = OP_READ;
		return true;
	case 'W':
		/* WZ: write zeroes, which transfers no data */
		e->op = s[1] == 'Z' ? OP_OTHER : OP_WRITE;
		return true;
	case 'D':
		e->op = OP_DISCARD;
		return true;
	case 'F':
		e->op = OP_FLUSH;
		return true;
	case 'N':
		e->op = before ? OP_FLUSH : OP_OTHER;
		return true;
	}
	return false;
}

static bool take_dev(char **s, u64 *dev)
{
	u64 major, minor;

	if (!take_u64(s, &major) || !take_char(s, ',') || !take_u64(s, &minor) ||
	    major >= 1 << 12 || minor >= 1 << 20)
		return false;
	*dev = dev_number(major, minor);
	return true;
}

/* Takes the first four fields of a line: device, cpu, sequence number and time. blkparse prints the
 * unsigned sequence number as a signed one, so it may start with '-'. */
static bool take_time(char **s, u64 *dev, u64 *ns)
{
	u64 v;

	if (!take_dev(s, dev) || !take_u64(s, &v))
		return false;
	take_char(s, '-');
	return take_u64(s, &v) && take_seconds(s, ns);
}

void event_time(char *text, u64 *ns)
{
	u64 dev, v;

	if (take_time(&text, &dev, &v))
		*ns = v;
}

static bool take_head(char **s, struct event *e, char **action, char **rwbs)
{
	if (!take_time(s, &e->dev, &e->ns) || !take_u64(s, &e->pid))
		return false;
	*action = take_word(s);
	*rwbs = *action ? take_word(s) : NULL;
	return *rwbs;
}

/* Parses the sectors of an event, such as "223490 + 8 ", or the bytes of a pass-through command,
 * such as "36 (12 00 00) ". A number without "+" is a sector if @ends is true (actions C and R),
 * otherwise it is a number of bytes. */
static bool take_range(char **s, struct event *e, bool ends)
{
	char *close;
	bool number = take_u64(s, &e->sector);

	if (number && take_char(s, '+')) {
		if (!take_u64(s, &e->sectors) || !e->sectors || e->sectors > 1U << 31 ||
		    e->sector >= 1ULL << 54)
			return false;
	} else if (number != ends) {
		e->packet = true;
		e->bytes = e->sector;
		e->sector = 0;
	}
	if (take_char(s, '(')) {
		close = strchr(*s, ')');
		if (!close)
			return false;
		*s = close + 1;
	}
	return true;
}

/* Takes the last field, "[process name]" or "[error]", and returns its content, or NULL if there is
 * none. A process name may contain brackets, so the field ends at the last bracket. */
static char *take_bracket(char **s)
{
	char *end, *text;

	if (!take_char(s, '['))
		return NULL;
	text = *s;
	end = strrchr(text, ']');
	if (!end || end[1 + strspn(end + 1, " ")])
		return NULL;
	*end = '\0';
	return text;
}

/* Parses the fields after rwbs of a remap (A), such as "223490 + 8 <- (8,1) 223427". */
static bool parse_remap(char *s, struct event *e)
{
	return take_u64(&s, &e->sector) && take_char(&s, '+') && take_u64(&s, &e->sectors) &&
		take_char(&s, '<') && *s++ == '-' && take_char(&s, '(') &&
		take_dev(&s, &e->from_dev) && take_char(&s, ')') && take_u64(&s, &e->from) &&
		e->sectors <= 1U << 31 && e->sector < 1ULL << 54 && !*s;
}

/* Parses the fields after rwbs of a split (X), such as "223490 / 223746 [kjournald]". */
static bool parse_split(char *s, struct event *e)
{
	return take_u64(&s, &e->sector) && take_char(&s, '/') && take_u64(&s, &e->split) &&
		take_bracket(&s) && e->sector < 1ULL << 54;
}

static bool parse_completion(char *s, struct event *e)
{
	const char *error;

	if (!take_range(&s, e, true))
		return false;
	error = take_bracket(&s);
	if (!error || !error[*error == '-'] || error[strspn(error, "-0123456789")])
		return false;
	e->failed = strcmp(error, "0");
	return true;
}

static bool parse_request(char *s, struct event *e)
{
	if (!take_range(&s, e, false))
		return false;
	e->comm = take_bracket(&s);
	/* blkparse prints "(null)" if it does not know the process */
	if (e->comm && !strcmp(e->comm, "(null)"))
		e->comm = "";
	return e->comm;
}

static bool parse_tail(char *s, struct event *e)
{
	switch (e->action) {
	case 'C':
	case 'R':
		return parse_completion(s, e);
	case 'A':
		return parse_remap(s, e);
	case 'X':
		return parse_split(s, e);
	}
	return parse_request(s, e);
}

const char *event_parse(char *text, struct event *e, bool *skip)
{
	char *s = text, *action, *rwbs;

	*e = (struct event){ .action = 0 };
	*skip = false;
	if (!take_head(&s, e, &action, &rwbs))
		return "no line of blkparse's default format";
	e->action = *action;
	if (strlen(action) > 2 || !strchr("ABCDFGIMPQRSTUXm", *action))
		return "an unknown action";
	*skip = strchr("BPSTUm", *action);
	if (*skip)
		return NULL;
	if (!parse_rwbs(rwbs, e))
		return "neither read, write, discard nor flush";
	if (!parse_tail(s, e))
		return "the fields after the action are wrong";
	/* An empty write with a preflush is a program's request for a flush. */
	if (*rwbs == 'F' && !e->sectors && !e->packet && e->op == OP_WRITE)
		e->op = OP_FLUSH;
	return NULL;
}
