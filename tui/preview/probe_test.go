package preview_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Eyevinn/mp4ff/mp4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

func file(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// video is an MP4 of 40 pictures at 8 a second, with sound, its index behind the data.
func video(t testing.TB) []byte {
	t.Helper()
	init := mp4.CreateEmptyInit()
	init.Moov.Mvhd.Timescale, init.Moov.Mvhd.Duration = 1000, 5000
	init.AddEmptyTrack(800, "video", "und")
	init.AddEmptyTrack(44100, "audio", "und")
	pics, sound := init.Moov.Traks[0], init.Moov.Traks[1]
	stbl := pics.Mdia.Minf.Stbl
	stbl.Stsd.AddChild(mp4.CreateVisualSampleEntryBox("avc1", 480, 270, nil))
	stbl.Stts.SampleCount, stbl.Stts.SampleTimeDelta = []uint32{40}, []uint32{100}
	sound.Mdia.Minf.Stbl.Stsd.AddChild(mp4.CreateAudioSampleEntryBox("mp4a", 2, 16, 44100, nil))
	var b bytes.Buffer
	require.NoError(t, init.Ftyp.Encode(&b))
	b.Write([]byte{0, 0, 1, 0, 'm', 'd', 'a', 't'})
	b.Write(make([]byte, 248))
	require.NoError(t, init.Moov.Encode(&b))
	return b.Bytes()
}

// sound is a WAV of one second whose second half is twice as loud.
func sound(rate, channels int) []byte {
	var data bytes.Buffer
	for i := range rate {
		v := int16(8192)
		if i >= rate/2 {
			v = 16384
		}
		if i%2 == 1 {
			v = -v
		}
		for range channels {
			_ = binary.Write(&data, binary.LittleEndian, v)
		}
	}
	var b bytes.Buffer
	b.WriteString("RIFF\x00\x00\x00\x00WAVELIST\x03\x00\x00\x00abc\x00fmt \x10\x00\x00\x00")
	for _, v := range []any{uint16(1), uint16(channels), uint32(rate), uint32(rate * channels * 2), uint16(channels * 2), uint16(16)} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, uint32(data.Len()))
	b.Write(data.Bytes())
	return b.Bytes()
}

func flac() []byte {
	b := make([]byte, 42)
	copy(b, "fLaC\x80\x00\x00\x22")
	binary.BigEndian.PutUint64(b[18:], 48000<<44|1<<41|15<<36|96000)
	return b
}

func mp3(tag string) []byte {
	frame := make([]byte, 417)
	copy(frame, "\xff\xfb\x90\x00") // MPEG 1 layer III, 128 kbit/s, 44.1 kHz, stereo
	if tag != "" {
		copy(frame[36:], tag+"\x00\x00\x00\x01\x00\x00\x01\x00") // 256 frames
	}
	return append([]byte("ID3\x04\x00\x00\x00\x00\x00\x0a0123456789"), bytes.Repeat(frame, 40)...)
}

func TestProbe(t *testing.T) {
	info, err := preview.Probe(file(t, "v.mp4", video(t)))
	require.NoError(t, err)
	assert.Equal(t, preview.Video, info.Kind)
	assert.Equal(t, "avc1", info.Codec)
	assert.Equal(t, "mp4a", info.AudioCodec)
	assert.Equal(t, [2]int{480, 270}, [2]int{info.Width, info.Height})
	assert.InDelta(t, 8, info.FPS, 0.001)
	assert.Equal(t, 5*time.Second, info.Duration)
	assert.Equal(t, "Video, 5.0 s · 480 x 270 · 8 fps · avc1 · 44.1 kHz · stereo · mp4a · MP4 · 1.3 kB", info.Line())

	info, err = preview.Probe(file(t, "s.wav", sound(8000, 2)))
	require.NoError(t, err)
	assert.Equal(t, preview.Audio, info.Kind)
	assert.Equal(t, time.Second, info.Duration)
	assert.Equal(t, [3]int{8000, 2, 16}, [3]int{info.Rate, info.Channels, info.Bits})
	require.Len(t, info.Wave, 240)
	assert.InDelta(t, 0.25, info.Wave[3], 0.001)
	assert.InDelta(t, 0.5, info.Wave[200], 0.001)

	info, err = preview.Probe(file(t, "s.flac", flac()))
	require.NoError(t, err)
	assert.Equal(t, 2*time.Second, info.Duration)
	assert.Equal(t, [3]int{48000, 2, 16}, [3]int{info.Rate, info.Channels, info.Bits})

	for _, tag := range []string{"Xing", "Info"} {
		info, err = preview.Probe(file(t, "s.mp3", mp3(tag)))
		require.NoError(t, err)
		assert.InDelta(t, 256*1152/44100.0, info.Duration.Seconds(), 0.001)
		assert.False(t, info.About)
	}
	info, err = preview.Probe(file(t, "s.mp3", mp3("")))
	require.NoError(t, err)
	assert.InDelta(t, 40*417*8/128000.0, info.Duration.Seconds(), 0.001)
	assert.True(t, info.About)

	info, err = preview.Probe(file(t, "p.png", encode(t, "png", noise(31, 7))))
	require.NoError(t, err)
	assert.Equal(t, preview.Picture, info.Kind)
	assert.Equal(t, [2]int{31, 7}, [2]int{info.Width, info.Height})

	info, err = preview.Probe(file(t, "t.txt", []byte("just text")))
	require.NoError(t, err)
	assert.Equal(t, preview.Other, info.Kind)
	assert.EqualValues(t, 9, info.Bytes)
}

func TestProbeRefusesWhatIsNoFile(t *testing.T) {
	_, err := preview.Probe(t.TempDir())
	require.ErrorContains(t, err, "not a regular file")
	_, err = preview.Probe(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDamagedFilesAreErrorsNotPanics(t *testing.T) {
	for name, data := range map[string][]byte{"mp4": video(t), "wav": sound(800, 1), "flac": flac(), "mp3": mp3(""), "png": encode(t, "png", noise(9, 9))} {
		for cut := range min(len(data), 700) {
			_, _ = preview.Probe(file(t, "cut."+name, data[:cut]))
			if cut == 100 {
				break
			}
		}
		broken := bytes.Clone(data)
		for i := 12; i < len(broken); i += 7 {
			broken[i] ^= 0xff
		}
		info, _ := preview.Probe(file(t, "broken."+name, broken))
		assert.GreaterOrEqual(t, info.Duration, time.Duration(0), name)
		assert.LessOrEqual(t, info.Duration, 1001*time.Hour, name)
	}
	_, err := preview.Probe(file(t, "v.mp4", video(t)[:300]))
	require.ErrorContains(t, err, "MP4")
	huge := append([]byte("\x00\x00\x00\x10ftypisom0000\x00\x00\x00\x01moov"), 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	_, err = preview.Probe(file(t, "h.mp4", huge))
	require.Error(t, err)
}

// box is a box of an MP4.
func box(name string, content ...[]byte) []byte {
	body := bytes.Join(content, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), name...), body...)
}

// nested is an MP4 with tracks in tracks.
func nested(deep int) []byte {
	b := append(box("ftyp", []byte("isom\x00\x00\x00\x00")), box("moov")...)
	at := len(b) - 8
	b = append(b, bytes.Repeat(box("trak"), deep)...)
	for i := at; i < len(b); i += 8 {
		binary.BigEndian.PutUint32(b[i:], uint32(len(b)-i))
	}
	return b
}

func TestBoxesInBoxesAreNotGoneInto(t *testing.T) {
	info, err := preview.Probe(file(t, "deep.mp4", nested(1_000_000)))
	require.NoError(t, err)
	assert.Equal(t, preview.Video, info.Kind)

	many := append(box("ftyp", make([]byte, 8)), box("moov", bytes.Repeat(box("trak"), 6000))...)
	_, err = preview.Probe(file(t, "wide.mp4", many))
	require.EqualError(t, err, "preview: MP4: it has too many boxes, at most 5000 are looked at")
}

func TestOfADamagedVideoStaysWhatWasRead(t *testing.T) {
	whole := video(t)
	at := bytes.Index(whole, []byte("smhd")) // in the second track
	require.Positive(t, at)
	whole[at-4] = 0x7f
	info, err := preview.Probe(file(t, "v.mp4", whole))
	require.EqualError(t, err, "preview: MP4: damaged")
	assert.Equal(t, "Video, 5.0 s · 480 x 270 · 8 fps · avc1 · MP4 · 1.3 kB", info.Line())
}

func TestAVideoOfAnUnusualCodecIsOne(t *testing.T) {
	data := bytes.ReplaceAll(video(t), []byte("avc1"), []byte("mp4v"))
	info, err := preview.Probe(file(t, "v.mp4", data))
	require.NoError(t, err)
	assert.Equal(t, preview.Video, info.Kind)
	assert.Equal(t, "mp4v", info.Codec)
	assert.Equal(t, 480, info.Width)
}

// noted is a JPEG with 120 kB of notes before its picture.
func noted(t testing.TB) []byte {
	t.Helper()
	note := segment(0xe1, make([]byte, 60_000)...)
	return append(append([]byte{0xff, 0xd8}, bytes.Repeat(note, 2)...), encode(t, "jpeg", noise(40, 30))[2:]...)
}

func TestTheSizeOfAPictureBehindManyNotes(t *testing.T) {
	info, err := preview.Probe(file(t, "n.jpg", noted(t)))
	require.NoError(t, err)
	assert.Equal(t, [2]int{40, 30}, [2]int{info.Width, info.Height})
}

func TestCard(t *testing.T) {
	st := tuitest.Styles(t)
	v, err := preview.Probe(file(t, "v.mp4", video(t)))
	require.NoError(t, err)
	s, err := preview.Probe(file(t, "s.wav", sound(8000, 1)))
	require.NoError(t, err)
	for w := 1; w < 70; w += 3 {
		for h := 1; h < 18; h++ {
			for _, info := range []preview.Info{v, s, {}, {FPS: math.NaN(), Channels: 6}} {
				tuitest.CheckFrame(t, preview.Card(st, info, w, h), w, h)
			}
		}
	}
	tuitest.Golden(t, "card-video", preview.Card(st, v, 44, 7))
	tuitest.Golden(t, "card-sound", preview.Card(st, s, 44, 8))
	tuitest.Golden(t, "card-sound-tall", preview.Card(st, s, 44, 14))
	assert.Contains(t, strings.Join(preview.Info{Channels: 6, Rate: 48000}.Facts(), "\n"), "48 kHz · 6 channels")
}

func FuzzProbe(f *testing.F) {
	for _, d := range [][]byte{video(f), sound(100, 1), flac(), mp3("Xing")[:500], encode(f, "gif", noise(4, 4)), webp, nested(2000), noted(f), webm(0x1ff), webm(40)} {
		f.Add(d)
	}
	path := filepath.Join(f.TempDir(), "fuzz")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		info, _ := preview.Probe(path)
		tuitest.CheckFrame(t, preview.Card(tuitest.Styles(t), info, 40, 8), 40, 8)
	})
}
