package kit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/jsonquery"
	"darkroom/jobs/bodies"
)

// JQ is --jq: a filter in the language of jq, nil where none was given.
type JQ struct {
	text   string
	filter *jsonquery.Filter
}

// String implements pflag.Value.
func (j *JQ) String() string { return j.text }

// Type implements pflag.Value.
func (*JQ) Type() string { return "filter" }

// Set implements pflag.Value; what is wrong with the filter is told before anybody is asked.
func (j *JQ) Set(s string) (err error) {
	j.text = s
	j.filter, err = jsonquery.Compile(s)
	return err
}

// Given reports whether there is a filter.
func (j *JQ) Given() bool { return j.filter != nil }

// Print writes what comes of a body: each value by itself for people, a text without its quotation
// marks; a list of them as JSON.
func (j *JQ) Print(ctx context.Context, k *Kit, b *bodies.Body) error {
	values, err := j.filter.Run(ctx, b.Body)
	if err != nil && !json.Valid(b.Body) {
		return fmt.Errorf("--jq: %s: %s", b.Label(), b.NoJSON())
	}
	if !k.Out.Table() {
		if err != nil {
			return fmt.Errorf("--jq: %w", err)
		}
		return List(k.Out, values)
	}
	for _, v := range values {
		text := ""
		if json.Unmarshal(v, &text) != nil || string(v) == "null" {
			text = Pretty(v)
		}
		if err := k.IO.Raw([]byte(text)); err != nil {
			return err
		}
	}
	if err != nil {
		return fmt.Errorf("--jq: %w", err)
	}
	return nil
}

// Changes prints what differs in a body, as seen from another one.
func (k *Kit) Changes(was, is *bodies.Body) error {
	all, err := bodies.Diff(was, is)
	if err != nil {
		return err
	}
	if !k.Out.Table() {
		return List(k.Out, all)
	}
	k.IO.Printf("%s → %s\n", was.Label(), is.Label())
	if len(all) == 0 {
		k.IO.Printf("nothing differs\n")
	}
	for _, c := range all {
		k.IO.Printf("%s %s\n", c.Sign(), client.CleanLine(c.Path))
		if c.Was != nil {
			k.IO.Printf("    - %s\n", client.CleanLine(string(c.Was)))
		}
		if c.Is != nil {
			k.IO.Printf("    + %s\n", client.CleanLine(string(c.Is)))
		}
	}
	return nil
}

// Readable is a body for people: JSON indented, a web page as text below its title.
func Readable(b []byte) string {
	p, page := client.ReadPage(b)
	if !page {
		return Pretty(b)
	}
	return PageTitle(p) + "\n" + strings.Join(p.Lines, "\n")
}

// PageTitle says that a web page came, and which.
func PageTitle(p client.Page) string {
	if p.Title == "" {
		return "a web page in place of JSON:"
	}
	return "a web page in place of JSON: “" + p.Title + "”"
}
