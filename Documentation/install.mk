# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the manual pages, and defines the targets "install" and "uninstall". The Makefile defines the
# variables.
UNITDIR ?= $(PREFIX)/lib/systemd/system
DOCDIR ?= $(SHAREDIR)/doc/iospan

$O/man/%.1: Documentation/%.rst Documentation/man.sed
	$(call say,MAN,$@)
	$Qmkdir -p $(@D) && rst2man $< $@ && sed -i -f Documentation/man.sed $@

install: all $(if $(shell command -v rst2man),$(pages:Documentation/%.rst=$O/man/%.1))
install: ## install below DESTDIR and PREFIX
	install -D -m 755 $O/iospan $(DESTDIR)$(BINDIR)/iospan
	install -D -m 755 -t $(DESTDIR)$(LIBDIR) $(libs)
	for place in bash/bash-completion/completions/iospan zsh/zsh/site-functions/_iospan \
		fish/fish/vendor_completions.d/iospan.fish; do \
		$(RUN) $O/iospan completion $${place%%/*} | install -D -m 644 /dev/stdin $(DESTDIR)$(SHAREDIR)/$${place#*/}; \
	done
	install -D -m 644 -t $(DESTDIR)$(SHAREDIR)/iospan/schema $(wildcard Documentation/schema/*.json)
	install -D -m 644 -t $(DESTDIR)$(SHAREDIR)/iospan/prometheus \
		$(filter-out %.service,$(wildcard Documentation/prometheus/*))
	sed 's|/usr/local/bin/|$(BINDIR)/|' Documentation/prometheus/iospan-exporter.service | \
		install -D -m 644 /dev/stdin $(DESTDIR)$(UNITDIR)/iospan-exporter.service
	install -D -m 644 -t $(DESTDIR)$(DOCDIR) \
		$(filter-out Documentation/iospan%,$(wildcard Documentation/*.rst))
	$(if $(filter %.1,$^),install -D -m 644 -t $(DESTDIR)$(MANDIR)/man1 $(filter %.1,$^),\
		@echo 'no manual pages: rst2man is missing (Debian: python3-docutils)')

# Installs below $O/installed to know the files, and removes the same files below DESTDIR. Of the
# folders, removes those of iospan alone.
uninstall: ## remove what "make install" with the same DESTDIR and PREFIX has installed
	rm -rf $O/installed
	$(MAKE) -s install DESTDIR=$(abspath $O/installed)
	cd $O/installed && find . ! -type d -printf '$(abspath $(DESTDIR))/%P\0' | xargs -0 rm -f
	cd $O/installed && find . -depth -type d -path './*/iospan*' \
		-printf '$(abspath $(DESTDIR))/%P\0' | xargs -0 rmdir --ignore-fail-on-non-empty 2>/dev/null || :

.PHONY: install uninstall
