package catalog

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"darkroom/client"
)

// FuzzLoad: any bytes give a catalog or an error, as a whole file and as an overlay,
// and what loads can be used.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{minimal, "", "version: 1", "a: &a [*a]", "version: 1\nfields: {video: [{name: x, kind: text, label: l, help: h, aliases: [x]}]}", "- - -", "? a\n: b", "version: 1\nfamilies: [{token: famA, traits: {modes: [t2v]}}]"} {
		f.Add([]byte(s))
	}
	base := load(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		for _, read := range []func([]byte, string) (*Catalog, error){Load, base.Overlay} {
			c, err := read(data, "fuzz.yaml")
			if (c == nil) == (err == nil) {
				t.Fatalf("catalog %v, error %v", c, err)
			}
			if c != nil {
				for _, m := range c.Models("") {
					c.Check(client.Draft{Modality: m.Modality, Model: m.ID})
				}
			}
		}
	})
}

// FuzzCheck: any JSON object normalises and is checked without a panic, without a
// change, and with messages that are fit to show.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		`{"model":"famK-3.0","mode":"r2v","images":[1,null,"x"],"duration":"1e5","parameters":{"duration":{},"seed":[]}}`,
		`{"model":"famF-image","element_list":[{"element_id":null}],"n":-1,"size":"x"}`,
		`{"model":"famN_music","modelId":127,"extraParams":[],"speed":1e400}`,
		`{"model":7,"content":[{"type":"image_url","image_url":"x"},[],{"type":{}}],"image":{"url":1}}`,
		`{"model":"famJq3-turbo","images":["a","a",null],"image":"a","end_image":7,"duration":1.5}`,
		`{"model":"famK-3.0","mode":"extend","content":[{"type":"audio_url"}],"audios":[{}]}`,
		`{"model":"famH-2.3","content":{"type":"text"},"":"","prompt":["x"]}`,
	} {
		f.Add([]byte(s))
	}
	c := load(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var body map[string]any
		if dec.Decode(&body) != nil {
			return
		}
		for _, m := range []client.Modality{client.Video, client.Image, client.Music, client.Speech} {
			d, problems := c.Normalize(m, body)
			before, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			problems = append(problems, c.Check(d)...)
			for _, f := range c.Formats() {
				problems = append(problems, c.CheckFor(d, f.Name)...)
			}
			for _, p := range problems {
				if p.Message == "" || p.Severity == "" || !utf8.ValidString(p.Message) || client.CleanLine(p.Message) != p.Message {
					t.Fatalf("%+v", p)
				}
			}
			c.Fields(d)
			if after, _ := json.Marshal(d); !bytes.Equal(before, after) {
				t.Fatalf("Check changed the draft: %s -> %s", before, after)
			}
		}
	})
}

// FuzzParse: any text for any kind gives a value or gives the text back.
func FuzzParse(f *testing.F) {
	f.Add("5")
	f.Add(`[{"a":1}]`)
	f.Add("007\n x ")
	f.Fuzz(func(t *testing.T, s string) {
		for _, k := range kinds {
			v, err := Field{Name: "f", Kind: k}.Parse(s)
			if err != nil {
				if _, isText := v.(string); !isText {
					t.Fatalf("%s %q: %v with %v", k, s, v, err)
				}
				continue
			}
			if _, err := json.Marshal(v); err != nil {
				t.Fatalf("%s %q: %v", k, s, err)
			}
		}
	})
}
