package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
)

func TestFormatsGoByTheDraft(t *testing.T) {
	t.Parallel()
	embedded := openGateway(t, testConfig(t), sandbox.Instant)
	cfg := testConfig(t)
	cfg.Profile.CreatePaths = map[string]string{"tasks": "/given/tasks"}
	told := openGateway(t, cfg, sandbox.Instant)
	insisting, err := OpenGateway(t.Context(), GatewayOptions{Config: testConfig(t), Insist: true})
	require.NoError(t, err)
	t.Cleanup(insisting.Close)
	for name, c := range map[string]struct {
		g        *Gateway
		modality client.Modality
		model    string
		want     []string
		says     string // of NoFormat, where there is none
	}{
		"music":                 {embedded, client.Music, "famN_music", []string{"music"}, ""},
		"speech, same model":    {embedded, client.Speech, "famN_music", []string{"music"}, ""},
		"chat, any model":       {embedded, client.Chat, "whatever", []string{"chat"}, ""},
		"reserved":              {embedded, client.Video, "famA3", []string{"videos"}, ""},
		"reserved, insisting":   {insisting, client.Video, "famA3", []string{"videos", "native"}, ""},
		"not configured":        {embedded, client.Video, "famK-3.0", []string{"videos"}, ""},
		"configured":            {told, client.Video, "famK-3.0", []string{"videos", "tasks"}, ""},
		"preferred first":       {embedded, client.Video, "famG-h3", []string{"videos", "content"}, ""},
		"of another modality":   {embedded, client.Image, "famA3", nil, `"famA3" makes video, the request is for image`},
		"not in the catalog":    {embedded, client.Video, "famZ", nil, "not in the catalog"},
		"image, not configured": {told, client.Image, "famL", []string{"images"}, ""},
	} {
		d := client.Draft{Modality: c.modality, Model: c.model}
		require.Equal(t, c.want, c.g.FormatsFor(d), name)
		if c.want == nil {
			require.Empty(t, c.g.FormatFor(d), name)
			require.ErrorContains(t, c.g.NoFormat(d), c.says, name)
			continue
		}
		require.Equal(t, c.want[0], c.g.FormatFor(d), name)
	}
	require.Equal(t, []string{"videos", "tasks"}, embedded.Reaching(client.Draft{Modality: client.Video, Model: "famK-3.0"}))
}
