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
