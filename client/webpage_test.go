package client_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestAWebPageIsReadAsText(t *testing.T) {
	for name, x := range map[string]struct {
		body string
		want client.Page
	}{
		"a proxy": {"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>",
			client.Page{Title: "502 Bad Gateway", Lines: []string{"502 Bad Gateway", "nginx"}}},
		"a console": {"\ufeff<!DOCTYPE html><html><head><title>\n Sign &amp; go\n</title><script>evil()</script></head><body><div id=root></div></body></html>",
			client.Page{Title: "Sign & go"}},
		"hidden":  {"<html><style>p{}</style><!-- no --><p>a &lt; b<script>x</script>c", client.Page{Lines: []string{"a < b", "c"}}},
		"hostile": {"<title>\x1b[2Jtitle\u202e</title><p>&#27;[31mred", client.Page{Title: "␛[2Jtitle<U+202E>", Lines: []string{"␛[2Jtitle<U+202E>", "␛[31mred"}}},
		"cut":     {"<html><title>never ends", client.Page{Lines: []string{"never ends"}}},
	} {
		got, ok := client.ReadPage([]byte(x.body))
		require.True(t, ok, name)
		assert.Equal(t, x.want, got, name)
	}
	for _, no := range []string{"", "{}", "<", "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>", "plain", "<htmlx>", "<html>", "<html><script>x()</script>"} {
		_, ok := client.ReadPage([]byte(no))
		assert.False(t, ok, no)
	}
}

func FuzzReadPage(f *testing.F) {
	for _, s := range []string{"<html><title>x</title>", "<TITLE\n>&#x1b;</title><p>", "<!doctype html><!--", "<html>" + strings.Repeat("<p>x", 3000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := client.ReadPage([]byte(s))
		if !ok && (p.Title != "" || p.Lines != nil) {
			t.Fatalf("%+v", p)
		}
		for _, l := range append(p.Lines, p.Title) {
			if client.CleanLine(l) != l {
				t.Fatalf("not clean: %q", l)
			}
		}
	})
}
