package catalog_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// limitSentences are the rows of "Limits" that are not among the rules of a format: hard
// ones refuse, those that are commonly used warn. Each row stands on both sides.
func limitSentences() []sentence {
	famK := func(rest string) string { return `{"model":"famK-3.0","mode":"r2v","prompt":"x",` + rest + `}` }
	famJ := func(rest string) string { return `{"model":"famJq3-turbo","mode":"t2v","prompt":"x",` + rest + `}` }
	famG := func(rest string) string { return `{"model":"famG-h3","mode":"t2v","prompt":"x",` + rest + `}` }
	famH := func(rest string) string {
		return `{"model":"famH-2.3","mode":"i2v","prompt":"x","image_urls":[<img>],` + rest + `}`
	}
	one := `"images":[<img>],`
	out := []sentence{
		{id: "limits.famK-duration", says: "hard: 1", body: famK(one + `"duration":1`), finds: []string{"block duration: 1; allowed is 2 to 30 s for famK-3.0"}},
		{id: "limits.famK-duration", says: "hard: 30.5", body: famK(one + `"duration":"30.5"`), finds: []string{"block duration: 2 to 30"}},
		{id: "limits.famK-duration", says: "hard: in parameters", body: famK(one + `"parameters":{"duration":31}`), finds: []string{"block parameters: parameters.duration is 31; allowed is 2 to 30"}},
		{id: "limits.famK-duration", says: "2", body: famK(one + `"duration":2`)},
		{id: "limits.famK-duration", says: "30", body: famK(one + `"duration":30`)},
		{id: "limits.famK-duration", says: "for all three models, and no other", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models(client.Video) {
				d := client.Draft{Modality: client.Video, Model: m.ID, Values: client.Values{"duration": "31"}}
				hard := false
				for _, p := range c.Check(d) {
					hard = hard || p.Field == "duration" && p.Severity == catalog.Block
				}
				require.Equal(t, m.Family == "famK", hard, m.ID)
			}
		}},
		{id: "limits.famK-references", says: "10 images, 5 videos, 5 audio files", body: famK(`"images":` + many(10) + `,"videos":` + many(5) + `,"audios":` + many(5))},
		{id: "limits.famK-references", says: "hard: 11 images", body: famK(`"images":` + many(11)), finds: []string{"block images: 11 image references, famK-3.0 takes up to 10"}},
		{id: "limits.famK-references", says: "hard: 11 over two fields", body: famK(`"images":` + many(10) + `,"image":<img>`), finds: []string{"block images: 11 image references"}},
		{id: "limits.famK-references", says: "hard: 11 with content", body: famK(`"images":` + many(10) + `,"content":[<item>]`), finds: []string{"block images: 11 image references"}},
		{id: "limits.famK-references", says: "hard: 6 videos", body: famK(`"videos":` + many(6)), finds: []string{"block videos: 6 video references, famK-3.0 takes up to 5"}},
		{id: "limits.famK-references", says: "hard: 6 audio files", body: famK(`"audios":` + many(6)), finds: []string{"block audios: up to 5"}},
		{id: "limits.famK-resolution", says: "as fixed", body: famK(one + `"resolution":"720P"`)},
		{id: "limits.famK-resolution", says: "in small letters", body: famK(one + `"resolution":"720p"`), finds: []string{`info resolution: writes it "720P"`}},

		{id: "limits.vidu-images", says: "1, 2, 1 to 7, on /ent/v2", holds: func(t *testing.T, c *catalog.Catalog) {
			for mode, bounds := range map[string][2]int{"i2v": {1, 1}, "i2v_first_last": {2, 2}, "reference_images": {1, 7}} {
				for n := range 9 {
					d := draft(t, c, sentence{body: fmt.Sprintf(`{"model":"famJq3-turbo","mode":"%s","images":%s}`, mode, many(n))})
					require.Equal(t, n < bounds[0] || n > bounds[1], catalog.Blocked(c.CheckFor(d, "ent")), "%s %d", mode, n)
				}
			}
		}},
		{id: "limits.vidu-duration", says: "commonly 5", body: famJ(`"duration":5`)},
		{id: "limits.vidu-duration", says: "the model range is not documented: nothing is said of others", body: famJ(`"duration":8`)},
		{id: "limits.vidu-duration", says: "and the help tells both", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, f := range c.Fields(client.Draft{Modality: client.Video, Model: "famJq3-turbo", Mode: "t2v"}) {
				if f.Name == "duration" {
					require.Equal(t, []string{"5"}, f.Usual)
					require.Regexp(t, "commonly 5 seconds.*not documented", f.Help)
				}
			}
		}},
		{id: "limits.vidu-resolution", says: "hard on /ent/v2", format: "ent", body: famJ(`"resolution":"4k"`), finds: []string{"block resolution: allowed: 540p, 720p, 1080p"}},
		{id: "limits.vidu-resolution", says: "usual on /v1/videos", body: famJ(`"resolution":"4k"`), finds: []string{"warn resolution: usual: 540p, 720p, 1080p"}},
		{id: "limits.vidu-resolution", says: "one of the three", format: "ent", body: famJ(`"resolution":"540p"`)},
		{id: "limits.famG", says: "5 and 1440p", body: famG(`"duration":5,"resolution":"1440p"`)},
		{id: "limits.famG", says: "15", body: famG(`"duration":15`)},
		{id: "limits.famG", says: "usual: 16", body: famG(`"duration":16`), finds: []string{"warn duration: 16; usual is 5 to 15 s for famG-h3"}},
		{id: "limits.famG", says: "usual: 4", body: famG(`"duration":"4"`), finds: []string{"warn duration: 4; usual is 5 to 15 s for famG-h3"}},
		{id: "limits.famG", says: "usual: 720p", body: famG(`"resolution":"720p"`), finds: []string{"warn resolution: usual: 1440p"}},
		{id: "limits.famH", says: "6 and 768p", body: famH(`"duration":6,"resolution":"768p"`)},
		{id: "limits.famH", says: "10", body: famH(`"duration":"10"`)},
		{id: "limits.famH", says: "usual: 8", body: famH(`"duration":8`), finds: []string{"warn duration: usual: 6, 10"}},
		{id: "limits.famH", says: "usual: 1080p", body: famH(`"resolution":"1080p"`), finds: []string{"warn resolution: usual: 768p"}},
	}
	for _, n := range []int{4, 6, 8, 10} {
		out = append(out, sentence{id: "limits.famI-duration", says: fmt.Sprint(n), body: fmt.Sprintf(`{"model":"famI-omni","mode":"t2v","prompt":"x","duration":%d}`, n)})
	}
	for _, n := range []string{"3", "5", "7", "9", "12", "4.5"} {
		out = append(out, sentence{id: "limits.famI-duration", says: "mapped: " + n, body: `{"model":"famI-omni","mode":"t2v","prompt":"x","duration":` + n + `}`,
			finds: []string{"info duration: mapped to one of 4, 6, 8, 10"}})
	}
	for model, fixed := range map[string]string{"famK-3.0": "720P", "famK-3.0-480p": "480P", "famK-3.0-1080p": "1080P"} {
		for _, asked := range []string{"720P", "480P", "1080P"} {
			s := sentence{id: "limits.famK-resolution", says: model + " " + asked, body: fmt.Sprintf(`{"model":%q,"mode":"t2v","prompt":"x","resolution":%q}`, model, asked)}
			if asked != fixed {
				s.finds = []string{fmt.Sprintf("block resolution: %q; allowed: %s for %s", asked, fixed, model)}
			}
			out = append(out, s)
		}
	}
	return out
}
