// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan predict: what a system will do with a workload that nobody measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../user/cmd.h"
#include "../user/err.h"
#include "../user/out.h"
#include "../user/output.h"
#include "../user/predict.h"
#include "../user/seal.h"

static struct predict_opts {
	const char *values[PARAMETERS], *html;
	bool json;
} o;

static const struct opt opts[] = {
	OPT_STR('u', "unique-bytes", &o.values[PARAM_UNIQUE_BYTES], "BYTES",
		"how much data is read and written, over all processes"),
	OPT_STR('s', "size", &o.values[PARAM_SIZE], "BYTES", "of a request, the mean"),
	OPT_STR('r', "read", &o.values[PARAM_READ], "SHARE",
		"of the requests that read; the others write"),
	OPT_STR('q', "seq", &o.values[PARAM_SEQ], "SHARE",
		"of the requests that go on where the one before ended"),
	OPT_STR('p', "procs", &o.values[PARAM_PROCS], "N", "processes, each with its part"),
	OPT_STR('d', "depth", &o.values[PARAM_DEPTH], "N",
		"requests in flight, of each process"),
	OPT_STR(0, "html", &o.html, "FILE",
		"write a page there with the curves of the result and its validation"),
	OPT_FLAG('j', "json", &o.json, "print JSON"),
	OPT_END
};

const struct opt_page predict_page = {
	.command = "predict",
	.usage = "RESULT [options]",
	.summary = "predict what a system does, from what 'bench scale' measured",
	.opts = opts,
	.examples = "  iospan predict disk.json --unique-bytes 4G --size 16k --read 0.67\n"
		    "  iospan predict disk.json --procs 8 --json\n",
};

/* What is not given is at the focal point. */
static int wanted(struct workload *w)
{
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		w->v[p] = NAN;
		if (o.values[p] && parameter_parse(p, o.values[p], &w->v[p]))
			return error(-EUSAGE, "--%s cannot be '%s'", parameters[p].option,
				     o.values[p]);
	}
	return 0;
}

static int print_json(const struct model *m, const struct prediction *p)
{
	struct out *doc = out_object();
	int ret;

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "predict");
	out_null(doc, "elapsed_ns");
	out_str(doc, "result", m->path);
	out_str(doc, "result_hash", out_get_str(m->doc, "hash"));
	out_bool(doc, "complete", m->complete);
	out_put(doc, "prediction", predict_json(m, p));
	seal(doc);
	ret = out_json(stdout, doc);
	out_free(doc);
	return ret;
}

static int predict_one(const struct model *m)
{
	struct prediction p;
	struct workload w;
	int ret = wanted(&w);

	if (ret)
		return ret;
	p = predict(m, &w);
	if (o.json)
		return print_json(m, &p);
	predict_text(stdout, m, &p);
	return 0;
}

static int write_html(const struct model *m)
{
	struct output to = { .fd = -1 };
	int ret = output_open(&to, o.html);
	FILE *f = ret ? NULL : output_begin(&to);

	if (f) {
		ret = model_html(f, m);
		if (!ret)
			return output_end(&to, f);
		fclose(f);
		to.fd = -1;
	}
	output_drop(&to);
	return ret ?: -EIO;
}

static int answer(const struct model *m)
{
	int ret = predict_one(m);

	return ret || !o.html ? ret : write_html(m);
}

int cmd_predict(int argc, char **argv)
{
	char **paths = need(calloc(argc + 1, sizeof(*paths)));
	int n = opt_operands(&predict_page, argc, argv, paths), ret = n;
	struct model *m = NULL;

	if (n >= 0 && n != 1)
		ret = error(-EUSAGE, "one result is wanted; usage: iospan predict %s",
			    predict_page.usage);
	if (ret == 1) {
		m = model_read(paths[0]);
		ret = m ? answer(m) : -EINVAL;
	}
	model_free(m);
	free(paths);
	return ret;
}
