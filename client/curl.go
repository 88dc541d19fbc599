package client

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inlineBody is the longest body, in bytes, that is safe to pass as one shell argument.
const inlineBody = 64 << 10

// Curl returns a command for a POSIX shell that sends the same create: the key is read from
// $DARKROOM_API_KEY, and the shell encodes local files when it runs the command. Whatever the draft
// and its file names contain, a shell given the command runs curl and base64 and nothing else.
func (c *Client) Curl(d Draft, format string) (string, error) {
	nonce := rand.Text()
	var paths []string
	_, req, err := c.encode(context.Background(), d, format, func(path string) (string, error) {
		if err := pastable(path); err != nil {
			return "", err
		}
		mt, err := SniffMedia(path)
		if err != nil {
			return "", err
		}
		paths = append(paths, path)
		return fmt.Sprintf("data:%s;base64,%s.%d.", mt, nonce, len(paths)-1), nil
	})
	if err != nil {
		return "", err
	}
	u, err := c.link.Resolve(req.Path)
	if err != nil {
		return "", err
	}
	head := curlHead(req.Method, u.String(), sentHeader()[:2])
	if len(paths) == 0 {
		return head + curlBody(string(req.Body)), nil
	}
	body := hereDoc.Replace(string(req.Body))
	for i, p := range paths {
		body = strings.ReplaceAll(body, fmt.Sprintf("%s.%d.", nonce, i), "$(base64 < "+shellQuote(p)+" | tr -d '\\n')")
	}
	mark := endMark(body)
	return head + "  --data-binary @- <<" + mark + "\n" + body + "\n" + mark, nil
}

// Sent is a request as it was sent, but for the key, which is named as a variable of the shell.
type Sent struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	// Header are the lines of the header, but for the User-Agent, which names a version.
	Header []string `json:"header"`
	Body   []byte   `json:"-"`
}

// Sent is the create whose method and path (as [Meta].Path has them) and body were kept.
func (c *Client) Sent(path string, body []byte) (Sent, error) {
	method, path, ok := strings.Cut(path, " ")
	if !ok {
		return Sent{}, fmt.Errorf("%q is not a method and path", CleanLine(path))
	}
	u, err := c.link.Resolve(path)
	if err != nil {
		return Sent{}, err
	}
	return Sent{Method: method, URL: u.String(), Header: sentHeader(), Body: body}, nil
}

// sentHeader is the header of a create; only a shell fills in the key.
func sentHeader() []string {
	return []string{"Authorization: Bearer $DARKROOM_API_KEY", "Content-Type: application/json", "Accept: application/json"}
}

// Curl returns a command for a POSIX shell that sends the same bytes once more, which is another
// create. A shell given the command runs curl and nothing else.
func (s Sent) Curl() string { return curlHead(s.Method, s.URL, s.Header) + curlBody(string(s.Body)) }

// curlHead is a command as far as its body; the first line of the header names the key.
func curlHead(method, url string, header []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "curl -sS -X %s %s \\\n", method, shellQuote(url))
	for i, h := range header {
		if i == 0 {
			fmt.Fprintf(&b, "  -H \"%s\" \\\n", h)
		} else {
			fmt.Fprintf(&b, "  -H %s \\\n", shellQuote(h))
		}
	}
	return b.String()
}

// curlBody is the argument with a body that the shell is not to touch.
func curlBody(body string) string {
	if len(body) <= inlineBody {
		return "  --data-raw " + shellQuote(body)
	}
	mark := endMark(body)
	return "  --data-binary @- <<'" + mark + "'\n" + body + "\n" + mark
}

// hereDoc escapes what a shell would expand inside an unquoted here-document.
var hereDoc = strings.NewReplacer("\\", "\\\\", "$", "\\$", "`", "\\`")

// endMark is a here-document end word that does not occur in the body.
func endMark(body string) string {
	mark := "DARKROOM_BODY"
	for strings.Contains(body, mark) {
		mark = "DARKROOM_" + rand.Text()
	}
	return mark
}

// shellQuote quotes s as one word for a POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// pastable refuses a file path that cannot be pasted as part of a command: a terminal and a shell
// take control characters for keys and line ends.
func pastable(path string) error {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return fmt.Errorf("%q: control characters and bytes that are no UTF-8 cannot stand in a command: rename the file, or send the request from here", path)
	}
	return nil
}
