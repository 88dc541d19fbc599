package tags

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/text"
)

// produced is a file that ffmpeg has made of a tone, with tags, and with a cover where asked.
func produced(t *testing.T, name string, cover []byte, more ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-v", "error", "-f", "lavfi", "-i", "sine=d=0.3"}
	if cover != nil {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "cover.png"), cover, 0o600))
		args = append(args, "-i", filepath.Join(dir, "cover.png"), "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic")
	}
	for _, m := range []string{"title=Salt 塩 flat", "artist=The Kites", "album=Dawn", "track=3/12", "genre=Ambient", "date=2026", "comment=for a test"} {
		args = append(args, "-metadata", m)
	}
	out, err := exec.Command("ffmpeg", append(append(args, more...), filepath.Join(dir, name))...).CombinedOutput()
	require.NoError(t, err, string(out))
	b, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return b
}

func read(b []byte) Tags { return Read(bytes.NewReader(b), int64(len(b))) }

func picture(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 9, 9))))
	return b.Bytes()
}

func told(t Tags) string {
	var parts []string
	for _, f := range t.Fields {
		if f.Name != "Software" { // ffmpeg's own
			parts = append(parts, f.Name+"="+f.Value)
		}
	}
	return strings.Join(parts, "|")
}

func TestTagsOfFilesAsFFmpegWritesThem(t *testing.T) {
	t.Parallel()
	cover := picture(t)
	const all = "Title=Salt 塩 flat|Artist=The Kites|Album=Dawn|Track=3/12|Date=2026|Genre=Ambient|Comment=for a test"
	for _, c := range []struct {
		name   string
		cover  []byte
		lyrics string // the argument that makes them
		more   []string
	}{
		{"v4.mp3", cover, "lyrics=one\ntwo", nil},
		{"v3.mp3", cover, "lyrics=one\ntwo", []string{"-id3v2_version", "3"}},
		{"s.flac", cover, "LYRICS=one\ntwo", nil},
		{"s.ogg", nil, "LYRICS=one\ntwo", []string{"-c:a", "libvorbis"}},
		{"s.opus", nil, "LYRICS=one\ntwo", []string{"-c:a", "libopus"}},
		{"s.m4a", cover, "lyrics=one\ntwo", nil},
		{"s.wav", nil, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			more := c.more
			if c.lyrics != "" {
				more = append(more, "-metadata", c.lyrics)
			}
			got := read(produced(t, c.name, c.cover, more...))
			assert.Equal(t, all, told(got))
			assert.Equal(t, c.cover, got.Cover)
			if c.lyrics != "" {
				assert.Equal(t, "one\ntwo", got.Lyrics)
			}
		})
	}
}

// frame3 is a frame of ID3v2.3.
func frame3(id string, body ...[]byte) []byte {
	data := bytes.Join(body, nil)
	return append(binary.BigEndian.AppendUint32([]byte(id), uint32(len(data))), append([]byte{0, 0}, data...)...)
}

func id3(version, flags byte, body []byte) []byte {
	n := len(body)
	return append([]byte{'I', 'D', '3', version, 0, flags, byte(n >> 21 & 127), byte(n >> 14 & 127), byte(n >> 7 & 127), byte(n & 127)}, body...)
}

func utf16le(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

func TestID3(t *testing.T) {
	t.Parallel()
	lyrics := bytes.Join([][]byte{[]byte("\x01eng"), utf16le(""), {0, 0}, utf16le("sail\r\nあさ")}, nil)
	got := read(id3(3, 0, bytes.Join([][]byte{
		frame3("TIT2", []byte{1}, utf16le("Käse")), frame3("TPE1", []byte("\x00K\xe4se")), frame3("USLT", lyrics),
		frame3("COMM", []byte("\x00engiTunNORM\x00 0000")), frame3("COMM", []byte("\x00eng\x00hello")),
		frame3("APIC", []byte("\x00image/png\x00\x04back\x00BACK")), frame3("APIC", []byte("\x00image/png\x00\x03\x00FRONT")),
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}, nil)))
	assert.Equal(t, "Title=Käse|Artist=Käse|Comment=hello", told(got))
	assert.Equal(t, "sail\nあさ", got.Lyrics)
	assert.Equal(t, "FRONT", string(got.Cover))

	assert.Equal(t, "Title=Old", told(read(id3(2, 0, []byte("TT2\x00\x00\x04\x00Old"+"PIC\x00\x00\x07\x00PNG\x00\x00P")))))
	// Zeros that were put in, and taken out again.
	assert.Equal(t, "Artist=ÿÿ", told(read(id3(3, 0x80, bytes.ReplaceAll(frame3("TPE1", []byte("\x00\xff\xff")), []byte{0xff}, []byte{0xff, 0})))))
	// Version 2.4: several values, a length before the text, a frame that cannot be read.
	v4 := "TPE1\x00\x00\x00\x04\x00\x00\x03a\x00b" + "TIT2\x00\x00\x00\x06\x00\x01\x00\x00\x00\x02\x03T" + "TALB\x00\x00\x00\x02\x00\x08\x03X"
	assert.Equal(t, "Title=T|Artist=a, b", told(read(id3(4, 0, []byte(v4)))))
	assert.Equal(t, "Title=T|Artist=a, b", told(read(id3(4, 0x40, []byte("\x00\x00\x00\x06\x01\x00"+v4)))), "behind an extended header")
}

func TestTagsAreCleanAndBounded(t *testing.T) {
	t.Parallel()
	var comments bytes.Buffer
	put := func(s string) {
		_ = binary.Write(&comments, binary.LittleEndian, uint32(len(s)))
		comments.WriteString(s)
	}
	put("me")
	_ = binary.Write(&comments, binary.LittleEndian, uint32(4))
	put("title=\x1b]0;x\x07" + strings.Repeat("あ", 1000))
	put("LYRICS=la\x1b[2J\r\nla \u202e" + strings.Repeat("la\n", 100_000))
	put("METADATA_BLOCK_PICTURE=%%%")
	put("TITLE=second")
	n := comments.Len()
	got := read(append([]byte{'f', 'L', 'a', 'C', 0x84, byte(n >> 16), byte(n >> 8), byte(n)}, comments.Bytes()...))
	require.Len(t, got.Fields, 1)
	assert.Less(t, len(got.Fields[0].Value), 330)
	assert.LessOrEqual(t, len(got.Lyrics), maxLyrics+64)
	for _, s := range []string{got.Fields[0].Value, got.Lyrics} {
		assert.Equal(t, text.Clean(s), s)
		assert.NotContains(t, s, "\x1b")
	}
	assert.Empty(t, read(nil))
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "fLaC\x84\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00", "RIFF\x00\x00\x00\x00WAVELIST\x0e\x00\x00\x00INFOINAM\x02\x00\x00\x00x\x00",
		"OggS\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x01\x08x\x03vorbis\x00",
		"\x00\x00\x00\x0cftypisom\x00\x00\x00\x30moov\x00\x00\x00\x28udta\x00\x00\x00\x20meta\x00\x00\x00\x00\x00\x00\x00\x14ilst\x00\x00\x00\x0ctrkn\x00\x00\x00\x08"} {
		f.Add([]byte(seed))
	}
	f.Add(id3(3, 0xc0, frame3("APIC", []byte("\x01image/png\x00\x03\x00"))))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := read(b)
		if len(got.Lyrics) > maxLyrics*4 || len(got.Fields) > maxFields || len(got.Cover) > maxTag {
			t.Fatal("not bounded")
		}
		for _, field := range got.Fields {
			if field.Value == "" || text.CleanLine(field.Value) != field.Value || len(field.Value) > 4*maxValue {
				t.Fatalf("%q", field)
			}
		}
		if text.Clean(got.Lyrics) != got.Lyrics {
			t.Fatalf("%q", got.Lyrics)
		}
	})
}

// counted counts what is read.
type counted struct {
	r io.ReaderAt
	n int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(p, at)
	c.n += n
	return n, err
}

func TestOfASoundItsTagAloneIsRead(t *testing.T) {
	t.Parallel()
	song := append(id3(3, 0, frame3("TIT2", []byte("\x00Salt"))), make([]byte, 1<<20)...)
	c := &counted{r: bytes.NewReader(song)}
	assert.Equal(t, "Title=Salt", told(Read(c, int64(len(song)))))
	assert.Less(t, c.n, 100)
}
