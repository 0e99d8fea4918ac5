# SPDX-License-Identifier: GPL-2.0-or-later
# Libraries that only some commands need. If pkg-config does not find such a library, the build leaves
# out its commands, and user/missing.c takes the place of each. The Makefile includes this file.
PKG_CONFIG ?= pkg-config
commands_libmicrohttpd := exporter
commands_ncursesw := top
bench_commands := beff load replay scale sets
commands_gsl := characterize compare correlate neighbours predict $(bench_commands)
options_libmicrohttpd := -lmicrohttpd -lcrypt
options_ncursesw := -lncursesw -ltinfo
options_gsl := -lgsl -lgslcblas -lm
optional := libmicrohttpd ncursesw gsl
lacking := $(foreach name,$(optional),$(if $(shell $(PKG_CONFIG) --exists $(name) && echo yes),,$(name)))
missing := $(foreach name,$(lacking),$(commands_$(name)))

LDLIBS += $(foreach name,$(filter-out $(lacking),$(optional)),$(options_$(name)))
cmds := $(filter-out $(foreach name,$(missing),%/cmd-$(name).c),$(cmds))
lib := $(filter-out $(foreach name,$(missing),user/$(name)/%),$(lib))
# Files that include headers of GSL are only for its commands.
with_gsl := $(if $(filter gsl,$(lacking)),$(shell grep -l '^#include <gsl/' $(lib) $(bench) $(tools)))
lib := $(filter-out $(with_gsl),$(lib))
bench := $(filter-out $(with_gsl),$(bench))
tools := $(filter-out $(with_gsl),$(tools))

full_name = $(if $(filter $*,$(bench_commands)),bench )$*
library = $(strip $(foreach name,$(lacking),$(if $(filter $*,$(commands_$(name))),$(name))))
$O/iospan: $(missing:%=$O/user/missing-%.o)
$O/user/missing-%.o: user/missing.c
	$(call say,CC,$@)
	$Q$(CC) $(CPPFLAGS) $(CFLAGS) -DCOMMAND=$* -DNAME='"$(full_name)"' -DLIBRARY='"$(library)"' \
		-c $< -o $@
	@echo "iospan is built without the command $(full_name), because the library $(library) is missing"
