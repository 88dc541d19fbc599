package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/secret"
	"darkroom/client/shell"
	"darkroom/client/text"
)

// curl is what a curl command would send.
type curl struct {
	path    string
	body    string
	notes   []string
	secrets []string // credentials: to be kept nowhere

	method, here string
	headers      []string // names of those that are not taken over
	parts        []string // of the body
	get          bool
	more         bool // the text goes on behind the command
	odd          bool // a word that should be an address is none: quotes are inside out
}

// options with a value, by letter and by name. All others have none.
const optionLetters = "XHdAbceFmoQrTuUwxyYzECKP"

var optionNames = []string{
	"request", "header", "data", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "url",
	"url-query", "user", "oauth2-bearer", "cookie", "cookie-jar", "form", "form-string", "output", "output-dir", "max-time",
	"connect-timeout", "retry", "retry-delay", "retry-max-time", "proxy", "proxy-user", "user-agent", "referer", "cacert", "capath",
	"cert", "key", "resolve", "connect-to", "write-out", "limit-rate", "range", "upload-file", "interface",
	"proto", "ciphers", "config", "stderr", "trace", "trace-ascii", "dump-header", "unix-socket", "noproxy", "max-filesize",
	"keepalive-time", "pinnedpubkey", "tls-max", "speed-limit", "speed-time", "aws-sigv4", "expect100-timeout",
	"proxy-header", "pass", "proxy-pass", "tlspassword", "proxy-tlspassword", "tlsuser", "proxy-tlsuser",
}

var letterNames = map[byte]string{'X': "request", 'H': "header", 'd': "data", 'u': "user", 'b': "cookie", 'F': "form", 'G': "get",
	'T': "upload-file", 'I': "head", 'U': "proxy-user", 'x': "proxy", 'e': "referer"}

// parseCurl reads a command. Where it cannot be read, credentials are still found in the part
// before that place.
func parseCurl(text string) (curl, error) {
	command, err := shell.Parse(strings.TrimPrefix(text, "$ "))
	c := curl{here: command.Here, more: command.More}
	if said := c.options(command.Words); err == nil {
		err = said
	}
	if err != nil {
		return c, err
	}
	return c, c.finish()
}

// options reads the words of a command.
func (c *curl) options(list []string) (err error) {
	for i := 1; i < len(list); i++ {
		w := list[i]
		switch {
		case w == "--" || w == "-":
		case strings.HasPrefix(w, "--"):
			name, value, has := strings.Cut(w[2:], "=")
			if !has && slices.Contains(optionNames, name) {
				if i++; i < len(list) {
					value = list[i]
				}
			}
			err = errors.Join(err, c.option(name, value))
		case w[:min(len(w), 1)] == "-":
			for j := 1; j < len(w); j++ {
				value := ""
				takes := strings.IndexByte(optionLetters, w[j]) >= 0
				if takes {
					if value = w[j+1:]; value == "" && i+1 < len(list) {
						i++
						value = list[i]
					}
				}
				err = errors.Join(err, c.option(letterNames[w[j]], value))
				if takes {
					break
				}
			}
		default:
			c.odd = c.odd || strings.ContainsAny(w, " \t\n")
			c.url(w)
		}
	}
	return err
}

// option applies one option. Options that do not change the request are ignored.
func (c *curl) option(name, value string) error {
	switch name {
	case "request":
		c.method = strings.ToUpper(value)
	case "head":
		c.method = "HEAD"
	case "get":
		c.get = true
	case "header", "proxy-header":
		c.header(value)
	case "user", "proxy-user":
		if strings.Contains(value, ":") || len(value) >= 8 { // else it is a name whose password is asked for
			c.secret(value)
		}
	case "cookie":
		if strings.Contains(value, "=") { // else it is a file
			c.secret(value)
		}
	case "oauth2-bearer", "pass", "proxy-pass", "tlspassword", "proxy-tlspassword":
		c.secret(value)
	case "url":
		c.url(value)
	case "proxy", "referer":
		c.address(value)
	case "data", "data-binary", "data-ascii", "json":
		switch {
		case value == "@-" && c.here != "":
			value = c.here
		case strings.HasPrefix(value, "@"):
			return fmt.Errorf("the body is in the file %s, which is not read: paste its text", client.CleanLine(value[1:]))
		}
		c.parts = append(c.parts, value)
	case "data-raw":
		c.parts = append(c.parts, value)
	case "data-urlencode", "form", "form-string", "upload-file":
		return fmt.Errorf("--%s sends no JSON, and the gateway takes JSON only", name)
	}
	return nil
}

func (c *curl) header(line string) {
	name, value, _ := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	switch low := strings.ToLower(name); {
	case secret.HeaderName(low):
		c.secret(afterScheme(value))
	case low == "content-type", low == "accept", low == "user-agent", low == "expect", low == "":
	case !slices.Contains(c.headers, client.CleanLine(name)):
		c.headers = append(c.headers, client.CleanLine(name))
	}
}

// afterScheme is the credential in the value of a header, without the scheme before it.
func afterScheme(value string) string {
	value = strings.TrimSpace(value)
	scheme, rest := value, ""
	if i := strings.IndexAny(value, " \t\\"); i > 0 {
		scheme, rest = value[:i], strings.TrimLeft(value[i:], " \t\\")
	}
	if isScheme(scheme) {
		return rest
	}
	return value
}

func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "bearer", "basic", "token", "digest", "key", "apikey", "negotiate":
		return true
	}
	return false
}

// secret remembers a credential, unless it is only a placeholder, as $KEY is.
func (c *curl) secret(value string) {
	value = strings.TrimSpace(value)
	if value == "" || strings.ContainsAny(value[:1], "$<*…%{") {
		return
	}
	switch value {
	case "true", "false", "null", "none":
		return
	}
	c.secrets = append(c.secrets, value)
}

// url takes an address of the command; the first one counts.
func (c *curl) url(raw string) {
	c.address(raw)
	if c.path == "" {
		c.path = pathOf(raw)
	}
}

// address remembers the credentials in an address: a user with a password, and parts of the query.
func (c *curl) address(raw string) {
	for _, m := range userInfo().FindAllStringSubmatch(raw, -1) {
		c.secret(m[1])
		if _, password, ok := strings.Cut(m[1], ":"); ok && len(password) >= 8 {
			c.secret(password)
		}
	}
	for _, m := range queryPart().FindAllStringSubmatch(raw, -1) {
		if secret.HeaderName(m[1]) {
			c.secret(m[2])
		}
	}
}

var (
	userInfo  = text.Pattern(`://([^/\s'"?#\\]+)@`)
	queryPart = text.Pattern(`[?&]([^=&\s'"?#]+)=([^&#\s'"\\]+)`)
)

// pathOf is the path of an address, also of one that begins with a variable.
func pathOf(raw string) string {
	if i := strings.Index(raw, "://"); i >= 0 {
		raw = raw[i+3:]
		if j := strings.IndexByte(raw, '/'); j >= 0 {
			raw = raw[j:]
		} else {
			raw = "/"
		}
	} else if i := strings.IndexByte(raw, '/'); i > 0 {
		raw = raw[i:]
	}
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i]
	}
	return strings.TrimRight(raw, "/")
}

func (c *curl) finish() error {
	switch {
	case c.get || c.method != "" && c.method != "POST" || len(c.parts) == 0 && c.here == "":
		return errors.New("the command sends no body: nothing to fill a form from")
	case len(c.parts) == 0:
		c.parts = []string{c.here}
	}
	c.body = strings.Join(c.parts, "&") // as curl does; one part as a rule
	if len(c.headers) > 0 {
		c.notes = append(c.notes, "headers are not taken over: "+strings.Join(c.headers, ", "))
	}
	c.body = packedFile().ReplaceAllStringFunc(c.body, func(s string) string {
		path := strings.ReplaceAll(packedFile().FindStringSubmatch(s)[1], `'\''`, `'`)
		if !strings.HasPrefix(path, "/") {
			return s
		}
		c.notes = append(c.notes, "a file on this machine is attached: "+client.CleanLine(path))
		b, err := json.Marshal(client.FileURL(path))
		if err != nil {
			return s
		}
		return string(b[1 : len(b)-1])
	})
	return nil
}

// packedFile is how [client.Client.Curl] writes a local file.
var packedFile = text.Pattern(`data:[^"\s,]*;base64,\$\(base64 < '((?:[^']|'\\'')*)' \| tr -d '\\n'\)`)
