package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/places"
	"darkroom/client/sandbox"
)

// agree compares, for one draft after the other, what the catalog says of it before sending
// with what the embedded gateway answers: both read GATEWAY.md through the same rules.
type agree struct {
	t       *testing.T
	cat     *catalog.Catalog
	gateway *client.Client
	url     string
	key     string
	tried   int
	blocked int
	failed  int
	task    string // of a video that is there
}

func newAgree(t *testing.T) *agree {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	run, err := sandbox.Start(t.Context(), sandbox.Options{Timing: sandbox.Instant, Catalog: c}, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, run.Close()) })
	gateway, err := client.New(client.Options{
		BaseURL: run.URL, Formats: formats.All(), WireNames: c.WireNames, Key: func() (string, error) { return run.Key, nil },
		CreatePaths: map[string]string{"tasks": "/v1/videos"},
	})
	require.NoError(t, err)
	t.Cleanup(gateway.Close)
	task, err := gateway.Create(t.Context(), film(nil), "videos")
	require.NoError(t, err)
	return &agree{t: t, cat: c, gateway: gateway, url: run.URL, key: run.Key, task: task.ID}
}

const anyTask = "a video that is there"

// tinyPicture is the smallest one that the embedded gateway reads.
const tinyPicture = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

// served are the formats whose creates the embedded gateway takes.
var served = []string{"videos", "content", "ent", "tasks", "images", "music"}

// try judges a draft on both sides.
func (a *agree) try(d client.Draft, format, says string) {
	a.t.Helper()
	if a.failed > 100 {
		return
	}
	a.tried++
	if d.Values["video_id"] == anyTask {
		d.Values["video_id"] = a.task
	}
	found := a.cat.CheckFor(d, format)
	blocked := catalog.Blocked(found)
	if blocked {
		a.blocked++
	}
	p, err := a.gateway.Preview(d, format)
	if err != nil {
		if !blocked {
			a.miss("%s %s %s %s: not refused, and cannot be encoded: %v\n%v", d.Model, d.Mode, format, says, err, found)
		}
		return
	}
	raw, err := a.gateway.Body(a.t.Context(), d, format) // the preview is abbreviated
	require.NoError(a.t, err)
	if format == "ent" && d.Mode != "" { // which has no such field: there the images say it
		raw, err = places.Overlay(raw, map[string]json.RawMessage{"mode": json.RawMessage(`"` + d.Mode + `"`)})
		require.NoError(a.t, err)
	}
	req, err := http.NewRequestWithContext(a.t.Context(), p.Method, a.url+p.Path, bytes.NewReader(raw))
	require.NoError(a.t, err)
	req.Header.Set("Authorization", "Bearer "+a.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(a.t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(a.t, err)
	require.NoError(a.t, resp.Body.Close())
	if refused := resp.StatusCode == http.StatusBadRequest; refused != blocked || !refused && resp.StatusCode != http.StatusOK {
		a.miss("%s %s %s %s: refused here %v, there %d %s\n%s\n%v", d.Model, d.Mode, format, says, blocked, resp.StatusCode, answer, p.Body, found)
	}
}

func (a *agree) miss(format string, args ...any) {
	a.failed++
	a.t.Errorf(format, args...)
}

// Every model in every mode through every format: the minimum input in each of its ways, and
// with each part of it missing.
func TestMinimumInputsAgree(t *testing.T) {
	t.Parallel()
	a := newAgree(t)
	for _, as := range []client.Modality{client.Video, client.Image, client.Music, client.Speech} {
		for _, m := range a.cat.Models(as) {
			for _, format := range m.Formats {
				if !slices.Contains(served, format) {
					continue
				}
				for _, mode := range m.Modes {
					for n := range 5 {
						a.try(least(m, mode, n, -1), format, fmt.Sprintf("minimum in its way %d", n))
					}
					for i := range mode.Needs {
						if mode.Needs[i].AnyOf[0] == "upstream_model" {
							continue // a rule of ours: without an engine the gateway makes music
						}
						for n := range 2 {
							a.try(least(m, mode, n, i), format, "without "+mode.Needs[i].Text)
						}
					}
					d := least(m, mode, 0, -1)
					d.Mode = ""
					a.try(d, format, "without its mode")
					d.Mode = "dance"
					a.try(d, format, "with a mode that nobody lists")
					d = least(m, mode, 0, -1)
					for _, name := range []string{"", " ", "famF-v3", "famF-image-o1", "none"} {
						d.ModelName = name
						a.try(d, format, "with the model_name "+name)
					}
				}
			}
		}
	}
	t.Logf("%d drafts, %d refused", a.tried, a.blocked)
	require.Greater(t, a.tried, 2000)
	require.Greater(t, a.blocked, 200)
}

// Every type of content item with every role, in every mode of one model of each family, alone and beside
// the minimum input; and the two of them, as first and last frame.
func TestContentItemsAgree(t *testing.T) {
	t.Parallel()
	a := newAgree(t)
	seen := map[string]bool{}
	roles := append(catalog.ContentRoles(), "last_frame", "hero", "")
	for _, m := range a.cat.Models(client.Video) {
		if key := m.Family + m.Modes[0].Name; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for _, format := range m.Formats {
			for _, mode := range m.Modes {
				for _, kind := range append(catalog.ContentTypes(), "file_url") {
					for _, role := range roles {
						if !slices.Contains(served, format) || kind == "text" && role != "" {
							continue
						}
						item := map[string]any{"type": kind, kind: map[string]any{"url": "https://e.com/x"}}
						if kind == "text" {
							item[kind] = "x"
						}
						if role != "" {
							item["role"] = role
						}
						alone := client.Draft{Modality: client.Video, Model: m.ID, Mode: mode.Name, Prompt: "x", Values: client.Values{"content": []any{item}}}
						if len(m.ModelNames) > 0 {
							alone.ModelName = m.ModelNames[0]
						}
						a.try(alone, format, "only "+kind+" "+role)
						alone.Prompt = ""
						a.try(alone, format, "without a prompt "+kind+" "+role)
						beside := least(m, mode, 0, -1)
						beside.Values["content"] = append(beside.Values.List("content"), item)
						a.try(beside, format, "beside the minimum "+kind+" "+role)
					}
				}
			}
		}
	}
	t.Logf("%d drafts, %d refused", a.tried, a.blocked)
	require.Greater(t, a.tried, 5000)
}

// Every field with every kind of value, for one model of each family through each format.
func TestValuesAgree(t *testing.T) {
	t.Parallel()
	a := newAgree(t)
	seen := map[string]bool{}
	for _, as := range []client.Modality{client.Video, client.Image, client.Music, client.Speech} {
		for _, m := range a.cat.Models(as) {
			if key := string(as) + m.Family + m.Modes[0].Label; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			for _, format := range m.Formats {
				if !slices.Contains(served, format) {
					continue
				}
				d := least(m, m.Modes[0], 0, -1)
				codec, _ := a.gateway.Format(format)
				for _, f := range a.cat.FieldsFor(d, format) {
					if !slices.ContainsFunc(codec.Fields(), func(w client.WireField) bool { return w.Canonical == f.Name }) {
						continue
					}
					for _, v := range values(f) {
						if beyond(f, v) || as == client.Speech && f.Name == "upstream_model" { // whose absence only we refuse
							continue
						}
						x := d.Clone()
						x.Values[f.Name] = v
						a.try(x, format, fmt.Sprintf("%s %#v", f.Name, v))
					}
				}
			}
		}
	}
	t.Logf("%d drafts, %d refused", a.tried, a.blocked)
}
