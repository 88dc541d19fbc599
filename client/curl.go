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
	var b strings.Builder
	fmt.Fprintf(&b, "curl -sS -X %s %s \\\n", req.Method, shellQuote(u.String()))
	b.WriteString("  -H \"Authorization: Bearer $DARKROOM_API_KEY\" \\\n")
	b.WriteString("  -H 'Content-Type: application/json' \\\n")
	switch body := string(req.Body); {
	case len(paths) > 0:
		body = hereDoc.Replace(body)
		for i, p := range paths {
			body = strings.ReplaceAll(body, fmt.Sprintf("%s.%d.", nonce, i), "$(base64 < "+shellQuote(p)+" | tr -d '\\n')")
		}
		mark := endMark(body)
		b.WriteString("  --data-binary @- <<" + mark + "\n" + body + "\n" + mark)
	case len(body) > inlineBody:
		mark := endMark(body)
		b.WriteString("  --data-binary @- <<'" + mark + "'\n" + body + "\n" + mark)
	default:
		b.WriteString("  --data-raw " + shellQuote(body))
	}
	return b.String(), nil
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
