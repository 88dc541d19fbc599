// Package intake reads an existing request, as a curl command or a JSON body of any wire format,
// back into a draft: the opposite of the formats' tables.
//
// It is pure. Nothing is lost on the way: what no field of the catalog covers becomes a raw
// addition of the draft. Only credentials (headers, cookies, a user in the address, members of a
// body that are surely keys) and requests for a stream are left out; the result says so.
package intake

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"darkroom/client"
	"darkroom/client/catalog"
)

// maxText bounds what is read, in bytes.
const maxText = 64 << 20

// errNoRequest says that a text is readable, but no request that fills a draft.
var errNoRequest = errors.New("nothing in it is a field of a request to the gateway")

// Reader reads requests. Its methods are safe for concurrent use.
type Reader struct {
	Catalog *catalog.Catalog
	Formats []client.Format
	// CreatePaths are the paths that a profile names for formats whose create is not shown.
	CreatePaths map[string]string
	// Dialect is the gateway's dialect: requests in its words are understood as well as those in
	// the interface's.
	Dialect client.Dialect
}

// Hint is what to assume where a request does not say it.
type Hint struct {
	Modality client.Modality
	Model    string // whose formats the body is likely of
	Format   string // that the body is of; "" to find out
}

// Result is a request that was read.
type Result struct {
	// Draft has the values under canonical names, with their types as they came: the
	// formats take a number for a text and the reverse.
	Draft client.Draft
	// Format is the format of the request.
	Format string
	// Command says that it was a curl command.
	Command bool
	// Secret says that the text contained credentials. They are not in Draft.
	Secret bool
	// Notes tell a person what was left out, and what to check.
	Notes []string
}

// Looks reports, at a glance, whether a text may be a request: a curl command or a JSON
// object.
func Looks(text string) bool {
	text = strings.TrimSpace(text)
	return IsCommand(text) || len(text) > 1 && text[0] == '{' && text[len(text)-1] == '}'
}

// IsCommand reports whether a text begins as a curl command does.
func IsCommand(text string) bool {
	text = strings.TrimPrefix(strings.TrimSpace(text), "$ ")
	text = strings.TrimSpace(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i > 0 {
		text = text[:i]
	}
	return text == "curl" || text == "curl.exe"
}

// Read reads a curl command, a JSON body, or a body under a line as "POST /v1/videos". The
// error says where the text is wrong; it never quotes what may be a key.
func (r Reader) Read(text string, h Hint) (Result, error) {
	if len(text) > maxText {
		return Result{}, fmt.Errorf("the text has more than %d MiB", maxText>>20)
	}
	text = strings.TrimPrefix(strings.TrimSpace(text), "\ufeff")
	if IsCommand(text) {
		c, err := parseCurl(text)
		if err != nil {
			return Result{Command: true, Secret: holdsSecret(text)}, err
		}
		out, err := r.body(c.body, c.path, h)
		out.Command, out.Secret = true, out.Secret || len(c.secrets) > 0 || (err != nil || c.more || c.odd) && holdsSecret(text)
		out.Notes = append(c.notes, out.Notes...)
		return out, err
	}
	path, body := requestLine(text)
	return r.body(body, path, h)
}

// holdsSecret reports whether a text contains, or may contain, credentials.
func holdsSecret(text string) bool {
	secrets, all := secretsOf(text)
	return !all || len(secrets) > 0
}

// requestLine takes "POST /path" off a text, as `create --dry-run` prints it.
func requestLine(text string) (path, body string) {
	line, rest, ok := strings.Cut(text, "\n")
	method, target, two := strings.Cut(strings.TrimSpace(line), " ")
	if !ok || !two || method != "POST" {
		return "", text
	}
	target, _, _ = strings.Cut(strings.TrimSpace(target), " ")
	return pathOf(target), rest
}

// body reads a JSON body that was sent to a path; "" where the path is not known.
func (r Reader) body(text, path string, h Hint) (Result, error) {
	v, err := client.ParseJSON(text)
	if err != nil {
		return Result{}, fmt.Errorf("the body is not JSON: %w", err)
	}
	members, ok := v.(map[string]any)
	if !ok {
		return Result{}, errors.New(`the body is not a JSON object, as {"model": "…", "prompt": "…"}`)
	}
	members, path, format := unwrap(members, path)
	if format != "" && h.Format == "" && r.has(format) {
		h.Format = format
	}
	taken := takeSecrets(members)
	if out, own, err := ownDraft(members, format); own {
		out.Secret, out.Notes = len(taken) > 0, told(taken)
		return out, err
	}
	return r.decode(Result{Secret: len(taken) > 0, Notes: told(taken)}, members, path, h)
}
