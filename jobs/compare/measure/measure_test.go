package measure_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/mediainfo"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/measure"
	"darkroom/jobs/delivered"
)

func video(values client.Values) client.Draft {
	return client.Draft{Modality: client.Video, Model: "m", Values: values}
}

func clip() mediainfo.Info {
	return mediainfo.Info{Kind: mediainfo.Video, Format: "MP4", Width: 1280, Height: 720, Duration: 5100 * time.Millisecond, FPS: 24, Codec: "avc1"}
}

// facts as "field asked claimed delivered verdict claim".
func lines(list []compare.Property) []string {
	var out []string
	show := func(f compare.Fact) string {
		if !f.Known {
			return "-"
		}
		return f.Text
	}
	for _, p := range list {
		out = append(out, p.Field+" "+show(p.Asked)+" "+show(p.Claimed)+" "+show(p.Delivered)+" "+string(p.Verdict)+" "+string(p.ClaimVerdict))
	}
	return out
}

func TestAskedClaimedDelivered(t *testing.T) {
	sound := clip()
	sound.AudioCodec, sound.Rate, sound.Channels = "mp4a", 48000, 2
	for name, tc := range map[string]struct {
		draft  client.Draft
		file   mediainfo.Info
		answer string
		want   []string
	}{
		"as asked": {
			draft: video(client.Values{"duration": "5", "size": "1280x720", "fps": "24"}), file: clip(),
			answer: `{"seconds":"5","metadata":{"fps":24,"width":1280,"height":720}}`,
			want: []string{
				"duration 5 5 5.1 pass pass", "width 1280 1280 1280 pass pass", "height 720 720 720 pass pass",
				"resolution - - 720p unknown unknown", "aspect_ratio - - 1.78:1 unknown unknown", "fps 24 24 24 pass pass",
				"codec - - avc1 unknown unknown", "container - - MP4 unknown unknown", "audio - - no unknown unknown",
			},
		},
		"shorter, and the claim is wrong": {
			draft: video(client.Values{"duration": "8"}), file: clip(), answer: `{"duration":8}`,
			want: []string{"duration 8 8 5.1 fail fail"},
		},
		"another resolution and shape": {
			draft: video(client.Values{"resolution": "1080p", "aspect_ratio": "9:16"}), file: clip(), answer: `not JSON`,
			want: []string{"resolution 1080p - 720p fail unknown", "aspect_ratio 0.56:1 - 1.78:1 fail unknown"},
		},
		"sound that was asked for": {
			draft: video(client.Values{"generate_audio": true}), file: sound, answer: `{"data":{"format":"mp4","has_audio":true,"codec":"h264"}}`,
			want: []string{"codec - avc1 avc1 unknown pass", "container - MP4 MP4 unknown pass", "audio yes yes yes pass pass", "sample_rate - - 48000 unknown unknown", "channels - - 2 unknown unknown"},
		},
		"sound that is missing": {
			draft: video(client.Values{"generate_audio": true}), file: clip(), want: []string{"audio yes - no fail unknown"},
		},
		"speech": {
			draft: client.Draft{Modality: client.Speech, Values: client.Values{"output_format": "mp3", "sample_rate": "32000"}},
			file:  mediainfo.Info{Kind: mediainfo.Audio, Format: "WAV", AudioCodec: "pcm", Rate: 24000, Channels: 1, Duration: time.Second},
			want:  []string{"container MP3 - WAV fail unknown", "sample_rate 32000 - 24000 fail unknown", "audio - - yes unknown unknown"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := lines(measure.Facts(tc.draft, []mediainfo.Info{tc.file}, []byte(tc.answer), nil))
			for _, w := range tc.want {
				assert.Contains(t, got, w)
			}
			if name == "as asked" {
				assert.Equal(t, tc.want, got, "in the order of Fields")
			}
		})
	}
}

func TestPicturesAreCounted(t *testing.T) {
	d := client.Draft{Modality: client.Image, Values: client.Values{"n": "3", "size": "1024x1024"}}
	p := mediainfo.Info{Kind: mediainfo.Picture, Format: "PNG", Width: 512, Height: 1024}
	got := lines(measure.Facts(d, []mediainfo.Info{p, p}, nil, nil))
	assert.Contains(t, got, "n 3 - 2 fail unknown")
	assert.Contains(t, got, "width 1024 - 512 fail unknown")
	assert.Contains(t, got, "height 1024 - 1024 pass unknown")
	assert.Contains(t, lines(measure.Facts(d, nil, nil, nil)), "width 1024 - - unknown unknown", "nothing came, nothing differs")
}

func TestToleranceOfTheSuite(t *testing.T) {
	d := video(client.Values{"duration": "5", "fps": "24"})
	for spec, want := range map[string]compare.Verdict{"0.1": compare.Pass, "0.1s": compare.Pass, "0.05": compare.Fail, "2%": compare.Pass, "1.9 %": compare.Fail, "0": compare.Fail} {
		tol, err := measure.ParseTolerance("duration", spec)
		require.NoError(t, err, spec)
		facts := measure.Facts(d, []mediainfo.Info{clip()}, nil, measure.Tolerances{"duration": tol})
		assert.Equal(t, want, facts[0].Verdict, spec)
	}
	for _, bad := range [][2]string{{"duration", "much"}, {"duration", "-1"}, {"duration", "NaN"}, {"mood", "1"}, {"fps", "1s"}} {
		_, err := measure.ParseTolerance(bad[0], bad[1])
		assert.Error(t, err, bad)
	}
	assert.Equal(t, "±0.5 s", measure.Facts(d, nil, nil, nil)[0].Tolerance)
}

func TestSentences(t *testing.T) {
	facts := measure.Facts(video(client.Values{"duration": "8", "fps": "24"}), []mediainfo.Info{clip()}, []byte(`{"duration":8}`), nil)
	differs := measure.Differs(facts)
	require.Len(t, differs, 1)
	assert.Equal(t, "duration: asked for 8 s, got 5.1 s; the answer claims 8 s", measure.Sentence(differs[0]))
}

func FuzzFacts(f *testing.F) {
	f.Add("8", "1280x720", `{"data":[{"duration":5,"fps":"24","format":"mp4"}]}`)
	f.Add("1e308", "0x0", `{"videos":[{}],"metadata":{"codec":"\u202e"}}`)
	f.Fuzz(func(t *testing.T, duration, size, answer string) {
		facts := measure.Facts(video(client.Values{"duration": duration, "size": size}), []mediainfo.Info{clip()}, []byte(answer), nil)
		fields := delivered.Fields()
		last := -1
		for _, p := range facts {
			i := 0
			for fields[i] != p.Field {
				i++
			}
			assert.Greater(t, i, last, "each once, in order")
			last = i
			for _, x := range []string{p.Asked.Text, p.Claimed.Text, p.Delivered.Text} {
				assert.Equal(t, client.CleanLine(x), x)
			}
		}
	})
}
