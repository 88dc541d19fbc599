package script

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDirectives(t *testing.T) {
	cases := map[string]struct {
		text string
		want Script
		rest string
	}{
		"none":           {"a [[kite]]", Script{}, "a [[kite]]"},
		"fail":           {"a [[sandbox:fail]] kite", Script{Fail: true}, "a  kite"},
		"fail with code": {`[[sandbox:fail code=X message="no luck"]]`, Script{Fail: true, FailCode: "X", FailMessage: "no luck"}, ""},
		"slow":           {"[[sandbox:slow]]", Script{Slow: 10}, ""},
		"slow by":        {"[[sandbox:slow by=2.5]]", Script{Slow: 2.5}, ""},
		"stay queued":    {"[[sandbox:stay-queued]]", Script{Stay: StayQueued}, ""},
		"stay running":   {"[[sandbox:stay-running]]", Script{Stay: StayRunning}, ""},
		"unknown status": {"[[sandbox:unknown-status]]", Script{Term: "reticulating"}, ""},
		"term":           {"[[sandbox:status term=NOT_START]]", Script{Term: "NOT_START"}, ""},
		"first status":   {"[[sandbox:first-status]]", Script{First: "unknown"}, ""},
		"no URL":         {"[[sandbox:no-url]] [[sandbox:error-url]]", Script{Forms: Forms{NoURL: true, ErrorURL: true}}, ""},
		"types":          {"[[sandbox:types]] [[sandbox:millis]] [[sandbox:flat]]", Script{Forms: Forms{Types: true, Millis: true, Flat: true}}, ""},
		"expire":         {"[[sandbox:expire]]", Script{Expire: Expiry{After: 3600, Status: 403}}, ""},
		"expire fixed":   {"[[sandbox:expire after=5 status=410 fixed]]", Script{Expire: Expiry{After: 5, Status: 410, Fixed: true}}, ""},
		"forget":         {"[[sandbox:forget]]", Script{Forget: 86400}, ""},
		"zone":           {"[[sandbox:no-zone by=+08:00]]", Script{Forms: Forms{Zone: "+08:00", NoZone: true}}, ""},
		"html":           {"[[sandbox:html]]", Script{Answers: []Fault{{Kind: HTML, On: Query, Retry: -1}}}, ""},
		"reset":          {"[[sandbox:reset on=create]]", Script{Answers: []Fault{{Kind: Reset, On: Create, Retry: -1}}}, ""},
		"truncated":      {"[[sandbox:truncated times=1]]", Script{Answers: []Fault{{Kind: Truncated, On: Content, Times: 1, Retry: -1}}}, ""},
		"delay":          {"[[sandbox:delay ms=20 on=all]]", Script{Answers: []Fault{{Kind: Delay, Millis: 20, Retry: -1}}}, ""},
		"a burst":        {"[[sandbox:500 on=query skip=1 times=2]]", Script{Answers: []Fault{{Kind: HTTP, On: Query, HTTP: 500, Skip: 1, Times: 2, Retry: -1}}}, ""},
		"a date":         {"[[sandbox:429 retry-after=3 date]]", Script{Answers: []Fault{{Kind: HTTP, On: Create, HTTP: 429, Retry: 3, Date: true}}}, ""},
		"429":            {"[[sandbox:429 retry-after=3 times=2]]", Script{Answers: []Fault{{Kind: HTTP, On: Create, HTTP: 429, Retry: 3, Times: 2}}}, ""},
		"500 after":      {"[[sandbox:500 after]]", Script{Answers: []Fault{{Kind: HTTP, On: Create, HTTP: 500, After: true, Retry: -1}}}, ""},
		"http":           {"[[sandbox:http code=503]]", Script{Answers: []Fault{{Kind: HTTP, On: Create, HTTP: 503, Retry: -1}}}, ""},
		"two":            {"[[sandbox:slow]] x [[ sandbox:no]] [[sandbox:FAIL]]", Script{Slow: 10, Fail: true}, "x [[ sandbox:no]]"},
		"async":          {"x [[sandbox:async]]", Script{Async: true}, "x"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			sc, rest, err := OfPrompt(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, sc)
			assert.Equal(t, c.rest, rest)
		})
	}
	for text, message := range map[string]string{
		"[[sandbox:nope]]":             "allowed: fail, slow",
		"[[sandbox:]]":                 "allowed: fail, slow",
		"[[sandbox:fail cod=x]]":       "allowed: code, message",
		"[[sandbox:stay-queued x]]":    "allowed: none",
		"[[sandbox:slow by=0]]":        "factor",
		"[[sandbox:slow by=NaN]]":      "factor",
		"[[sandbox:200]]":              "allowed are 400",
		"[[sandbox:429 times=x]]":      "times",
		"[[sandbox:500 skip=-1]]":      "skip",
		"[[sandbox:500 on=moon]]":      "create, query, content, list, all",
		"[[sandbox:delay ms=99999]]":   "60000",
		"[[sandbox:html code=500]]":    "unknown argument",
		"[[sandbox:no-url x]]":         "allowed: none",
		"[[sandbox:http]]":             "allowed are 400",
		"[[sandbox:429 retry-after=]]": "retry-after",
	} {
		_, _, err := OfPrompt(text)
		assert.ErrorContains(t, err, message, text)
	}
}

func FuzzDirectives(f *testing.F) {
	for _, s := range []string{"x", "[[sandbox:fail code=X]]", `[[sandbox:fail message="a b" code]]`, "[[sandbox:429 times=3 after]]", "[[sandbox:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sc, rest, err := OfPrompt(s)
		if err == nil && len(rest) > len(s) {
			t.Errorf("%q became %q", s, rest)
		}
		for _, f := range sc.Answers {
			if f.Kind == HTTP && (f.HTTP < 400 || f.HTTP > 599) {
				t.Errorf("status %d", f.HTTP)
			}
		}
	})
}

func FuzzFaultRules(f *testing.F) {
	for _, s := range []string{"", ";;", "fail code=X; 429 retry-after=1 date", `fail message="a;b"`, `"`, `500 on=query times=2 skip=1;types`, "delay ms=0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sc, err := OfHeader(s)
		if err != nil {
			return
		}
		for _, x := range sc.Answers {
			if x.Times < 0 || x.Skip < 0 || x.Millis < 0 || x.Millis > delayMax || x.Kind == HTTP && x.HTTP < 400 {
				t.Errorf("%q: %+v", s, x)
			}
		}
	})
}

func FuzzForms(f *testing.F) {
	for _, s := range []string{`{"error":{"code":1}}`, `{"items":"[{\"url\":\"x\"}]","created_at":"12","progress":3}`, `{"data":{"fail_reason":"x"}}`, `[`, `null`, `{"creations":[[]]}`} {
		f.Add(s, 200)
		f.Add(s, 500)
	}
	f.Fuzz(func(t *testing.T, s string, status int) {
		out := Forms{NoURL: true, ErrorURL: true, Types: true, Flat: true, Zone: "+05:30", NoZone: status%2 == 0}.Apply([]byte(s), status)
		if json.Valid([]byte(s)) && strings.TrimSpace(s) != "" && !json.Valid(out) {
			t.Errorf("%q became %q", s, out)
		}
	})
}

// Every rule is explained where testers look for it.
func TestFaultsAreDocumented(t *testing.T) {
	for _, file := range []string{"../doc.go", "../../../docs/SANDBOX.md"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range strings.FieldsFunc(directiveNames, func(r rune) bool { return r == ',' || r == ' ' }) {
			if name == "or" || name == "an" || name == "as" || name == "HTTP" || name == "status" {
				continue
			}
			assert.Contains(t, string(text), name, file)
		}
		for _, word := range []string{"X-Sandbox-Fault", "retry-after", "skip=", "times=", "on=", "ms=N", "term=X", "model=", "rate=", "tasks=N", "hours=N", "claim=asked"} {
			assert.Contains(t, string(text), word, file)
		}
	}
}
