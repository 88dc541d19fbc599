package request

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

// pathOn returns the path, below the profile's base address, that an argument of `request` names: a
// path, or a whole address of the same gateway.
func pathOn(arg, base string) (string, error) {
	if strings.ContainsFunc(arg, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "", kit.Usage("path %q: blanks and control characters have to be escaped, as %%20", client.CleanLine(arg))
	}
	if strings.Contains(arg, "#") {
		return "", kit.Usage("path %q: what follows # is never sent; write %%23 for the character", client.CleanLine(arg))
	}
	if strings.HasPrefix(arg, "/") {
		if strings.HasPrefix(arg, "//") {
			return "", kit.Usage("path %q: it begins with one /", client.CleanLine(arg))
		}
		if _, err := url.Parse(arg); err != nil {
			return "", kit.Usage("path %q is not one: %s", client.CleanLine(arg), client.CleanLine(err.Error()))
		}
		return arg, nil
	}
	to, err := url.Parse(arg)
	own, _ := url.Parse(base)
	switch {
	case err != nil || to.Host == "" || own == nil:
		return "", kit.Usage("path %q: it begins with /, as /v1beta/models", client.CleanLine(arg))
	case to.User != nil:
		return "", kit.Usage("the address holds a user or a password, which is not sent: leave it out; the profile's key is used")
	case originOf(to) != originOf(own):
		return "", kit.Usage("%s is not the profile's gateway (%s): %w", originOf(to), originOf(own), errOrigin)
	}
	prefix := strings.TrimRight(own.EscapedPath(), "/")
	path := to.EscapedPath()
	if path == "" {
		path = "/"
	}
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok || rest != "" && !strings.HasPrefix(rest, "/") {
		return "", kit.Usage("%q is not below the profile's base address %s", client.CleanLine(arg), client.CleanLine(base))
	}
	if rest == "" {
		rest = "/"
	}
	if to.RawQuery != "" {
		rest += "?" + to.RawQuery
	}
	return rest, nil
}

// originOf returns the scheme, host and port of an address, to compare and to show.
func originOf(u *url.URL) string {
	port := u.Port()
	scheme := strings.ToLower(u.Scheme)
	if scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		port = ""
	}
	out := scheme + "://" + strings.ToLower(u.Hostname())
	if port != "" {
		out += ":" + port
	}
	return client.CleanLine(out)
}

// jsonText returns a JSON body indented, its numbers and the order of its keys left alone; nil if
// it is not JSON.
func jsonText(b []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, b, "", "  ") != nil {
		return nil
	}
	return out.Bytes()
}

// complete offers methods, then the paths that the catalog knows for them.
func (o *options) complete(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return client.RawMethods(), cobra.ShellCompDirectiveNoFileComp
	case 1:
		return o.paths(strings.ToUpper(args[0]), typed)
	case 2:
		if strings.HasPrefix(typed, "@") {
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// paths offers the paths of the catalog's formats for a method, cut where an identifier has to be
// filled in: no blank follows then.
func (o *options) paths(method, typed string) ([]string, cobra.ShellCompDirective) {
	cat, err := o.k.Catalog()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	said := []string{"GET /v1beta/models"}
	for _, f := range cat.Formats() {
		said = append(said, f.Create, f.Query)
	}
	open := false
	var out []string
	for _, s := range said {
		m, path, ok := strings.Cut(s, " ")
		if !ok || m != method {
			continue
		}
		path, _, cut := strings.Cut(path, "{")
		if !strings.HasPrefix(path, typed) || slices.Contains(out, path) {
			continue
		}
		open = open || cut
		out = append(out, path)
	}
	if open {
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
