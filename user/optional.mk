# SPDX-License-Identifier: GPL-2.0-or-later
# Commands with a library of their own. If pkg-config does not find the library, the build leaves out
# the command, and user/missing.c takes its place. The Makefile includes this file.
PKG_CONFIG ?= pkg-config
library_exporter := libmicrohttpd
library_top := ncursesw
missing := $(foreach name,exporter top,$(if $(shell $(PKG_CONFIG) --exists $(library_$(name)) && echo yes),,$(name)))

LDLIBS += $(if $(filter exporter,$(missing)),,-lmicrohttpd -lcrypt) \
	$(if $(filter top,$(missing)),,-lncursesw -ltinfo)
cmds := $(filter-out $(missing:%=user/cmd-%.c),$(cmds))
lib := $(filter-out $(foreach name,$(missing),user/$(name)/%),$(lib))

$O/iospan: $(missing:%=$O/user/missing-%.o)
$O/user/missing-%.o: user/missing.c
	$(call say,CC,$@)
	$Q$(CC) $(CPPFLAGS) $(CFLAGS) -DCOMMAND=$* -DLIBRARY='"$(library_$*)"' -c $< -o $@
	@echo "iospan is built without the command $*, because the library $(library_$*) is missing"
