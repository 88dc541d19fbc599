package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

const (
	song   = `{"model":"famN_music","prompt":"x"`
	speech = `{"model":"famN_music","upstream_model":"famO-speech-2.8-hd","prompt":"x"`
)

// musicSentences are the fields of "Music and sound request".
func musicSentences() []sentence {
	bad := func(id, rest, find string) sentence {
		return sentence{id: id, says: rest, as: client.Music, body: song + `,` + rest + `}`, finds: []string{find}}
	}
	out := []sentence{
		{id: "music.model", says: "always famN_music", as: client.Music, body: song + `}`, to: "POST /famN/submit/music", sends: song + `}`},
		{id: "music.model", says: "missing", as: client.Music, body: `{"prompt":"x"}`, finds: []string{"block model: as famN_music"}},
		{id: "music.prompt", says: "nothing to make music of", as: client.Music, body: `{"model":"famN_music"}`, finds: []string{"warn prompt: a prompt or lyrics"}},
		{id: "music.prompt", says: "lyrics-compatible in advanced mode", as: client.Music, body: `{"model":"famN_music","customLyrics":"la\nla","customMode":true}`,
			sends: `{"model":"famN_music","lyrics":"la\nla","custom_mode":true}`},
		bad("music.make_instrumental", `"make_instrumental":"perhaps"`, "block make_instrumental: true or false"),
		bad("music.light_music", `"light_music":2`, "block light_music: true or false"),
		bad("music.custom_mode", `"customMode":"lyrics"`, "block custom_mode: true or false"),
		bad("music.title", `"title":5`, "block title: text"),
		bad("music.tags", `"tags":["a"]`, "block tags: text"),
		bad("music.style", `"style":5`, "block style: text"),
		bad("music.style", `"genre":5`, "block genre: text"),
		bad("music.lyrics", `"lyric":5`, "block lyrics: text"),
		bad("music.no-mode", `"mode":"t2v"`, "warn mode: carry no mode"),
	}
	add := func(id string, rows ...row) {
		out = append(out, carried(id, "", client.Music, song, song, nil, rows...)...)
	}
	add("music.title", row{"title", `"t"`, ""})
	add("music.tags", row{"tags", `"a,b"`, ""})
	add("music.style", row{"style", `"s"`, ""}, row{"genre", `"g"`, ""})
	add("music.lyrics", row{"lyrics", `"l"`, ""}, row{"lyric", `"l"`, `"lyrics":"l"`}, row{"custom_lyrics", `"l"`, `"lyrics":"l"`}, row{"customLyrics", `"l"`, `"lyrics":"l"`})
	add("music.make_instrumental", row{"make_instrumental", `true`, ""})
	add("music.light_music", row{"light_music", `false`, ""})
	add("music.custom_mode", row{"custom_mode", `true`, ""}, row{"customMode", `true`, `"custom_mode":true`})
	voice := func(id string, rows ...row) {
		out = append(out, carried(id, "", client.Music, speech, speech, nil, rows...)...)
	}
	voice("music.extraParams", row{"extraParams", `{"voice":"w"}`, ""}, row{"extra_params", `{"voice":"w"}`, `"extraParams":{"voice":"w"}`})
	voice("music.output_format", row{"output_format", `"mp3"`, ""}, row{"outputFormat", `"mp3"`, `"output_format":"mp3"`})
	voice("music.sample_rate", row{"sample_rate", `32000`, ""}, row{"sampleRate", `"44100"`, `"sample_rate":44100`})
	voice("music.speed", row{"speed", `1.5`, ""})
	voice("music.volume", row{"volume", `0.5`, ""})
	voice("music.pitch", row{"pitch", `-2`, ""})
	wrong := func(id, rest, find string) {
		out = append(out, sentence{id: id, says: rest, as: client.Music, body: speech + `,` + rest + `}`, finds: []string{find}})
	}
	wrong("music.extraParams", `"extra_params":"x"`, "block extra_params: a JSON object")
	wrong("music.extraParams", `"extra_params":{"colour":"red"}`, "info extra_params: extra_params.colour is not documented; documented: with voice")
	wrong("music.output_format", `"output_format":3`, "block output_format: text")
	wrong("music.sample_rate", `"sample_rate":"high"`, "block sample_rate: whole number")
	wrong("music.sample_rate", `"sample_rate":0`, "block sample_rate: above 0")
	wrong("music.speed", `"speed":"fast"`, "block speed: a number")
	wrong("music.volume", `"volume":"loud"`, "block volume: a number")
	wrong("music.pitch", `"pitch":true`, "block pitch: a number")
	return append(out, sentence{id: "music.voice", says: "may override extraParams.voice: both are sent", as: client.Music,
		body: speech + `,"voice":"v","extraParams":{"voice":"w"}}`, sends: speech + `,"voice":"v","extraParams":{"voice":"w"}}`})
}

// engineSentences are the engines, their ids and aliases, and the defaults.
func engineSentences() []sentence {
	engine := func(rest, sent string) sentence {
		return sentence{id: "music.engines", says: rest, as: client.Music, body: song + `,` + rest + `}`, sends: `{"model":"famN_music","upstream_model":"` + sent + `","prompt":"x"}`}
	}
	alias := func(name string) sentence {
		return sentence{id: "music.aliases", says: name, as: client.Music, body: song + `,"` + name + `":"famQ-v9"}`, sends: `{"model":"famN_music","upstream_model":"famQ-v9","prompt":"x"}`}
	}
	speaks := func(rest string, finds ...string) sentence {
		return sentence{id: "music.speech", says: "an engine" + rest, as: client.Speech, body: song + rest + `}`, finds: finds}
	}
	return []sentence{
		{id: "music.upstream_model", says: "famN-v5.5 when none is chosen: nothing is sent for it", as: client.Music, body: song + `}`, sends: song + `}`},
		{id: "music.upstream_model", says: "and that is told", holds: func(t *testing.T, c *catalog.Catalog) {
			f, _ := c.Field(client.Music, "upstream_model")
			require.Equal(t, "famN-v5.5", f.Default)
			require.Contains(t, f.Help, "famN-v5.5 when none is chosen")
			require.Contains(t, f.ValueHelp["famN-v5"], "older")
		}},
		alias("upstream_model"), alias("music_model"), alias("engine"), alias("model_id"), alias("modelId"),
		engine(`"upstream_model":"famN-v5.5"`, "famN-v5.5"), engine(`"modelId":128`, "famN-v5.5"),
		engine(`"upstream_model":"famN-v5"`, "famN-v5"),
		engine(`"upstream_model":"famR-audio-1.0"`, "famR-audio-1.0"), engine(`"modelId":"126"`, "famR-audio-1.0"),
		engine(`"upstream_model":"famO-speech-2.8-hd"`, "famO-speech-2.8-hd"), engine(`"modelId":127`, "famO-speech-2.8-hd"), engine(`"engine":"speech-2.8-hd"`, "famO-speech-2.8-hd"),
		engine(`"upstream_model":"famP-3-pro"`, "famP-3-pro"), engine(`"model_id":"129"`, "famP-3-pro"), engine(`"engine":"famP-3-pro-preview"`, "famP-3-pro"),
		{id: "music.engines", says: "ids and aliases stand for these", holds: func(t *testing.T, c *catalog.Catalog) {
			f, _ := c.Field(client.Music, "upstream_model")
			require.Equal(t, map[string]string{"126": "famR-audio-1.0", "127": "famO-speech-2.8-hd", "128": "famN-v5.5", "129": "famP-3-pro",
				"speech-2.8-hd": "famO-speech-2.8-hd", "famP-3-pro-preview": "famP-3-pro"}, f.ValueAliases)
			require.Contains(t, f.ValueHelp["famN-v5.5"], "its other name is not documented", "the one alias of 128")
		}},
		{id: "music.engines", says: "another only warns", as: client.Music, body: song + `,"music_model":"famX"}`, finds: []string{"warn upstream_model: usual: famN-v5.5, famN-v5,"}},
		{id: "music.engines", says: "another id", as: client.Music, body: song + `,"modelId":1}`, finds: []string{"block upstream_model: 1; it must be text"}},
		{id: "music.examples", says: "famO-music-v2.6", as: client.Music, body: song + `,"upstream_model":"famO-music-v2.6"}`},
		{id: "music.examples", says: "famQ-v9", as: client.Music, body: song + `,"upstream_model":"famQ-v9"}`},
		{id: "limits.music", says: "the five defaults", holds: func(t *testing.T, c *catalog.Catalog) {
			for name, want := range map[string]string{"sample_rate": "32000", "speed": "1", "volume": "1", "pitch": "0", "output_format": "mp3"} {
				for _, m := range []client.Modality{client.Music, client.Speech} {
					f, ok := c.Field(m, name)
					require.True(t, ok, name)
					require.Equal(t, want, f.Default, name)
				}
			}
		}},
		{id: "limits.music", says: "what is not supplied is not sent", as: client.Music, body: speech + `}`, sends: speech + `}`},
		{id: "limits.music", says: "they are the speech engine's", as: client.Music, body: song + `,"speed":2}`, finds: []string{"info speed: applies to upstream_model famO-speech-2.8-hd; it is famN-v5.5"}},
		{id: "limits.music", says: "by its id too", as: client.Music, body: song + `,"modelId":127,"voice":"v"}`},
		speaks(``, "block upstream_model: famN-v5.5, which makes music"),
		speaks(`,"upstream_model":"famO-speech-2.8-hd"`), speaks(`,"engine":"speech-2.8-hd"`), speaks(`,"modelId":127`), speaks(`,"upstream_model":"famR-audio-1.0"`),
		speaks(`,"modelId":126,"speed":1.5`, "info speed: applies to upstream_model famO-speech-2.8-hd"),
		speaks(`,"modelId":127,"voice":"v","output_format":"mp3","sample_rate":32000,"speed":1,"volume":1,"pitch":0,"extra_params":{"voice":"w"}`),
		speaks(`,"upstream_model":"famN-v5"`, "warn upstream_model: usual: famO-speech-2.8-hd, famR-audio-1.0"),
		{id: "music.speech", says: "nothing to say", as: client.Speech, body: `{"model":"famN_music","upstream_model":"famR-audio-1.0"}`, finds: []string{"warn prompt: the text to speak"}},
		{id: "music.speech", says: "another model", as: client.Speech, body: `{"model":"famA3","prompt":"x"}`, finds: []string{"block model: makes video, the request is for speech"}},
		{id: "music.speech", says: "a draft begins with its engine", holds: func(t *testing.T, c *catalog.Catalog) {
			d := c.Default(client.Speech)
			require.Equal(t, client.Values{"upstream_model": "famO-speech-2.8-hd"}, d.Values)
			require.True(t, strings.HasPrefix(d.Model, "famN"))
		}},
	}
}
