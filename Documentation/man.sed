# Tables as man(1) shows them without a warning, also in a pipe: without lines, which may not cross
# the border of a page, and without stretched lines in narrow columns.
/^\.TS$/,/^\.TE$/ {
	s/^\.TS$/.na\n&/
	s/^\.TE$/&\n.ad b/
	/^_$/d
	/^|.*|\.$/s/|//g
}
# Installed pages have no folder Documentation. iospan(1) has the path of the others, under FILES.
s|Documentation/||g
