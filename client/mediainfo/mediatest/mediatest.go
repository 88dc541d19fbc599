// Package mediatest makes small media files for tests.
package mediatest

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/Eyevinn/mp4ff/mp4"
	"github.com/stretchr/testify/require"
)

// Picture is one of w x h pixels as "png", "jpeg" or "gif".
func Picture(t testing.TB, format string, w, h int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, color.RGBA{uint8(i * 7), uint8(i * 31), uint8(i / 3), 255})
	}
	var b bytes.Buffer
	switch format {
	case "png":
		require.NoError(t, png.Encode(&b, img))
	case "jpeg":
		require.NoError(t, jpeg.Encode(&b, img, nil))
	case "gif":
		require.NoError(t, gif.Encode(&b, img, nil))
	}
	return b.Bytes()
}

// Video is an MP4 of 40 pictures at 8 a second, with sound, its index behind the data.
func Video(t testing.TB) []byte {
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

// WAV is a WAV of one second whose second half is twice as loud.
func WAV(rate, channels int) []byte {
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

// FLAC is a FLAC of two seconds, stereo at 48 kHz.
func FLAC() []byte {
	b := make([]byte, 42)
	copy(b, "fLaC\x80\x00\x00\x22")
	binary.BigEndian.PutUint64(b[18:], 48000<<44|1<<41|15<<36|96000)
	return b
}

// MP3 is one of 40 frames, with an encoder's note of that name, or none.
func MP3(tag string) []byte {
	frame := make([]byte, 417)
	copy(frame, "\xff\xfb\x90\x00") // MPEG 1 layer III, 128 kbit/s, 44.1 kHz, stereo
	if tag != "" {
		copy(frame[36:], tag+"\x00\x00\x00\x01\x00\x00\x01\x00") // 256 frames
	}
	return append([]byte("ID3\x04\x00\x00\x00\x00\x00\x0a0123456789"), bytes.Repeat(frame, 40)...)
}

// Box is a box of an MP4.
func Box(name string, content ...[]byte) []byte {
	body := bytes.Join(content, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), name...), body...)
}

// Nested is an MP4 with tracks in tracks.
func Nested(deep int) []byte {
	b := append(Box("ftyp", []byte("isom\x00\x00\x00\x00")), Box("moov")...)
	at := len(b) - 8
	b = append(b, bytes.Repeat(Box("trak"), deep)...)
	for i := at; i < len(b); i += 8 {
		binary.BigEndian.PutUint32(b[i:], uint32(len(b)-i))
	}
	return b
}

// Element is an EBML element.
func Element(id string, content ...byte) []byte {
	return append(append([]byte(id), 0x80|byte(len(content))), content...)
}

// WebM is one with a track of 320 x 180 at 25 frames a second, whose segment says that it has so
// many bytes; 0x1ff is that it does not say.
func WebM(says uint16) []byte {
	track := Element("\x83", 1)
	track = append(track, Element("\x86", []byte("V_VP9")...)...)
	track = append(track, Element("\x23\xe3\x83", 0x02, 0x62, 0x5a, 0x00)...)
	track = append(track, Element("\xe0", append(Element("\xb0", 1, 64), Element("\xba", 180)...)...)...)
	length := append(Element("\x2a\xd7\xb1", 0x0f, 0x42, 0x40), Element("\x44\x89", 0x45, 0x1c, 0x40, 0)...) // 2500
	out := Element("\x1a\x45\xdf\xa3", Element("\x42\x82", []byte("webm")...)...)
	out = append(out, "\x18\x53\x80\x67"...)
	if says == 0x1ff {
		out = append(out, 0xff)
	} else {
		out = append(out, 0x40|byte(says>>8), byte(says))
	}
	out = append(out, Element("\x15\x49\xa9\x66", length...)...)
	out = append(out, Element("\x16\x54\xae\x6b", Element("\xae", track...)...)...)
	return append(out, Element("\x1f\x43\xb6\x75", 1, 2, 3)...)
}

// Noted is a JPEG of 40 x 30 with 120 kB of notes before its picture.
func Noted(t testing.TB) []byte {
	t.Helper()
	note := append([]byte{0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, 60_002)...)
	note = append(note, make([]byte, 60_000)...)
	return append(append([]byte{0xff, 0xd8}, bytes.Repeat(note, 2)...), Picture(t, "jpeg", 40, 30)[2:]...)
}
