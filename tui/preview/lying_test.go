package preview_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

// lie is a file that says of itself what is not so. What it tells nevertheless is shown as its
// card, or it is an error; shows is for one of which something can be seen.
type lie struct {
	ext, data string
	size      int64 // of the file, where that is a sparse one
	shows     bool
}

func be32(v uint32) string { return string(binary.BigEndian.AppendUint32(nil, v)) }
func be64(v uint64) string { return string(binary.BigEndian.AppendUint64(nil, v)) }
func le32(v uint32) string { return string(binary.LittleEndian.AppendUint32(nil, v)) }

// patched is a file with other bytes so far behind a text in it.
func patched(t *testing.T, data []byte, after string, skip int, with string) string {
	t.Helper()
	data = bytes.Clone(data)
	at := bytes.Index(data, []byte(after))
	require.GreaterOrEqual(t, at, 0, after)
	copy(data[at+len(after)+skip:], with)
	return string(data)
}

const ftyp = "\x00\x00\x00\x10ftypisom\x00\x00\x00\x00"

// tagged is an MP4 with tags, the last of which goes on as it says.
func tagged(value string) string {
	item := mediatest.Box("covr", []byte(value))
	meta := mediatest.Box("meta", make([]byte, 4), mediatest.Box("hdlr", make([]byte, 24)), mediatest.Box("ilst", item))
	return ftyp + string(mediatest.Box("moov", mediatest.Box("udta", meta)))
}

func lyingVideos(t *testing.T) map[string]lie {
	t.Helper()
	whole := mediatest.Video(t)
	return map[string]lie{
		"moov of 2^63-1 bytes":     {ext: "mp4", data: ftyp + "\x00\x00\x00\x01moov" + be64(math.MaxInt64)},
		"moov of 2^64-1 bytes":     {ext: "mp4", data: ftyp + "\x00\x00\x00\x01moov" + be64(math.MaxUint64)},
		"moov of seven bytes":      {ext: "mp4", data: ftyp + "\x00\x00\x00\x07moov"},
		"a terabyte of nothing":    {ext: "mp4", data: ftyp + "\x00\x00\x00\x01moov" + be64(1<<40), size: 1<<40 + 16},
		"a terabyte, read as free": {ext: "mp4", data: ftyp, size: 1 << 40},
		"2^32-1 runs":              {ext: "mp4", data: patched(t, whole, "stts", 4, be32(math.MaxUint32))},
		"2^32-1 descriptions":      {ext: "mp4", data: patched(t, whole, "stsd", 4, be32(math.MaxUint32))},
		"2^32-1 pictures":          {ext: "mp4", data: patched(t, whole, "stts", 8, be32(math.MaxUint32)+be32(math.MaxUint32))},
		"2^32-1 sizes of samples":  {ext: "mp4", data: patched(t, whole, "stsz", 8, be32(math.MaxUint32))},
		"without a time scale":     {ext: "mp4", data: patched(t, whole, "mvhd", 12, be32(0)+be32(math.MaxUint32-1))},
		"136 years":                {ext: "mp4", data: patched(t, whole, "mvhd", 12, be32(1)+be32(math.MaxUint32-1))},
		"65535 x 65535":            {ext: "mp4", data: patched(t, whole, "avc1", 24, "\xff\xff\xff\xff")},
		"tracks in tracks":         {ext: "mp4", data: string(mediatest.Nested(1 << 20))},
		"a million tracks":         {ext: "mp4", data: ftyp + string(mediatest.Box("moov", bytes.Repeat(mediatest.Box("trak"), 1<<20)))},
		"a cover of 2^32-1 bytes":  {ext: "mp4", data: tagged(be32(math.MaxUint32) + "data")},
		"a cover of 2^63 pixels":   {ext: "m4a", data: tagged(string(mediatest.Box("data", make([]byte, 8), []byte(hugePNG(math.MaxInt32, math.MaxInt32)))))},

		"a segment of 2^56-2 bytes":   {ext: "webm", data: string(mediatest.WebM(0x1ff)[:16]) + "\x01\xff\xff\xff\xff\xff\xff\xfe"},
		"a head of 2^56-2 bytes":      {ext: "webm", data: "\x1a\x45\xdf\xa3\x01\xff\xff\xff\xff\xff\xff\xfe"},
		"a codec of 2^35 bytes":       {ext: "webm", data: patched(t, mediatest.WebM(0x1ff), "\x86", 0, "\x08\x00\x00\x00\x00"), size: 1 << 40},
		"infinitely long":             {ext: "webm", data: patched(t, mediatest.WebM(0x1ff), "\x44\x89\x84", 0, be32(math.Float32bits(float32(math.Inf(1)))))},
		"no number is its length":     {ext: "webm", data: patched(t, mediatest.WebM(0x1ff), "\x44\x89\x84", 0, be32(math.Float32bits(float32(math.NaN()))))},
		"a scale of 0":                {ext: "webm", data: patched(t, mediatest.WebM(0x1ff), "\x2a\xd7\xb1\x83", 0, "\x00\x00\x00")},
		"as many elements as it can":  {ext: "webm", data: string(mediatest.WebM(0x1ff)[:17]) + string(bytes.Repeat([]byte("\xec\x80"), 1<<20))},
		"elements of no length known": {ext: "mkv", data: string(mediatest.WebM(0x1ff)[:17]) + string(bytes.Repeat([]byte("\x16\x54\xae\x6b\xff"), 1<<18))},
	}
}

// oggPage is one of a stream, with what it says of its place and its packets.
func oggPage(granule uint64, lacing, body string) string {
	return "OggS\x00\x02" + string(binary.LittleEndian.AppendUint64(nil, granule)) + "\x01\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00" +
		string(rune(len(lacing))) + lacing + body
}

func lyingSounds(t *testing.T) map[string]lie {
	t.Helper()
	wav := mediatest.WAV(800, 1)
	vorbis := "\x01vorbis\x00\x00\x00\x00\x02" + le32(44100) + string(make([]byte, 14))
	comments := "\x03vorbis" + le32(0) + le32(math.MaxUint32) + le32(math.MaxUint32)
	return map[string]lie{
		"2^32-1 bytes of sound":       {ext: "wav", data: patched(t, wav, "data", 0, be32(math.MaxUint32))},
		"65535 channels":              {ext: "wav", data: patched(t, wav, "fmt \x10\x00\x00\x00", 2, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")},
		"a format of 2^32-1 bytes":    {ext: "wav", data: patched(t, wav, "fmt ", 0, "\xff\xff\xff\xff")},
		"as many chunks as there are": {ext: "wav", data: "RIFF\xff\xff\xff\xffWAVE" + string(bytes.Repeat([]byte("JUNK\x00\x00\x00\x00"), 1<<18))},
		"a list of 2^32-1 bytes":      {ext: "wav", data: "RIFF\xff\xff\xff\xffWAVELIST\xff\xff\xff\xffINFOINAM\xff\xff\xff\xff", size: 1 << 40},
		"2^36-1 samples, one a second": {ext: "flac", data: "fLaC\x80\x00\x00\x22" + string(make([]byte, 10)) +
			be64(1<<44|7<<41|31<<36|(1<<36-1)) + string(make([]byte, 16))},
		"a picture of 16 MB": {ext: "flac", data: patched(t, mediatest.FLAC(), "fLaC", 0, "\x00") + "\x86\xff\xff\xff" + be32(3) + be32(math.MaxUint32)},
		"2^32-1 comments": {ext: "flac", data: patched(t, mediatest.FLAC(), "fLaC", 0, "\x00") + "\x84\x00\x00\x0c" + le32(0) + le32(math.MaxUint32) +
			le32(math.MaxUint32)},
		"a tag of 256 MB":          {ext: "mp3", data: "ID3\x04\x00\x00\x7f\x7f\x7f\x7f" + string(mediatest.MP3(""))},
		"a sparse tag of 256 MB":   {ext: "mp3", data: "ID3\x04\x00\x00\x7f\x7f\x7f\x7fTIT2\x7f\x7f\x7f\x7f\x00\x00", size: 1 << 30},
		"a frame of 2^32-1 bytes":  {ext: "mp3", data: "ID3\x03\x00\x00\x00\x00\x00\x20TIT2\xff\xff\xff\xff\x00\x00" + string(mediatest.MP3(""))},
		"a tag's head of 2^32-1":   {ext: "mp3", data: "ID3\x03\x00\x40\x00\x00\x00\x20\xff\xff\xff\xff" + string(mediatest.MP3(""))},
		"2^32-1 frames":            {ext: "mp3", data: patched(t, mediatest.MP3("Xing"), "Xing", 4, be32(math.MaxUint32))},
		"a cover of 2^62 pixels":   {ext: "mp3", data: "ID3\x03\x00\x00\x00\x00\x01\x00APIC\x00\x00\x00\x60\x00\x00\x00image/png\x00\x03\x00" + hugePNG(math.MaxInt32, math.MaxInt32) + string(mediatest.MP3(""))},
		"2^62 samples":             {ext: "ogg", data: oggPage(1<<62-1, "\x1e", vorbis)},
		"2^32-1 samples a second":  {ext: "ogg", data: oggPage(1, "\x1e", "\x01vorbis\x00\x00\x00\x00\x02\xff\xff\xff\xff"+string(make([]byte, 14)))},
		"2^32-1 Vorbis comments":   {ext: "ogg", data: oggPage(0, "\x1e", vorbis) + oggPage(9, "\x13", comments)},
		"a packet that never ends": {ext: "ogg", data: oggPage(0, "\x1e", vorbis) + oggPage(9, "\xff\xff", comments), size: 1 << 40},
	}
}

// hugePNG is the beginning of a PNG that says how large it is.
func hugePNG(w, h uint32) string {
	head := "IHDR" + be32(w) + be32(h) + "\x08\x02\x00\x00\x00"
	return "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" + head + be32(crc32.ChecksumIEEE([]byte(head)))
}

// bombPNG is a PNG of 4 x 4 pixels with so many bytes of them, packed.
func bombPNG(t *testing.T, n int) string {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(make([]byte, n))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	data := "IDAT" + packed.String()
	return hugePNG(4, 4) + be32(uint32(packed.Len())) + data + be32(crc32.ChecksumIEEE([]byte(data)))
}

// frameAt is where the first frame of a GIF with 256 colours begins.
func frameAt(gif []byte) int {
	const colours = 13 + 3*256
	return colours + bytes.IndexByte(gif[colours:], 0x2c)
}

// animated is a GIF of 8 x 8 pixels with so many frames.
func animated(t *testing.T, n int) string {
	t.Helper()
	one := encode(t, "gif", noise(8, 8))
	at := frameAt(one)
	return string(one[:at]) + string(bytes.Repeat(one[at:len(one)-1], n)) + ";"
}

// webpOf is a WebP that says how large it is, with parts in it.
func webpOf(flags byte, w, h uint32, parts string) string {
	body := "WEBPVP8X" + le32(10) + string([]byte{flags, 0, 0, 0}) + le32(w - 1)[:3] + le32(h - 1)[:3] + parts
	return "RIFF" + le32(uint32(len(body))) + body
}

func lyingPictures(t *testing.T) map[string]lie {
	t.Helper()
	lossless := "VP8L" + le32(5) + "\x2f\xff\xff\xff\x0f\x00" // 16384 x 16384
	gif := encode(t, "gif", noise(8, 8))
	return map[string]lie{
		"2^62 pixels":                    {ext: "png", data: hugePNG(math.MaxInt32, math.MaxInt32)},
		"60000 x 60000":                  {ext: "png", data: hugePNG(60000, 60000)},
		"no pixels":                      {ext: "png", data: hugePNG(0, 0)},
		"a text of 2^31-1 bytes":         {ext: "png", data: hugePNG(4, 4) + be32(math.MaxInt32) + "zTXt"},
		"200 MB of pixels for 16":        {ext: "png", data: bombPNG(t, 200<<20)},
		"65535 x 65535 in JPEG":          {ext: "jpg", data: string(jpegOf(frame(0xc0, 65535, 65535, 0x11), scans(1)))},
		"a larger picture behind":        {ext: "jpg", data: string(jpegOf(frame(0xc2, 8, 8, 0x11), frame(0xc2, 65535, 65535, 0x11), scans(1)))},
		"a canvas of 65535 x 65535":      {ext: "gif", data: patched(t, gif, "GIF89a", 0, "\xff\xff\xff\xff")},
		"a frame larger than its canvas": {ext: "gif", data: string(patchedFrame(gif))},
		"200,000 frames":                 {ext: "gif", data: animated(t, 200_000), shows: true},
		"a canvas of 2^48 pixels":        {ext: "webp", data: webpOf(0, 1<<24, 1<<24, lossless)},
		"a lossless one in a small one":  {ext: "webp", data: webpOf(0, 1, 1, lossless)},
		"16384 x 16384, lossless":        {ext: "webp", data: "RIFF" + le32(20) + "WEBP" + lossless},
		"an animation of large frames":   {ext: "webp", data: webpOf(2, 8, 8, "ANIM"+le32(6)+"\x00\x00\x00\x00\x00\x00ANMF"+le32(math.MaxUint32))},
		"transparent, 16384 x 16384":     {ext: "webp", data: string(clearWebP(16384, 16384))},
	}
}

// patchedFrame has the frame of a GIF say that it has 65535 x 65535 pixels.
func patchedFrame(gif []byte) []byte {
	gif = bytes.Clone(gif)
	copy(gif[frameAt(gif)+5:], "\xff\xff\xff\xff")
	return gif
}

// TestFilesThatLieAboutTheirSize cost little, whatever they say, and no panic: each is an error or
// has its card, with ffmpeg and without.
func TestFilesThatLieAboutTheirSize(t *testing.T) {
	const most, long = 96 << 20, 20 * time.Second
	st := tuitest.Styles(t)
	for _, files := range []map[string]lie{lyingVideos(t), lyingSounds(t), lyingPictures(t)} {
		for name, f := range files {
			t.Run(f.ext+" "+name, func(t *testing.T) {
				path := file(t, "lie."+f.ext, []byte(f.data))
				if f.size > 0 {
					require.NoError(t, os.Truncate(path, f.size))
				}
				for tool, o := range map[string]preview.Options{"alone": {}, "with ffmpeg": {Tool: tool(t)}} {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					begin := time.Now()
					msg := load(t, preview.New(o).Load(preview.Request{Slot: "a", Path: path, Width: 32, Height: 9}))
					took := time.Since(begin)
					runtime.ReadMemStats(&after)
					assert.Equal(t, f.shows, msg.Lines != nil, "%s: %v", tool, msg.Err)
					assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(most), tool)
					assert.Less(t, took, long, tool)
					assert.LessOrEqual(t, msg.Info.Duration, 1000*time.Hour)
					assert.GreaterOrEqual(t, msg.Info.Duration, time.Duration(0))
					tuitest.CheckFrame(t, preview.Card(st, msg.Info, 40, 8), 40, 8)
				}
			})
		}
	}
}
