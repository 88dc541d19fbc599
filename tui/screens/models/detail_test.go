package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/tuitest"
)

// page is all that is said of a model, with blanks and line ends put together.
func (b *bench) page(id string) string {
	b.Resize(99, 400)
	b.goTo(id)
	b.Key("enter")
	text := strings.NewReplacer("│", " ", "┃", " ").Replace(b.View())
	b.Key("esc", "esc")
	return strings.Join(strings.Fields(text), " ")
}

// TestWhatGatewaySays has a case for each thing of GATEWAY.md that a page has to tell.
func TestWhatGatewaySays(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	for id, want := range map[string][]string{
		"famA3": {"POST /v1/videos", "reserved: POST /v1beta/models/{model}:predictLongRunning", "with First image or References choose a mode as well",
			"through native: hard: at most 3 items", "Version 3", "Name Family A, third", "Tokens input 480, output 8", "Methods predictLongRunning", "Makes short videos"},
		"famC-1.0":               {"Modes (one is required)", "configured, not documented", "usual: one of 720P, 1080P", "put reference images into Content (r2v)", "GET /api/v1/tasks/{id}"},
		"famF-video":             {"Model name required, one of famF-v1, famF-v1-5", "GET /famF/v1/videos/image2video/{id}", "multi_i2v", "video_id"},
		"famF-omni-image":        {"whether it is required is not documented; if given, one of famF-image-o1, famF-v3-omni", "hard: one of 1024x1024, 1024x1792, 1792x1024"},
		"famF-virtual-try-on-v1": {"needs a picture of the person, in Person", "needs a picture of the garment, in Garment"},
		"famG-h3":                {"usual: 5 to 15 s", "usual: 1440p", "POST /api/v3/contents/generations/tasks", "always needs a non-empty prompt"},
		"famH-2.3":               {"usual: one of 6, 10 s", "usual: 768p", "role first_frame"},
		"famI-omni":              {"mapped to one of 4, 6, 8, 10 s", "which one is not documented"},
		"famJq3-turbo":           {"through ent: hard: one of 16:9, 9:16, 4:3, 3:4, 1:1", "POST /ent/v2/img2video", "at most 7 (more are refused through ent, unusual elsewhere)", "hard: one of auto, small, medium, large"},
		"famK-3.0-480p":          {"Fixed Resolution is 480P by the model; another value is refused", "hard: 480P", "hard: 2 to 30 s", "Caveat • format: its create endpoint is not documented", "our suggestions: 24, 30 fps", "usual: omni_reference", "at most 5 audio files, 10 images, 5 videos over all fields; more are refused"},
		"famN_music":             {"As music", "As speech", "famN-v5: the older version", "also written: 126 is famR-audio-1.0", "matters with Engine famO-speech-2.8-hd", "named upstream_model, also music_model, also engine, also model_id, also modelId"},
	} {
		page := b.page(id)
		for _, w := range want {
			assert.Contains(t, page, w, id)
		}
	}
}

// TestEveryModelHasItsPage goes through all of them: nothing of the embedded catalog is left out.
func TestEveryModelHasItsPage(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	m, _, _ := newModel(t)
	deps := m.deps
	deps.Catalog = c
	m = New(deps)
	b := &bench{Driver: tuitest.NewScreen(t, m, 99, 400), m: m}
	for _, k := range client.Modalities() {
		for _, x := range c.Models(k) {
			i := indexOf(b.m.rows, x.ID)
			require.GreaterOrEqual(t, i, 0, x.ID)
			s := &sheet{catalog: b.m.deps.Catalog, ink: &b.m.ink, w: 500}
			b.m.sheet(s, &b.m.rows[i])
			page := tuitest.Plain(strings.Join(s.lines, "\n"))
			for _, mode := range x.Modes {
				assert.Contains(t, page, mode.Help, x.ID)
				for _, n := range mode.Needs {
					assert.Contains(t, page, n.Text, x.ID)
				}
			}
			for _, f := range c.Fields(client.Draft{Modality: k, Model: x.ID}) {
				assert.Contains(t, page, "  "+f.Label, x.ID)
				assert.Contains(t, page, f.Says(), x.ID)
				for _, v := range append(f.Allowed, f.Suggested...) {
					assert.Contains(t, page, v, x.ID+" "+f.Name)
				}
			}
			for _, f := range append(x.Formats, x.Routes...) {
				assert.Contains(t, page, "  "+f, x.ID)
			}
		}
	}
}

func indexOf(rows []row, id string) int {
	for i := range rows {
		if rows[i].id == id {
			return i
		}
	}
	return -1
}
