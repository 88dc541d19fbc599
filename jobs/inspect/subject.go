package inspect

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"darkroom/client"
	"darkroom/client/text"
)

// Kind is what a pasted text was taken for.
type Kind string

// What a text can be about.
const (
	// KindID is an id: that of a task at the gateway, or that of a job here, whole or its last
	// digits.
	KindID Kind = "id"
	// KindRequest is the id of one request.
	KindRequest Kind = "request id"
	// KindResult is the address of a result.
	KindResult Kind = "result address"
)

// Subject is one thing that a text asks about.
type Subject struct {
	Kind  Kind
	Value string
	// From says where in the text it stood, for people, such as "task_id in a JSON body"; "" if it
	// is the whole text.
	From string
}

// Bounds of a text that is read: what is beyond them is passed over, and the caller has to say so.
const (
	MaxText     = 4 << 20 // bytes
	MaxSubjects = 5000
	maxValue    = 500 // characters of one id
	maxDepth    = 12  // of a JSON body
)

// Read says what a pasted text is about: an id, many in lines of their own, an address, a JSON body,
// a line of a log, a paragraph. Each subject comes once, in the order of the text.
func Read(text string) []Subject {
	r := reader{seen: map[Subject]bool{}}
	text = strings.ToValidUTF8(text[:min(len(text), MaxText)], "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // terminals paste lines with carriage returns
	if !r.json(text, "") {
		r.prose = prose(text)
		for line := range strings.Lines(text) {
			r.line(strings.TrimSpace(Visible(line)))
		}
	}
	return r.out
}

const inLine = " in a line"

// reader collects subjects.
type reader struct {
	out  []Subject
	seen map[Subject]bool
	// prose says that the text has lines of several words: a single word is then an id only if it
	// has a digit.
	prose bool
}

func prose(text string) bool {
	for line := range strings.Lines(text) {
		if strings.ContainsAny(strings.TrimSpace(line), " \t") {
			return true
		}
	}
	return false
}

func (r *reader) add(kind Kind, value, from string) bool {
	value = strings.Trim(value, " \"'`<>,;()[]{}")
	if value == "" || len(r.out) == MaxSubjects {
		return false
	}
	if kind != KindResult {
		if v := []rune(value); len(v) > maxValue {
			value = string(v[:maxValue])
		}
	}
	if key := (Subject{Kind: kind, Value: value}); !r.seen[key] {
		r.seen[key] = true
		r.out = append(r.out, Subject{Kind: kind, Value: value, From: from})
	}
	return true
}

// line reads one line of text.
func (r *reader) line(line string) {
	line = strings.Trim(line, "\"'`<>,; ")
	switch {
	case line == "":
	case !strings.ContainsAny(line, " \t"):
		r.word(line)
	default:
		r.words(line)
	}
}

// word reads a line that is one word: an address or an id.
func (r *reader) word(w string) {
	if r.address(w, "") || r.path(w, "a path") {
		return
	}
	switch m := named().FindStringSubmatch(w); {
	case m != nil && m[0] == w:
		r.name(m)
	case strings.ContainsAny(w, "{}\""):
		r.words(w)
	case !r.prose || strings.ContainsAny(w, "0123456789"):
		r.add(KindID, w, "")
	}
}

var (
	// named is an id after its name, as in "task_id=…" and "request id: …".
	named = text.Pattern(`(?i)["']?\b((?:x-)?(?:[a-z]+-)?request[ _-]?id|(?:task|video|response|job|operation)[ _-]?id|id|job|task)\b["']?(\s*[:=]\s*|\s+)["']?([^\s"'` + "`" + `,;(){}<>]+)`)
	// webURL is an address in a text.
	webURL = text.Pattern(`https?://[^\s"'` + "`" + `<>]+`)
	// credential is a key after its name: not an id, and never to be sent or kept.
	credential = text.Pattern(`(?i)\b(?:bearer|basic)\s+\S+|\b(?:[a-z]+[-_])?(?:api[-_]?key|token|secret|authorization|password)["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?[^\s"',;]+`)
	// prefixed, uuid and longHex are how ids look without a name before them.
	prefixed = text.Pattern(`^(video|task|resp|response|cgt|img|image|music|job|gen|chatcmpl|req|request)[-_][A-Za-z0-9_-]{4,}$`)
	uuid     = text.Pattern(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	longHex  = text.Pattern(`^[0-9a-fA-F]{16,}$`)
)

// words reads a line of several words: addresses, a JSON body within it, ids after their names, and
// words that look like ids.
func (r *reader) words(line string) {
	if at := strings.IndexAny(line, "{["); at > 0 && r.json(line[at:], inLine) {
		line = line[:at]
	}
	for _, u := range webURL().FindAllString(line, -1) {
		r.address(strings.TrimRight(u, ".,;:!?)]}"), "an address in the text")
	}
	line = credential().ReplaceAllString(webURL().ReplaceAllString(line, " "), " ")
	for _, m := range named().FindAllStringSubmatch(line, -1) {
		r.name(m)
	}
	for _, w := range strings.FieldsFunc(line, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"'`,;(){}<>=", c) }) {
		w = strings.TrimRight(w, ".:!?")
		switch {
		case r.path(w, "a path in the text"):
		case strings.HasPrefix(strings.ToLower(w), "req") && prefixed().MatchString(w):
			r.add(KindRequest, w, "looks like one")
		case looksLikeID(w):
			if !r.seen[Subject{Kind: KindRequest, Value: w}] {
				r.add(KindID, w, "looks like one")
			}
		}
	}
}

// name takes an id that stands after its name. After a blank it has to have a digit: "task failed"
// names none.
func (r *reader) name(m []string) {
	name, sign, value := m[1], strings.TrimSpace(m[2]), strings.TrimRight(m[3], ".:!?]")
	if sign == "" && !strings.ContainsAny(value, "0123456789") || client.CheckTaskID(value) != nil {
		return
	}
	kind := KindID
	if strings.Contains(strings.ToLower(name), "request") {
		kind = KindRequest
	}
	r.add(kind, value, strings.ToLower(name)+" in the text")
}

// address takes the id from an address of the gateway, or the whole address as that of a result.
func (r *reader) address(w, from string) bool {
	u, err := url.Parse(w)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false
	}
	return r.path(u.EscapedPath(), "the path of an address") || r.add(KindResult, w, from)
}

// queries are the query paths of GATEWAY.md (Endpoints), the id of each in the one group.
var queries = []func() *regexp.Regexp{
	text.Pattern(`/v1/videos/([^/]+)(?:/content)?/?$`),
	text.Pattern(`/api/v3/contents/generations/tasks/([^/]+)/?$`),
	text.Pattern(`/ent/v2/tasks/([^/]+)/creations/?$`),
	text.Pattern(`/api/v1/tasks/([^/]+)/?$`),
	text.Pattern(`/famF/v1/videos/image2video/([^/]+)/?$`),
	text.Pattern(`/famN/fetch/([^/]+)/?$`),
	text.Pattern(`/v1/responses/([^/]+)/?$`),
}

// path takes the id from a query path.
func (r *reader) path(p, from string) bool {
	p, _, _ = strings.Cut(p, "?")
	if !strings.Contains(p, "/") {
		return false
	}
	for _, q := range queries {
		if m := q().FindStringSubmatch(p); m != nil {
			if id, err := url.PathUnescape(m[1]); err == nil {
				return r.add(KindID, id, from)
			}
		}
	}
	return false
}

// IDsIn returns the parts of an address's path that look like ids.
func IDsIn(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var out []string
	for p := range strings.SplitSeq(u.Path, "/") {
		p, _, _ = strings.Cut(p, ".")
		if looksLikeID(p) {
			out = append(out, p)
		}
	}
	return out
}

func looksLikeID(w string) bool {
	return uuid().MatchString(w) || strings.ContainsAny(w, "0123456789") && (longHex().MatchString(w) || prefixed().MatchString(w))
}

// json reads a text that begins with a JSON object or list that names ids, and what follows it;
// false for all else.
func (r *reader) json(text, where string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return false
	}
	before := len(r.out)
	r.value(v, where, 0)
	if len(r.out) == before {
		return false
	}
	if rest := text[d.InputOffset():]; len(r.out) < MaxSubjects && !r.json(rest, where) {
		if where == inLine { // cleaned already, as a whole
			r.line(strings.TrimSpace(rest))
			return true
		}
		for line := range strings.Lines(rest) {
			r.line(strings.TrimSpace(Visible(line)))
		}
	}
	return true
}

// Keys of a body that hold ids (GATEWAY: Tasks), and those whose objects are further tasks.
var (
	idKeys     = []string{"id", "task_id", "video_id", "response_id", "operation_name", "name"}
	requestIDs = []string{"request_id", "requestId"}
	inner      = []string{"output", "data", "error", "task", "tasks", "items", "results", "jobs"}
)

// value reads a decoded body: the ids of an object, else those of what it holds.
func (r *reader) value(v any, where string, depth int) {
	if depth > maxDepth {
		return
	}
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			if s, ok := e.(string); ok {
				r.line(s)
			} else {
				r.value(e, where, depth+1)
			}
		}
	case map[string]any:
		r.object(x, where, depth)
	}
}

func (r *reader) object(x map[string]any, where string, depth int) {
	for _, k := range idKeys {
		if s := word(x[k]); s != "" && client.CheckTaskID(s) == nil && (k != "name" || strings.HasPrefix(s, "operations/") || strings.Contains(s, "/operations/")) {
			r.add(KindID, s, k+" in a JSON body"+where)
			break // further ones name the same task in another way
		}
	}
	for _, k := range requestIDs {
		if s := word(x[k]); s != "" {
			r.add(KindRequest, s, k+" in a JSON body"+where)
		}
	}
	for _, k := range inner {
		switch s, ok := x[k].(string); {
		case !ok:
			r.value(x[k], where, depth+1)
		case k == "data" && client.CheckTaskID(s) == nil:
			r.add(KindID, s, "data in a JSON body"+where) // GATEWAY: Music and sound request
		}
	}
}

// word returns a string, or a number as it was written.
func word(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	default:
		return ""
	}
}

// Visible drops invisible characters, which no id has but pasted ones often bring along.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || client.CleanLine(string(r)) != string(r):
			return -1
		default:
			return r
		}
	}, s)
}

// Columns returns the names of table columns that hold ids, likely ones first.
func Columns() []string {
	return []string{"task_id", "task id", "taskid", "video_id", "response_id", "job_id", "job", "id", "task", "request_id"}
}

// Column returns the index of the column with ids in a table's head: the one with the given name,
// in upper or lower case, or without a name the likeliest; -1 if there is none.
func Column(head []string, name string) int {
	names := Columns()
	if name != "" {
		names = []string{name}
	}
	for _, n := range names {
		if i := slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), n) }); i >= 0 {
			return i
		}
	}
	return -1
}
