package secret

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// each writes every character of a text in one form.
func each(text, form string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, form, c)
	}
	return b.String()
}

// TestAKeyIsHiddenInEveryWriting: as JSON, an address, HTML and programs write it, whole or in
// parts, and JSON within JSON.
func TestAKeyIsHiddenInEveryWriting(t *testing.T) {
	for _, key := range []string{"sk-test-0123456789abcdef", "AbCdEfGh12345678", "a/b+c=d&e%f<g>h\"i'j", "key.with~signs_1"} {
		for name, form := range map[string]string{
			"json, small": `\u%04x`, "json, large": `\u%04X`, "json in json": `\\u%04x`, "deeper": `\\\\u%04X`, "braces": `\u{%x}`,
			"bytes": `\x%02x`, "octal": `\%03o`, "address": `%%%02x`, "ADDRESS": `%%%02X`, "address twice": `%%25%02X`,
			"html": `&#%d;`, "html, hex": `&#x%x;`, "HTML, HEX": `&#X%X;`, "html, padded": `&#0%d;`, "long": `\U%08x`,
		} {
			whole := each(key, form)
			for _, said := range []string{whole, key[:3] + each(key[3:], form), each(key[:3], form) + key[3:], each(key[:1], form) + key[1:], key[:len(key)-1] + each(key[len(key)-1:], form)} {
				got := string(Hide([]byte("it is "+said+", that is all"), key))
				assert.Equal(t, "it is <key>, that is all", got, "%s of %s", name, key)
			}
		}
		for _, said := range []string{key, strings.ReplaceAll(key, "/", `\/`), strings.ReplaceAll(key, "/", `\\/`), url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key)} {
			assert.Equal(t, "<key><key>", string(Hide([]byte(said+said), key)), said)
		}
	}
}

// TestWhatIsNoKeyStays: nothing near it is taken away.
func TestWhatIsNoKeyStays(t *testing.T) {
	const key = "sk-test-0123456789abcdef"
	for _, said := range []string{
		`sk-test-0123456789abcde`, `sk-test-0123456789abcdeg`, `\u0073k-test`, `\\\\`, `%`, `%7`, `&`, `&#`, `&#115`, `&#;`, `&#x;`, `\u`, `\u00`, `\u{`, `\u{73`, `\x7`, `\U`,
		`&#99999999999999999999;`, `&amp;`, strings.Repeat(`\`, 100), each("sk-test-0123456789abcdeX", `\u%04x`), "\\u0173k-test-0123456789abcdef",
	} {
		assert.Equal(t, said, string(Hide([]byte(said), key)))
	}
	assert.Equal(t, `\u0073hort`, string(Hide([]byte(`\u0073hort`), "short")), "a short one would match by chance")
}

func TestRedactURL(t *testing.T) {
	u, err := url.Parse("https://u:p@cdn.test/a.mp4?X-Sig=abc&e=1")
	require.NoError(t, err)
	assert.Equal(t, "https://cdn.test/a.mp4?X-Sig=…&e=…", RedactURL(u, false))
	assert.Equal(t, "https://cdn.test/a.mp4?X-Sig=abc&e=1", RedactURL(u, true))
}
