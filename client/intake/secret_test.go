package intake_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/intake"
	"darkroom/client/secret"
)

const leaked = "sk-LIVE-0123456789abcdef"

// kept is what is kept of a text.
func kept(text string) string {
	out, _ := intake.Redact(text)
	return out
}

// authorizing are the ways in which a command can hold a key, as KEY.
func authorizing() map[string]string {
	return map[string]string{
		"bearer": `-H 'Authorization: Bearer KEY'`, "no scheme": `-H 'Authorization: KEY'`, "tab": "-H 'Authorization:\tBearer  KEY'",
		"glued": `-sSH"authorization:Bearer KEY"`, "long": `--header "X-API-Key: KEY"`, "equals": `--header=Authorization:Bearer\ KEY`,
		"backslash": `-H "Authorization: Bearer\ KEY"`, "bare": `-H Authorization:Bearer\ KEY`, "proxy": `-H 'Proxy-Authorization: Basic KEY'`,
		"token": `-H 'X-Token: KEY'`, "key": `-H 'X-Auth-Key: KEY'`, "only token": `-H 'Token: KEY'`, "another": `-H 'X-My-Secret: KEY'`,
		"user": `-u user:KEY`, "user glued": `-uuser:KEY`, "user long": `--user "user:KEY"`, "no name": `-u KEY:`, "proxy user": `-U me:KEY`,
		"oauth": `--oauth2-bearer KEY`, "cookie": `-b 'a=b; session=KEY'`, "cookie header": `-H 'Cookie: a=b; session=KEY'`,
		"query": `'https://g.example/v1/videos?key=KEY'`, "query token": `'https://g.example/v1/videos?x=1&token=KEY&y=2'`, "query access": `'https://g.example/?access_token=KEY'`,
		"userinfo": `https://user:KEY@g.example/v1/videos`, "userinfo alone": `https://KEY@g.example/v1/videos`, "through": `-x http://user:KEY@proxy.example`,
		"second address": `https://a.example/v1/videos https://u:KEY@b.example/`,
		"ansi":           `-H $'Authorization\x3a Bearer KEY'`, "octal": `-H $'Authorization\072 Bearer KEY'`, "unicode": `-H $'Authorization\u003a Bearer KEY'`,
		"torn": `-H 'Authorization: Bearer 'sk-LI"VE"-0123456789abcdef`, "escaped": `-H $'Authorization: Bearer sk\x2dLIVE\x2d0123456789abcdef'`,
		"continued": "-H \"Authorization: Bearer sk-LIVE-\\\n0123456789abcdef\"",
	}
}

// bodies that follow, precede, or break a command.
func broken() map[string]string {
	return map[string]string{
		"whole":          `curl https://g.example/v1/videos WAY -d '{"model":"famI-omni","prompt":"x"}'`,
		"cut off":        `curl https://g.example/v1/videos WAY -d '{"model":"famI-omni","prompt":`,
		"apostrophe":     `curl WAY -d '{"prompt":"it's a kite"}' https://g.example/v1/videos`,
		"inside out":     `curl -d '{"prompt":"it's a kite"}' WAY https://g.example/v1/videos`,
		"two of them":    `curl -d '{"prompt":"it's a dog's kite"}' WAY https://g.example/v1/videos`,
		"ends too early": `curl -d '{"prompt":"it's red & blue; good | bad"}' WAY https://g.example/v1/videos`,
		"no body":        `curl WAY https://g.example/v1/videos/task_1`,
		"a comment":      `curl https://g.example/v1/videos -d '{"model":"famI-omni","prompt":"x"}' # WAY`,
		"a second one":   "curl https://g.example/v1/videos -d '{\"model\":\"famI-omni\",\"prompt\":\"x\"}'\ncurl WAY https://g.example",
		"here":           "curl https://g.example/v1/videos -d @- <<END WAY\n{\"model\":\"famI-omni\",\"prompt\":\"x\"}\nEND",
		"behind here":    "curl https://g.example/v1/videos -d @- <<END\n{\"model\":\"famI-omni\",\"prompt\":\"x\"}\nEND\ncurl WAY",
		"no JSON":        `curl WAY https://g.example/v1/videos -d '{"model": x}'`,
	}
}

// TestNoCommandKeepsItsKey puts every way of authorizing into every command, understood or
// not.
func TestNoCommandKeepsItsKey(t *testing.T) {
	r := reader(t)
	for how, way := range authorizing() {
		way = strings.ReplaceAll(way, "KEY", leaked)
		for name, command := range broken() {
			text := strings.Replace(command, "WAY", way, 1)
			left := kept(text)
			plain := strings.NewReplacer(`"`, "", `'`, "", "\\\n", "", `\x2d`, "-").Replace(left)
			assert.NotContains(t, plain, leaked, "%s, %s", how, name)
			assert.NotContains(t, plain, "LIVE", "%s, %s", how, name)
			assert.Contains(t, left, intake.Hidden, "%s, %s", how, name)
			assert.Equal(t, left, kept(left), "%s, %s: there is nothing left", how, name)
			got, err := r.Read(text, intake.Hint{})
			assert.True(t, got.Secret || err == nil && name != "whole", "%s, %s: it is told", how, name)
			assert.NotContains(t, fmt.Sprintf("%+v %v", got, err), leaked, "%s, %s", how, name)
		}
	}
}

// TestNoBodyKeepsItsKey: members that authorize are taken out at any depth, of a request and
// of a draft of the program's own.
func TestNoBodyKeepsItsKey(t *testing.T) {
	r := reader(t)
	for _, text := range []string{
		`{"model":"famI-omni","prompt":"x","access_token":"KEY"}`,
		`{"model":"famI-omni","prompt":"x","parameters":{"api_key":"KEY","a":1}}`,
		`{"model":"famI-omni","prompt":"x","extra_list":[{"apiKey":"KEY"}]}`,
		`{"model":"famI-omni","prompt":"x","headers":{"X-Auth-Key":"KEY"}}`,
		`{"modality":"video","model":"famI-omni","prompt":"x","values":{"api_key":"KEY"}}`,
		`{"modality":"video","model":"famI-omni","prompt":"x","extra":{"parameters.api_key":"KEY"}}`,
	} {
		text = strings.ReplaceAll(text, "KEY", leaked)
		got, err := r.Read(text, intake.Hint{})
		require.NoError(t, err, text)
		assert.True(t, got.Secret, text)
		assert.NotContains(t, fmt.Sprintf("%+v", got), leaked, text)
		assert.Equal(t, "x", got.Draft.Prompt)
		assert.NotContains(t, kept(text[:len(text)-1]), leaked, text)
	}
}

// TestWhatIsNoKeyStays: words of a prompt and values of a request are not taken for one.
func TestWhatIsNoKeyStays(t *testing.T) {
	for _, text := range []string{
		`curl -u me https://g.example/v1/videos -H "Authorization: Bearer $KEY" -d '{"model":"famI-omni","role":"user","max_tokens":12345}'`,
		`curl https://g.example/v1/videos -b cookies.txt -H 'Token: <your token>' -d '{"prompt":"the key: a lock, a secret garden; user -u cookie"}'`,
		`curl https://g.example/v1/videos -d '{"image":"https://cdn.example/a.png?token=0123456789&sig=abcdefgh"}'`,
		`{"prompt": "a secret: gardens, a token: golden", "model":`,
		`{"prompt": "keyframes: 1234", "key": "C minor", "sort_key": "12345", "image": "https://u:12345678@cdn.example/a.png"`,
	} {
		assert.Equal(t, text, kept(text))
	}
	r := reader(t)
	for _, m := range []client.Modality{client.Video, client.Image, client.Music, client.Speech, client.Chat} {
		for _, f := range r.Catalog.AllFields(m) {
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				assert.False(t, secret.Name(name), "%s of %s would be taken out of every request", name, m)
			}
		}
	}
}

// TestACommandFullOfKeysIsNotKept: nobody's command has hundreds of them.
func TestACommandFullOfKeysIsNotKept(t *testing.T) {
	var b strings.Builder
	b.WriteString("curl")
	for i := range 200 {
		fmt.Fprintf(&b, " -u user:%08d", i)
	}
	for _, text := range []string{b.String(), "curl " + strings.Repeat("-H'", 2000)} {
		left, said := intake.Redact(text)
		assert.Empty(t, left)
		assert.Contains(t, said, "more than 100 places")
	}
}

// FuzzRedact: whatever a command sends, and whatever stands beside it, the key is not kept.
func FuzzRedact(f *testing.F) {
	ways := authorizing()
	names := slices.Sorted(maps.Keys(ways))
	for _, s := range []string{`{"prompt":"it's"}`, `{}' #`, "3' ^'", "<<A", "$'", `"\`, "a & b; c", "-d @- <<'E'\n{}\nE\n"} {
		f.Add(uint8(0), s, "")
		f.Add(uint8(7), "", s)
	}
	f.Fuzz(func(t *testing.T, way uint8, before, behind string) {
		how := strings.ReplaceAll(ways[names[int(way)%len(names)]], "KEY", leaked)
		left := kept("curl -d '" + before + "' " + how + " " + behind)
		if strings.Contains(strings.NewReplacer(`"`, "", `'`, "", "\\\n", "", `\x2d`, "-").Replace(left), leaked) {
			t.Fatalf("%q is kept in %q", how, left)
		}
	})
}
