package intake_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/intake"
	"darkroom/client/places"
)

func reader(t testing.TB) intake.Reader {
	t.Helper()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	return intake.Reader{Catalog: cat, Formats: formats.All(), CreatePaths: map[string]string{"status": "/made/up"}}
}

// gateway makes requests as the program does.
func gateway(t testing.TB, r intake.Reader) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: "https://gateway.example/base", Key: func() (string, error) { return "sk-key", nil },
		Formats: r.Formats, WireNames: r.Catalog.WireNames,
		CreatePaths: map[string]string{"status": "/made/up", "tasks": "/api/v1/tasks", "responses": "/v1/responses"}})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// preview is the request of a draft: method, path and body.
func preview(t testing.TB, c *client.Client, d client.Draft, format string) client.Preview {
	t.Helper()
	p, err := c.Preview(d, format)
	require.NoError(t, err, "%+v", d)
	return p
}

// TestEveryFormatsOwnBodiesComeBack takes the bodies that the suites of the formats keep:
// what is read from one makes the same body again.
func TestEveryFormatsOwnBodiesComeBack(t *testing.T) {
	r := reader(t)
	paths := map[string]string{"status": "/made/up"}
	seen := 0
	for _, f := range r.Formats {
		files, err := filepath.Glob(filepath.Join("..", "formats", f.Name(), "testdata", "*.golden.json"))
		require.NoError(t, err)
		for _, file := range files {
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			t.Run(f.Name()+"/"+filepath.Base(file), func(t *testing.T) {
				path := paths[f.Name()]
				if req, _, err := f.EncodeCreate(client.Draft{Model: "famA3", Prompt: "x"}); err == nil && req.Path != "" {
					path = req.Path
				}
				text := string(b)
				if path != "" {
					text = "POST " + path + "\n" + text
				}
				got, err := r.Read(text, intake.Hint{Format: f.Name()})
				require.NoError(t, err)
				assert.Equal(t, f.Name(), got.Format)
				assert.False(t, got.Secret)
				req, dropped, err := f.EncodeCreate(got.Draft)
				require.NoError(t, err)
				assert.Empty(t, dropped)
				if strings.Contains(file, "wire-names") { // made with a model's own names
					got.Draft.Wire = r.Catalog.WireNames(got.Draft.Model, f.Name())
					req, _, err = f.EncodeCreate(got.Draft)
					require.NoError(t, err)
				}
				assert.JSONEq(t, string(b), string(req.Body), "%+v", got.Draft)
			})
			seen++
		}
	}
	assert.Greater(t, seen, 10, "the formats keep bodies")
}

// drafts are some of every kind, in what is sent for them.
func drafts() map[string]client.Draft {
	return map[string]client.Draft{
		"videos": {Modality: client.Video, Model: "famA3.1-pro", Mode: "i2v", Prompt: "it's \"a\" kite\n$HOME `x` \\ 塩の平原 🪁",
			Values: client.Values{"image": "https://example.org/a.png", "duration": json.Number("8"), "seed": json.Number("9007199254740993"), "aspect_ratio": "16:9"}},
		"content": {Modality: client.Video, Model: "famI-omni", Mode: "edit", Prompt: "faster",
			Values: client.Values{"content": []any{map[string]any{"type": "video_url", "video_url": map[string]any{"url": "https://example.org/v.mp4"}, "role": "reference_video", "name": "v"}}}},
		"ent": {Modality: client.Video, Model: "famJq3-turbo", Prompt: "a kite",
			Values: client.Values{"images": []any{"https://example.org/a.png", "https://example.org/b.png"}, "generate_audio": true, "off_peak": false, "movement_amplitude": "small"}},
		"tasks": {Modality: client.Video, Model: "famK-3.0", Prompt: "a kite", Mode: "i2v",
			Values: client.Values{"image": "https://example.org/a.png", "duration": json.Number("5"), "seed": json.Number("7")}},
		"status": {Modality: client.Video, Model: "famF-video", ModelName: "famF-v2-6", Mode: "multi_i2v", Prompt: "a kite",
			Values: client.Values{"image_list": []any{"https://example.org/a.png"}, "cfg_scale": json.Number("0.5")}},
		"images": {Modality: client.Image, Model: "famL-2", Prompt: "a lighthouse",
			Values: client.Values{"size": "1024x1792", "n": json.Number("2"), "images": []any{"https://example.org/a.png"}}},
		"music": {Modality: client.Music, Model: "famN_music", Prompt: "slow piano",
			Values: client.Values{"upstream_model": "famN-v5", "title": "Rain", "make_instrumental": true}},
		"responses": {Modality: client.Image, Model: "famL", Prompt: "a lighthouse"},
		"chat": {Modality: client.Chat, Model: "some-model", Prompt: "why?",
			Values: client.Values{"system": "be short", "messages": []any{map[string]any{"role": "user", "content": "hi"}, map[string]any{"role": "assistant", "content": "hello"}}}},
		"native": {Modality: client.Video, Model: "famA3", Prompt: "a kite",
			Values: client.Values{"reference_images": []any{"data:image/png;base64,AAAA"}, "duration": json.Number("8"), "resolution": "720p"}},
	}
}

// TestDraftsComeBackFromTheirCurlCommands goes all the way: a draft, its curl command, and
// the draft that is read from it.
func TestDraftsComeBackFromTheirCurlCommands(t *testing.T) {
	r := reader(t)
	c := gateway(t, r)
	for name, d := range drafts() {
		for _, extra := range []map[string]json.RawMessage{nil, {"zz": json.RawMessage(`{"a":[1,null,"x"]}`)}} {
			t.Run(fmt.Sprintf("%s/%d", name, len(extra)), func(t *testing.T) {
				d := d.Clone()
				d.Extra = extra
				text, err := c.Curl(d, name)
				require.NoError(t, err)
				require.True(t, intake.Looks(text))
				got, err := r.Read(text, intake.Hint{})
				require.NoError(t, err, text)
				assert.True(t, got.Command)
				assert.False(t, got.Secret, "the key is a variable")
				assert.Empty(t, got.Notes)
				assert.Equal(t, name, got.Format)
				assert.Equal(t, string(preview(t, c, d, name).Body), string(preview(t, c, got.Draft, name).Body))
				assert.Equal(t, d.Prompt, got.Draft.Prompt)
				assert.Equal(t, d.Model, got.Draft.Model)
				assert.Equal(t, d.Modality, got.Draft.Modality)
				assert.Equal(t, len(d.Extra), len(got.Draft.Extra), "%v", got.Draft.Extra)
				if name != "native" && name != "ent" && name != "videos" {
					assert.Equal(t, d.Values, got.Draft.Values)
				}
			})
		}
	}
}

// TestTheFormatIsFoundByTheBodyAlone has no path to go by.
func TestTheFormatIsFoundByTheBodyAlone(t *testing.T) {
	r := reader(t)
	c := gateway(t, r)
	for name, d := range drafts() {
		p := preview(t, c, d, name)
		got, err := r.Read(string(p.Body), intake.Hint{Model: d.Model})
		require.NoError(t, err, name)
		switch name {
		case "status", "content": // whose names are those of the common format too
			assert.Contains(t, []string{"videos", name}, got.Format)
		default:
			assert.Equal(t, name, got.Format, "%s", p.Body)
		}
		assert.Equal(t, d.Prompt, got.Draft.Prompt, name)
		assert.Equal(t, d.Modality, got.Draft.Modality, name)
		nothingIsLost(t, string(p.Body), got)
	}
}

// TestAliasesAndLooseTypes: other names, numbers as texts and the reverse.
func TestAliasesAndLooseTypes(t *testing.T) {
	r := reader(t)
	c := gateway(t, r)
	for _, x := range []struct{ name, text, format, body string }{
		{"seconds as a number", `{"model":"famI-omni","prompt":"x","seconds":6,"fps":24}`, "videos", `{"model":"famI-omni","prompt":"x","seconds":"6","fps":"24"}`},
		{"duration as a text", "POST /v1/videos\n" + `{"model":"famI-omni","prompt":"x","duration":"6","ratio":"16:9"}`, "videos", `{"model":"famI-omni","prompt":"x","seconds":"6","aspect_ratio":"16:9"}`},
		{"the content format", "POST /api/v3/contents/generations/tasks\n" + `{"model":"famI-omni","prompt":"x","seconds":"6","aspect_ratio":"16:9","fps":"24","last_image_url":"https://e.org/z.png"}`, "content",
			`{"model":"famI-omni","prompt":"x","duration":6,"ratio":"16:9","fps":24,"end_image_url":"https://e.org/z.png"}`},
		{"one address for a list", `{"model":"famG-h3","prompt":"x","image_urls":"https://e.org/a.png","audio_urls":["https://e.org/a.mp3"]}`, "videos",
			`{"model":"famG-h3","prompt":"x","image_urls":["https://e.org/a.png"],"audio_urls":["https://e.org/a.mp3"]}`},
		{"lists are joined", `{"model":"famI-omni","prompt":"x","images":["https://e.org/a.png"],"image_urls":["https://e.org/b.png"]}`, "videos",
			`{"model":"famI-omni","prompt":"x","image_urls":["https://e.org/a.png","https://e.org/b.png"]}`},
		{"content as a text", `{"model":"famI-omni","prompt":"x","content":"[{\"type\":\"text\",\"text\":\"y\"}]"}`, "videos",
			`{"model":"famI-omni","prompt":"x","content":[{"type":"text","text":"y"}]}`},
		{"a boolean as a text", "POST /ent/v2/img2video\n" + `{"model":"famJq3-turbo","prompt":"x","audio":"true","duration":"5"}`, "ent",
			`{"model":"famJq3-turbo","prompt":"x","audio":true,"duration":5}`},
		{"engines", `{"engine":"famN-v5","customLyrics":"la","sampleRate":"44100"}`, "music",
			`{"model":"famN_music","upstream_model":"famN-v5","lyrics":"la","sample_rate":44100}`},
		{"what differs is kept", `{"model":"famI-omni","prompt":"x","seconds":"6","duration":8}`, "videos",
			`{"model":"famI-omni","prompt":"x","duration":8,"seconds":"6"}`},
		{"null and the unknown", `{"model":"famI-omni","prompt":"x","seed":null,"n.o":{"b":1e3}}`, "videos",
			`{"model":"famI-omni","prompt":"x","seed":null,"n.o":{"b":1e3}}`},
		{"within objects", "POST /api/v1/tasks\n" + `{"model":"famC-1.0","input":{"prompt":"x","zz":1,"media":[{"type":"reference_video","url":"https://e.org/v.mp4"},{"type":"reference_image","url":"https://e.org/i.png"}]},"parameters":{"duration":5,"zz":2}}`, "tasks",
			`{"model":"famC-1.0","input":{"prompt":"x","zz":1,"media":[{"type":"reference_video","url":"https://e.org/v.mp4"},{"type":"reference_image","url":"https://e.org/i.png"}]},"parameters":{"duration":5,"zz":2}}`},
		{"media of another shape", "POST /api/v1/tasks\n" + `{"model":"famC-1.0","input":{"prompt":"x","media":[{"kind":"first_frame","url":"https://e.org/v.png"}]}}`, "tasks",
			`{"model":"famC-1.0","input":{"prompt":"x","media":[{"kind":"first_frame","url":"https://e.org/v.png"}]}}`},
		{"two instances", "POST /v1beta/models/famA3:predictLongRunning\n" + `{"instances":[{"prompt":"x","zz":1},{"prompt":"y"}],"parameters":{"durationSeconds":8,"zz":2}}`, "native",
			`{"instances":[{"prompt":"x","zz":1},{"prompt":"y"}],"parameters":{"durationSeconds":8,"zz":2}}`},
		{"a chat with more", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"temperature":0.5,"stream":true}`, "chat",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"temperature":0.5}`},
		{"a preview", `{"format":"ent","method":"POST","path":"/ent/v2/img2video","body":{"model":"famJq3-turbo","prompt":"x"}}`, "ent", `{"model":"famJq3-turbo","prompt":"x"}`},
		{"what is shown through a format", `{"format":"ent","request":{"format":"ent","method":"POST","path":"/ent/v2/img2video","body":{"model":"famJq3-turbo","prompt":"x"}}}`, "ent", `{"model":"famJq3-turbo","prompt":"x"}`},
		{"a job", `{"id":"1","format":"content","draft":{"modality":"video","model":"famI-omni","prompt":"x","values":{"seed":7,"duration":"6"},"extra":{"seed":9}}}`, "content", `{"model":"famI-omni","prompt":"x","duration":6,"seed":9}`},
		{"the file beside a result", `{"job":"1","format":"content","draft":{"modality":"video","model":"famI-omni","prompt":"x","values":{"aspect_ratio":"1:1"}},"request":{},"file":{"name":"a.mp4"}}`, "content", `{"model":"famI-omni","prompt":"x","ratio":"1:1"}`},
		{"all that is told of a job", `{"job":{"id":"1","format":"ent","draft":{"modality":"video","model":"famJq3-turbo","prompt":"x"}},"events":[]}`, "ent", `{"model":"famJq3-turbo","prompt":"x"}`},
		{"the speech engine", `{"model":"famN_music","upstream_model":"famO-speech-2.8-hd","prompt":"x","voice":"v"}`, "music", `{"model":"famN_music","upstream_model":"famO-speech-2.8-hd","prompt":"x","voice":"v"}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := r.Read(x.text, intake.Hint{})
			require.NoError(t, err)
			assert.Equal(t, x.format, got.Format)
			assert.JSONEq(t, x.body, string(preview(t, c, got.Draft, got.Format).Body), "%+v", got.Draft)
		})
	}
	got, err := r.Read(`{"model":"famN_music","upstream_model":"famO-speech-2.8-hd","prompt":"x"}`, intake.Hint{})
	require.NoError(t, err)
	assert.Equal(t, client.Speech, got.Draft.Modality)
}

// TestAKeyIsNeverKept looks for it everywhere that the result reaches.
func TestAKeyIsNeverKept(t *testing.T) {
	r := reader(t)
	const key = "sk-secret-0123456789"
	body := `{"model":"famI-omni","prompt":"x"}`
	for name, text := range map[string]string{
		"header":   "curl https://g.example/v1/videos -H 'Authorization: Bearer " + key + "' -d '" + body + "'",
		"glued":    "curl -sSX POST \"https://g.example/v1/videos\" -H\"authorization:Bearer " + key + "\" -d'" + body + "'",
		"long":     "curl --url https://g.example/v1/videos --header 'x-api-key: " + key + "' --json '" + body + "'",
		"basic":    "curl https://g.example/v1/videos -u user:" + key + " -d '" + body + "'",
		"oauth":    "curl https://g.example/v1/videos --oauth2-bearer " + key + " -d '" + body + "'",
		"address":  "curl 'https://u:" + key + "@g.example/v1/videos?x=1' -d '" + body + "'",
		"query":    "curl 'https://g.example/v1/videos?key=" + key + "' -d '" + body + "'",
		"in body":  `{"model":"famI-omni","prompt":"x","api_key":"` + key + `"}`,
		"in hash":  `{"model":"famI-omni","prompt":"x","headers":{"Authorization":"Bearer ` + key + `"}}`,
		"continue": "curl https://g.example/v1/videos \\ \n  -H \"Authorization: Bearer " + key + "\" \\\n  -d @- <<'END'\n" + body + "\nEND",
		"dollar":   "$ curl https://g.example/v1/videos -b 'session=" + key + "' --data-raw $'" + strings.ReplaceAll(body, `"x"`, `"\u0078"`) + "'",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.Read(text, intake.Hint{})
			require.NoError(t, err)
			assert.True(t, got.Secret)
			assert.NotContains(t, fmt.Sprintf("%+v", got), key)
			assert.Equal(t, "videos", got.Format)
			assert.Equal(t, "x", got.Draft.Prompt)
			if got.Command {
				assert.NotContains(t, kept(text), key)
			}
		})
	}
	_, err := r.Read("curl https://g.example/v1/videos -H 'Authorization: Bearer "+key+"' -d '{\"model\" "+key+"'", intake.Hint{})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), key)
	assert.NotContains(t, kept("curl -H 'Authorization: Bearer "+key+"' -d '{"), key, "also of half a command")
	assert.Equal(t, "Authorization: Bearer $KEY", kept("Authorization: Bearer $KEY"))
	assert.Equal(t, "a kite", kept("a kite"))
}

func TestWhatIsNoRequestSaysWhy(t *testing.T) {
	r := reader(t)
	for text, why := range map[string]string{
		"curl https://g.example/v1/videos/task_1":              "sends no body",
		"curl -X GET https://g.example/v1/videos -d '{}'":      "sends no body",
		"curl https://g.example/v1/videos -d @body.json":       "in the file body.json",
		"curl https://g.example/v1/videos -F image=@a.png":     "takes JSON only",
		"curl https://g.example/v1/videos -d '{\"model\":":     "within quotes",
		"curl https://g.example/v1/videos -d '{\"model\": x}'": "line 1, column 11",
		`{"model": "famA3"`: "not JSON",
		`{"model":"famA3","a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}": "nested deeper than 100",
		`["famA3"]`:           "not a JSON object",
		`{"foo": 1, "a": {}}`: "nothing in it",
		`{}`:                  "nothing in it",
	} {
		_, err := r.Read(text, intake.Hint{})
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), why, text)
	}
	assert.False(t, intake.Looks("curly hair in the wind"))
	assert.False(t, intake.Looks("{red|blue"))
	assert.False(t, intake.Looks(""))
}

// TestNotesTellWhatIsLeftOut names headers, files and paths that nobody knows.
func TestNotesTellWhatIsLeftOut(t *testing.T) {
	r := reader(t)
	got, err := r.Read("curl https://g.example/other/path -H 'X-Group: stable' -d '{\"model\":\"famI-omni\",\"prompt\":\"x\"}'", intake.Hint{})
	require.NoError(t, err)
	said := strings.Join(got.Notes, "\n")
	assert.Contains(t, said, "X-Group")
	assert.Contains(t, said, "/other/path")
	c := gateway(t, r)
	path := filepath.Join(t.TempDir(), "it's a kite.png")
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n0000"), 0o600))
	d := client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "pay $5 `now` \\",
		Values: client.Values{"reference_images": []any{client.FileURL(path)}}}
	text, err := c.Curl(d, "videos")
	require.NoError(t, err)
	got, err = r.Read(text, intake.Hint{})
	require.NoError(t, err, text)
	assert.Equal(t, d.Values, got.Draft.Values)
	assert.Equal(t, d.Prompt, got.Draft.Prompt)
	assert.Contains(t, strings.Join(got.Notes, "\n"), "it's a kite.png")
}

// nothingIsLost looks for every text of a body in the draft that was read from it.
func nothingIsLost(t *testing.T, text string, got intake.Result) {
	t.Helper()
	v, err := client.ParseJSON(text)
	body, ok := v.(map[string]any)
	if err != nil || !ok || got.Command || got.Secret {
		return
	}
	for _, wrapper := range []string{"", "body", "draft", "request", "job", "modality"} {
		if _, there := body[wrapper]; there {
			return
		}
	}
	kept, err := json.Marshal(got.Draft)
	if err != nil {
		t.Fatal(err)
	}
	var look func(v any)
	look = func(v any) {
		switch x := v.(type) {
		case string:
			quoted, err := json.Marshal(x)
			said := []string{"user", "system", "first_frame", "last_frame", "reference_image", "reference_video", "reference_audio"}
			if err == nil && !strings.ContainsAny(x, "{[") && !slices.Contains(said, x) && !strings.Contains(string(kept), strings.Trim(string(quoted), `"`)) {
				t.Fatalf("%q is lost:\n%s\n%s", x, text, kept)
			}
		case []any:
			for _, y := range x {
				look(y)
			}
		case map[string]any:
			for name, y := range x {
				if name != "" {
					look(y)
				}
			}
		}
	}
	look(body)
}

// FuzzRead: whatever is pasted, nothing breaks; what is read can be encoded or refused, and
// every text of the body is somewhere in the draft.
func FuzzRead(f *testing.F) {
	r := reader(f)
	c := gateway(f, r)
	for name, d := range drafts() {
		text, err := c.Curl(d, name)
		require.NoError(f, err)
		f.Add(text)
		p, err := c.Preview(d, name)
		require.NoError(f, err)
		f.Add(string(p.Body))
	}
	f.Add(`{"instances":[[],{"":1}],"input":{"media":[{"type":"x"}],"":2},"messages":[null],"":0}`)
	f.Add("curl -d $'\\u00zz\\x' -H")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = intake.Redact(text)
		got, err := r.Read(text, intake.Hint{Modality: client.Video})
		if err != nil {
			return
		}
		if got.Format != "" {
			_, _ = c.Preview(got.Draft, got.Format)
		}
		for place := range got.Draft.Extra {
			if _, err := places.Check(place); err != nil {
				t.Fatalf("%q: %v", place, err)
			}
		}
		nothingIsLost(t, text, got)
		again, err := r.Read(text, intake.Hint{Modality: client.Video})
		if err != nil || fmt.Sprint(again.Draft) != fmt.Sprint(got.Draft) {
			t.Fatalf("the same text is read in two ways:\n%+v\n%+v", got.Draft, again.Draft)
		}
	})
}
