package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"darkroom/client"
)

// curl is what a curl command would send.
type curl struct {
	path    string
	body    string
	notes   []string
	secrets []string // what authorizes: to be kept nowhere

	method, here string
	headers      []string // names of those that are not taken over
	parts        []string // of the body
	get          bool
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
}

var letterNames = map[byte]string{'X': "request", 'H': "header", 'd': "data", 'u': "user", 'b': "cookie", 'F': "form", 'G': "get",
	'T': "upload-file", 'I': "head"}

func parseCurl(text string) (curl, error) {
	list, here, err := words(strings.TrimPrefix(text, "$ "))
	c := curl{here: here}
	if err != nil {
		return c, err
	}
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
			c.url(w)
		}
	}
	if err != nil {
		return c, err
	}
	return c, c.finish()
}

// option takes over what an option says. Those that do not change the request are nothing.
func (c *curl) option(name, value string) error {
	switch name {
	case "request":
		c.method = strings.ToUpper(value)
	case "head":
		c.method = "HEAD"
	case "get":
		c.get = true
	case "header":
		c.header(value)
	case "user", "oauth2-bearer", "cookie", "proxy-user", "aws-sigv4":
		c.secret(value)
	case "url":
		c.url(value)
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
	case secretNames[low]:
		value = strings.TrimSpace(value)
		if scheme, rest, ok := strings.Cut(value, " "); ok && len(scheme) <= 8 {
			value = strings.TrimSpace(rest)
		}
		c.secret(value)
	case low == "content-type", low == "accept", low == "user-agent", low == "expect", low == "":
	case !slices.Contains(c.headers, client.CleanLine(name)):
		c.headers = append(c.headers, client.CleanLine(name))
	}
}

// secret remembers something that authorizes, unless it only stands for it, as $KEY does.
func (c *curl) secret(value string) {
	value = strings.TrimSpace(value)
	if value == "" || strings.ContainsAny(value[:1], "$<*…%{") {
		return
	}
	c.secrets = append(c.secrets, value)
}

func (c *curl) url(raw string) {
	if c.path != "" {
		return
	}
	c.path = pathOf(raw)
	if u, err := url.Parse(raw); err == nil {
		if u.User != nil {
			if p, ok := u.User.Password(); ok {
				c.secret(p)
			}
			c.secret(u.User.Username())
		}
		for name, values := range u.Query() {
			if secretNames[strings.ToLower(name)] || strings.EqualFold(name, "key") || strings.EqualFold(name, "token") {
				for _, v := range values {
					c.secret(v)
				}
			}
		}
	}
}

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
	c.body = packedFile.ReplaceAllStringFunc(c.body, func(s string) string {
		path := strings.ReplaceAll(packedFile.FindStringSubmatch(s)[1], `'\''`, `'`)
		if !strings.HasPrefix(path, "/") {
			return s
		}
		c.notes = append(c.notes, "a file of this machine is attached: "+client.CleanLine(path))
		b, err := json.Marshal(client.FileURL(path))
		if err != nil {
			return s
		}
		return string(b[1 : len(b)-1])
	})
	return nil
}

// packedFile is how [client.Client.Curl] writes a local file.
var packedFile = regexp.MustCompile(`data:[^"\s,]*;base64,\$\(base64 < '((?:[^']|'\\'')*)' \| tr -d '\\n'\)`)
