package client

import (
	"bytes"
	"html"
	"strings"

	"darkroom/client/text"
)

// Page is a web page that came in place of JSON, as text. All of it is clean.
type Page struct {
	Title string // one line, "" for none
	// Lines are what the page says, each text between two tags a line.
	Lines []string
}

// Bounds of a page.
const (
	maxPage      = 256 << 10 // bytes that are read
	maxPageTitle = 200       // bytes
	maxPageLines = 500
)

// ReadPage reads a body that is a web page; false for what is none, or says nothing. It draws no page: tags are
// passed over, and what a browser runs or hides.
func ReadPage(body []byte) (Page, bool) {
	b := bytes.TrimLeft(body[:min(len(body), maxPage)], " \t\r\n\ufeff")
	if len(b) == 0 || b[0] != '<' || !htmlSign().Match(b[:min(len(b), maxErrBody)]) {
		return Page{}, false
	}
	p := Page{Title: text.Cap(CleanLine(titleOf(string(b))), maxPageTitle)}
	for l := range strings.SplitSeq(htmlTag().ReplaceAllString(htmlUnseen().ReplaceAllString(string(b), "\n"), "\n"), "\n") {
		l = CleanLine(strings.Join(strings.Fields(html.UnescapeString(l)), " "))
		if l == "" {
			continue
		}
		if p.Lines = append(p.Lines, l); len(p.Lines) == maxPageLines {
			break
		}
	}
	return p, p.Title != "" || len(p.Lines) > 0
}

var (
	htmlSign   = text.Pattern(`(?i)<(!doctype\s+html|html|head|body|title|h1)\b`)
	htmlUnseen = text.Pattern(`(?is)<(script|style|head)\b.*?</(script|style|head)\s*>|<!--.*?-->`)
	htmlTag    = text.Pattern(`(?s)<[^>]*>`)
	htmlTitle  = text.Pattern(`(?is)<title[^>]*>(.*?)</title>`)
)

// titleOf is the title of a page, in one line.
func titleOf(s string) string {
	m := htmlTitle().FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return strings.Join(strings.Fields(html.UnescapeString(m[1])), " ")
}

// stripHTML is what a page says in one line, else its title.
func stripHTML(s string) string {
	s = s[:min(len(s), maxErrBody)]
	t := htmlTag().ReplaceAllString(htmlUnseen().ReplaceAllString(s, " "), " ")
	if t = strings.Join(strings.Fields(html.UnescapeString(t)), " "); t == "" {
		t = titleOf(s)
	}
	return t
}
