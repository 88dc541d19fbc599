package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/models"
	"darkroom/client/formattest"
)

func lists() map[string]client.ModelLister {
	return map[string]client.ModelLister{"v1beta": models.Native{}, "v1": models.OpenAI{}}
}

const (
	native = `{"models":[{"name":"models/famA3","version":"1","displayName":"A3","description":"d","inputTokenLimit":480,"outputTokenLimit":"8192","supportedGenerationMethods":["predictLongRunning"]},` +
		`{"name":"famL","version":null,"displayName":"","supportedGenerationMethods":null}],"nextPageToken":"p2"}`
	openai = `{"object":"list","success":true,"data":[{"id":"famA3","object":"model","created":1,"owned_by":"custom","supported_endpoint_types":["openai"]},{"id":"chat-1"}]}`
)

func TestSuite(t *testing.T) {
	for name, l := range lists() {
		t.Run(name, func(t *testing.T) {
			formattest.Models(t, l, []formattest.ModelAnswer{
				{Name: "native", Body: native, IDs: []string{"famA3", "famL"}, Next: "p2"},
				{Name: "openai", Body: openai, IDs: []string{"famA3", "chat-1"}},
				{Name: "paged", Body: `{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}`, IDs: []string{"a"}, Next: "a"},
				{Name: "bare names", Body: `{"data":["a","models/b",""]}`, IDs: []string{"a", "b"}},
				{Name: "an array", Body: `[{"id":"a"}]`, IDs: []string{"a"}},
				{Name: "in an envelope", Body: `{"code":0,"message":"ok","data":{"models":[{"name":"a"}]}}`, IDs: []string{"a"}},
				{Name: "empty", Body: `{"models":[]}`, IDs: []string{}},
				{Name: "null", Body: `{"data":null}`, Fails: true},
				{Name: "an error", Body: `{"error":{"message":"no"}}`, Fails: true},
				{Name: "nothing", Body: `{"x":1}`, Fails: true},
			})
		})
	}
}

func TestEveryFieldIsRead(t *testing.T) {
	got, _, err := models.Native{}.Decode(formattest.OK(native))
	require.NoError(t, err)
	assert.Equal(t, client.RemoteModel{
		ID: "famA3", DisplayName: "A3", Description: "d", Version: "1", Methods: []string{"predictLongRunning"}, InputLimit: 480, OutputLimit: 8192,
	}, got[0])
	got, _, err = models.OpenAI{}.Decode(formattest.OK(openai))
	require.NoError(t, err)
	assert.Equal(t, "custom", got[0].Owner)
	assert.Equal(t, []string{"openai"}, got[0].Methods)
}

func TestPathsAndLabels(t *testing.T) {
	assert.Equal(t, "/v1beta/models", models.Native{}.Request("").Path)
	assert.Equal(t, "/v1beta/models?pageToken=a%26b", models.Native{}.Request("a&b").Path)
	assert.Equal(t, "/v1/models?after=x", models.OpenAI{}.Request("x").Path)
	assert.True(t, models.OpenAI{}.Guess())
	assert.Contains(t, models.OpenAI{}.Label(), "guess")
	assert.False(t, models.Native{}.Guess())
}

func FuzzDecode(f *testing.F) {
	for _, s := range append(formattest.Hostile(), native, openai) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, _, err := models.Native{}.Decode(client.Response{StatusCode: 200, Body: body})
		if err != nil {
			return
		}
		for _, m := range got {
			assert.NotEmpty(t, m.ID)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	body := `{"data":[` + strings.TrimSuffix(strings.Repeat(`{"id":"famA3","owned_by":"custom"},`, 200), ",") + `]}`
	r := formattest.OK(body)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := (models.OpenAI{}).Decode(r); err != nil {
			b.Fatal(err)
		}
	}
}
