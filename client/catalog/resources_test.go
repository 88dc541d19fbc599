package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func load(t testing.TB) *Catalog {
	t.Helper()
	c, err := Embedded()
	require.NoError(t, err)
	return c
}

// The tables of GATEWAY: Model identifiers, written down by hand.
var identifiers = []struct {
	family   string
	modality client.Modality
	ids      []string
}{
	{"famA", client.Video, []string{"famA3", "famA3-fast", "famA3-fast-frames", "famA3-frames", "famA3-pro", "famA3-pro-frames", "famA3.1", "famA3.1-fast", "famA3.1-pro", "famA3.1-components", "famA3.1-4k", "famA3.1-pro-4k"}},
	{"famB", client.Video, []string{"famB-2", "famB-2-pro"}},
	{"famC", client.Video, []string{"famC-1.0", "famC-1.0-i2v", "famC-1.0-t2v", "famC-1.0-r2v", "famC-1.0-video-edit"}},
	{"famD", client.Video, []string{"famD-1-0-lite-t2v-250428", "famD-1-0-lite-i2v-250428", "famD-1-0-pro-250528", "famD-1-0-pro-fast-251015", "famD-1-5-pro-251215", "famD-2-0-260128", "famD-2-0-fast-260128"}},
	{"famE", client.Video, []string{"famE-imagine-1.0-video", "famE-imagine-video-1.5-preview", "famE-video-3"}},
	{"famF", client.Video, []string{"famF-video"}},
	{"famG", client.Video, []string{"famG-h3"}},
	{"famH", client.Video, []string{"famH-2.3"}},
	{"famI", client.Video, []string{"famI-omni"}},
	{"famJ", client.Video, []string{"famJq3-turbo"}},
	{"famK", client.Video, []string{"famK-3.0", "famK-3.0-480p", "famK-3.0-1080p"}},
	{"famL", client.Image, []string{"famL", "famL-pro", "famL-pro-2k", "famL-pro-4k", "famL-2", "famL-2-2k", "famL-2-4k"}},
	{"famM", client.Image, []string{"famM-3-0-t2i-250415", "famM-4-0-250828", "famM-4-5-251128", "famM-5-0-260128"}},
	{"famF", client.Image, []string{"famF-image", "famF-omni-image", "famF-virtual-try-on-v1", "famF-virtual-try-on-v1-5"}},
	{"famN", client.Music, []string{"famN_music"}},
}

func TestEveryIdentifierIsThere(t *testing.T) {
	c := load(t)
	total := 0
	for _, row := range identifiers {
		var got []string
		for _, m := range c.Models(row.modality) {
			if m.Family == row.family {
				got = append(got, m.ID)
				require.NotEmpty(t, m.Formats, m.ID)
				require.NotEmpty(t, m.Routes, m.ID)
				require.NotEmpty(t, m.Modes, m.ID)
				require.NotEmpty(t, m.Source, m.ID)
			}
		}
		require.Equal(t, row.ids, got, row.family)
		total += len(row.ids)
	}
	require.Len(t, c.Models(""), total, "the catalog has models that GATEWAY.md does not name")
	require.Len(t, c.Families(), 14)
}

func TestModelNames(t *testing.T) {
	c := load(t)
	want := map[string][]string{
		"famF-video":      {"famF-v1", "famF-v1-5", "famF-v1-6", "famF-v2-master", "famF-v2-1", "famF-v2-1-master", "famF-v2-5-turbo", "famF-v2-6", "famF-v3"},
		"famF-image":      {"famF-v1", "famF-v1-5", "famF-v2", "famF-v2-new", "famF-v2-1", "famF-v3"},
		"famF-omni-image": {"famF-image-o1", "famF-v3-omni"},
	}
	for _, m := range c.Models("") {
		require.Equal(t, want[m.ID], m.ModelNames, m.ID)
		require.Equal(t, m.ID == "famF-video" || m.ID == "famF-image", m.ModelNameHard, m.ID)
	}
}

func TestModes(t *testing.T) {
	c := load(t)
	for id, want := range map[string][]string{
		"famA3":               {"t2v", "i2v", "i2v_first_last", "reference_images", "reference_material"},
		"famC-1.0":            {"t2v", "i2v", "r2v", "video_edit"},
		"famC-1.0-video-edit": {"video_edit"},
		"famF-video":          {"t2v", "i2v", "multi_i2v", "extend"},
		"famI-omni":           {"t2v", "r2v", "edit"},
		"famJq3-turbo":        {"t2v", "i2v", "i2v_first_last", "reference_images"},
		"famL":                nil,
		"famN_music":          nil,
	} {
		m, ok := c.Model(id)
		require.True(t, ok, id)
		require.Equal(t, want, m.ModeNames(), id)
	}
}

func TestFormatsAndWireNames(t *testing.T) {
	c := load(t)
	for id, want := range map[string]string{
		"famA3": "videos", "famK-3.0": "videos", "famJq3-turbo": "videos", "famD-2-0-260128": "videos",
		"famL": "images", "famF-virtual-try-on-v1": "images", "famN_music": "music", "nothing": "",
	} {
		require.Equal(t, want, c.DefaultFormat(id), id)
	}
	require.Equal(t, map[string]string{"image": "image"}, c.WireNames("famF-video", "videos"))
	require.Nil(t, c.WireNames("famF-video", "content"))
	require.Nil(t, c.WireNames("famA3", "videos"))
	require.Nil(t, c.WireNames("nothing", "videos"))

	// The content-array format names its models one by one.
	for _, m := range c.Models(client.Video) {
		inContent := m.Family == "famD" || m.Family == "famG" || m.Family == "famH" || m.Family == "famI"
		require.Equal(t, inContent, contains(m.Formats, "content"), m.ID)
		require.Equal(t, m.Family == "famC" || m.Family == "famK", contains(m.Routes, "tasks"), m.ID)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// TestEveryNameOfTheFormats lists every field and alias of the three create formats.
func TestEveryNameOfTheFormats(t *testing.T) {
	c := load(t)
	for m, names := range map[client.Modality]map[string]string{
		client.Video: {
			"seconds": "duration", "duration": "duration", "size": "size",
			"aspect_ratio": "aspect_ratio", "ratio": "aspect_ratio", "quality": "quality", "resolution": "resolution", "fps": "fps",
			"image": "image", "image_url": "image", "input_reference": "image",
			"image_urls": "images", "images": "images", "reference_images": "reference_images",
			"end_image_url": "end_image", "last_image_url": "end_image",
			"video_urls": "videos", "video": "videos", "video_url": "videos", "videos": "videos", "audio_urls": "audios",
			"function_mode": "function_mode", "content": "content", "callback_url": "callback_url", "external_task_id": "external_task_id",
			"seed": "seed", "generate_audio": "generate_audio", "audio": "generate_audio",
			"watermark": "watermark", "movement_amplitude": "movement_amplitude", "off_peak": "off_peak", "subjects": "subjects",
			"parameters":      "parameters",
			"negative_prompt": "negative_prompt", "cfg_scale": "cfg_scale", "sound": "sound", "camera_control": "camera_control",
			"image_list": "image_list", "video_id": "video_id", "task_id": "task_id", "watermark_info": "watermark_info",
		},
		client.Image: {
			"n": "n", "size": "size", "quality": "quality", "style": "style", "response_format": "response_format", "user": "user",
			"image": "image", "image_url": "image", "image_urls": "images", "images": "images", "image_list": "image_list",
			"subject_image_list": "subject_image_list", "scene_image": "scene_image", "style_image": "style_image",
			"negative_prompt": "negative_prompt", "aspect_ratio": "aspect_ratio", "resolution": "resolution",
			"callback_url": "callback_url", "external_task_id": "external_task_id",
			"element_list": "element_list", "result_type": "result_type", "series_amount": "series_amount",
			"human_image": "human_image", "cloth_image": "cloth_image",
			"up_expansion_ratio": "up_expansion_ratio", "down_expansion_ratio": "down_expansion_ratio",
			"left_expansion_ratio": "left_expansion_ratio", "right_expansion_ratio": "right_expansion_ratio",
		},
		client.Music: {
			"upstream_model": "upstream_model", "music_model": "upstream_model", "engine": "upstream_model", "model_id": "upstream_model", "modelId": "upstream_model",
			"extraParams": "extra_params", "extra_params": "extra_params", "voice": "voice",
			"output_format": "output_format", "outputFormat": "output_format", "sample_rate": "sample_rate", "sampleRate": "sample_rate",
			"speed": "speed", "volume": "volume", "pitch": "pitch",
			"make_instrumental": "make_instrumental", "light_music": "light_music", "custom_mode": "custom_mode", "customMode": "custom_mode",
			"title": "title", "tags": "tags", "style": "style", "genre": "genre",
			"lyrics": "lyrics", "lyric": "lyrics", "custom_lyrics": "lyrics", "customLyrics": "lyrics",
		},
	} {
		canonical := map[string]bool{}
		for name, want := range names {
			got, ok := c.Canonical(m, name)
			require.True(t, ok, "%s %s", m, name)
			require.Equal(t, want, got, "%s %s", m, name)
			f, ok := c.Field(m, want)
			require.True(t, ok, "%s %s", m, want)
			require.NotEmpty(t, f.Source, "%s %s", m, want)
			canonical[want] = true
		}
		require.Len(t, c.fields[m].list, len(canonical), "%s has fields that GATEWAY.md does not name", m)
	}
	_, ok := c.Canonical(client.Video, "model")
	require.False(t, ok)
	_, ok = c.Field(client.Video, "seconds")
	require.False(t, ok, "an alias is no canonical name")
	_, ok = c.Field(client.Chat, "duration")
	require.False(t, ok)
}

func TestEngines(t *testing.T) {
	f, ok := load(t).Field(client.Music, "upstream_model")
	require.True(t, ok)
	require.Equal(t, "famN-v5.5", f.Default)
	require.Equal(t, []string{"famN-v5.5", "famN-v5", "famR-audio-1.0", "famO-speech-2.8-hd", "famP-3-pro", "famO-music-v2.6", "famQ-v9"}, f.Allowed)
	for alias, want := range map[string]string{
		"126": "famR-audio-1.0", "127": "famO-speech-2.8-hd", "128": "famN-v5.5", "129": "famP-3-pro",
		"speech-2.8-hd": "famO-speech-2.8-hd", "famP-3-pro-preview": "famP-3-pro", "famQ-v9": "famQ-v9",
	} {
		require.Equal(t, want, f.Value(alias))
	}
	for name, want := range map[string]string{"sample_rate": "32000", "speed": "1", "volume": "1", "pitch": "0", "output_format": "mp3"} {
		f, _ := load(t).Field(client.Music, name)
		require.Equal(t, want, f.Default, name)
	}
}
