package neutral

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/jobs/compare/vote/votetest"
)

func room(t *testing.T) *Room {
	t.Helper()
	r, err := NewRoom()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	require.NotEmpty(t, r.ffmpeg, "the tests need ffmpeg")
	return r
}

// pair makes copies, and checks that neither has a word of its origin and that both are equally large.
func pair(t *testing.T, r *Room, a, b string) [2]File {
	t.Helper()
	files, err := r.Pair(t.Context(), a, b)
	require.NoError(t, err)
	var sizes []int64
	for i, f := range files {
		data, err := os.ReadFile(f.Path)
		require.NoError(t, err)
		for _, word := range []string{"fam", "omni", "Lavf", "x264", "Software"} {
			assert.False(t, bytes.Contains(data, []byte(word)), "%d has %s", i, word)
		}
		assert.NotContains(t, f.Path, "fam")
		sizes = append(sizes, int64(len(data)))
		info, err := mediainfo.Read(t.Context(), f.Path)
		require.NoError(t, err)
		assert.Empty(t, info.Tags)
		st, err := os.Stat(f.Path)
		require.NoError(t, err)
		assert.EqualValues(t, 0o600, st.Mode().Perm())
	}
	assert.Equal(t, sizes[0], sizes[1])
	return files
}

// decoded is the digest of what is seen and heard in a file.
func decoded(t *testing.T, path, stream string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "md5")
	votetest.FFmpeg(t, "-i", path, "-map", stream, "-f", "md5", out)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	return string(b)
}

func TestPicturesKeepTheirPixelsAlone(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "fam1-omni.png"), filepath.Join(dir, "fam2-omni.png")
	votetest.Picture(t, a, "fam1-omni")
	votetest.Picture(t, b, "fam2-omni")
	files := pair(t, room(t), a, b)
	for i, from := range []string{a, b} {
		assert.Equal(t, "image/png", files[i].MediaType)
		assert.Empty(t, files[i].Risk)
		assert.Equal(t, pixels(t, from), pixels(t, files[i].Path))
		assert.Equal(t, decoded(t, from, "0:v"), decoded(t, files[i].Path, "0:v"))
	}
}

func pixels(t *testing.T, path string) []color.Color {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	img, _, err := image.Decode(f)
	require.NoError(t, err)
	var out []color.Color
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			out = append(out, color.NRGBA64Model.Convert(img.At(x, y)))
		}
	}
	return out
}

// TestPicturesAreTurnedAsTheyAreSeen: what EXIF says of the camera's hold goes, so the pixels turn.
func TestPicturesAreTurnedAsTheyAreSeen(t *testing.T) {
	// A corner of its own tells how a picture was turned.
	img := image.NewGray(image.Rect(0, 0, 32, 16))
	for x := range 8 {
		for y := range 8 {
			img.SetGray(x, y, color.Gray{255})
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	for orientation, corner := range map[int]image.Point{
		1: {}, 2: {31, 0}, 3: {31, 15}, 4: {0, 15}, 5: {}, 6: {15, 0}, 7: {15, 31}, 8: {0, 31},
	} {
		exif := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
		exif[6+8+2+8+1] = byte(orientation)
		part := append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2)), exif...)
		path := filepath.Join(t.TempDir(), "fam.jpg")
		require.NoError(t, os.WriteFile(path, append(append([]byte{0xff, 0xd8}, part...), b.Bytes()[2:]...), 0o600))
		files := pair(t, room(t), path, path)
		f, err := os.Open(files[0].Path)
		require.NoError(t, err)
		got, err := png.Decode(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		if orientation > 4 {
			require.Equal(t, image.Pt(16, 32), got.Bounds().Size())
		}
		v, _, _, _ := got.At(corner.X, corner.Y).RGBA()
		assert.Greater(t, v, uint32(0xf000), "orientation %d", orientation)
	}
}

func TestVideosKeepTheirStreamsAlone(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "fam1-omni.mp4"), filepath.Join(dir, "fam2-omni-pro.mp4")
	votetest.Video(t, a, "fam1-omni")
	votetest.Video(t, b, "fam2-omni-pro")
	data, err := os.ReadFile(a)
	require.NoError(t, err)
	require.GreaterOrEqual(t, bytes.Count(data, []byte("fam1-omni")), 4, "there is something to take out, of the stream, too")
	for name, ffmpeg := range map[string]bool{"with ffmpeg": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			r := room(t)
			if !ffmpeg {
				r.ffmpeg = ""
			}
			files, err := r.Pair(t.Context(), a, b)
			require.NoError(t, err)
			if ffmpeg {
				files = pair(t, r, a, b)
			}
			for i, from := range []string{a, b} {
				assert.Equal(t, "video/mp4", files[i].MediaType)
				assert.Equal(t, decoded(t, from, "0:v"), decoded(t, files[i].Path, "0:v"))
				assert.Equal(t, decoded(t, from, "0:a"), decoded(t, files[i].Path, "0:a"))
				out, err := os.ReadFile(files[i].Path)
				require.NoError(t, err)
				assert.Equal(t, ffmpeg, files[i].Risk == "", "what stays in the stream is said")
				index := out[bytes.Index(out, []byte("moov")):]
				if ffmpeg { // it stands before the streams
					index, _, _ = bytes.Cut(index, []byte("mdat"))
				}
				assert.False(t, bytes.Contains(index, []byte("fam")) || bytes.Contains(index, []byte("Lav")))
				at := bytes.Index(out, []byte("mvhd"))
				assert.Equal(t, make([]byte, 8), out[at+8:at+16], "when it was made")
			}
		})
	}
}

// TestWhatStaysInAStreamIsSaid, of both sides, whichever it is in.
func TestWhatStaysInAStreamIsSaid(t *testing.T) {
	dir := t.TempDir()
	plain, signed := filepath.Join(dir, "a.mp4"), filepath.Join(dir, "b.mp4")
	votetest.Video(t, plain, "fam1")
	votetest.FFmpeg(t, "-f", "lavfi", "-i", "testsrc=s=64x64:d=1:r=10", "-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", "-pix_fmt", "yuv420p", signed)
	r := room(t)
	for _, two := range [][2]string{{plain, signed}, {signed, plain}} {
		files, err := r.Pair(t.Context(), two[0], two[1])
		require.NoError(t, err)
		for i := range files {
			data, err := os.ReadFile(files[i].Path)
			require.NoError(t, err)
			assert.Equal(t, two[i] == signed, bytes.Contains(data, []byte("x265")))
			assert.Contains(t, files[i].Risk, "encoders")
		}
	}
}

func TestSoundsKeepTheirSamplesAlone(t *testing.T) {
	dir := t.TempDir()
	r := room(t)
	source := filepath.Join(dir, "source.wav")
	votetest.FFmpeg(t, "-f", "lavfi", "-i", "sine=d=1", "-bitexact", source)
	var made []string
	for _, name := range []string{"fam1-omni.wav", "fam1-omni.mp3", "fam1-omni.flac", "fam1-omni.ogg", "fam1-omni.m4a"} {
		path := filepath.Join(dir, name)
		votetest.FFmpeg(t, "-i", source, "-metadata", "title=fam1-omni", "-metadata", "artist=fam1-omni", path)
		made = append(made, path)
	}
	for _, path := range made {
		files := pair(t, r, made[0], path)
		assert.Equal(t, "audio/wav", files[1].MediaType, path)
		assert.Empty(t, files[1].Risk)
		assert.Equal(t, mediainfo.Audio, files[1].Kind)
	}
	assert.Equal(t, decoded(t, source, "0:a"), decoded(t, pair(t, r, made[0], made[2])[0].Path, "0:a"))

	r.ffmpeg = ""
	files := pair(t, r, made[0], made[0])
	assert.Equal(t, decoded(t, source, "0:a"), decoded(t, files[0].Path, "0:a"))
	files, err := r.Pair(t.Context(), made[1], made[1])
	require.NoError(t, err)
	assert.Contains(t, files[0].Risk, "that takes ffmpeg")
	files, err = r.Pair(t.Context(), made[0], made[1])
	require.NoError(t, err)
	assert.Contains(t, files[0].Risk, "different formats")
	assert.Equal(t, files[0].Risk, files[1].Risk, "what is said of one side alone would tell")
}

func TestWhatIsNoMediaIsRefusedWithoutItsName(t *testing.T) {
	dir := t.TempDir()
	good, page, torn := filepath.Join(dir, "fam.png"), filepath.Join(dir, "fam.html"), filepath.Join(dir, "fam.mp4")
	votetest.Picture(t, good, "fam1")
	require.NoError(t, os.WriteFile(page, []byte("<!doctype html><p>fam"), 0o600))
	require.NoError(t, os.WriteFile(torn, []byte("\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isomavc1\xff\xff\xff\xffmoov"), 0o600))
	r := room(t)
	for _, bad := range []string{page, torn, dir, filepath.Join(dir, "fam-none.png")} {
		for _, two := range [][2]string{{good, bad}, {bad, good}} {
			_, err := r.Pair(t.Context(), two[0], two[1])
			require.Error(t, err)
			assert.NotContains(t, err.Error(), "fam")
			assert.NotContains(t, err.Error(), dir)
		}
	}
}

// TestRoomsOfTheDeadGo, and those in use stay.
func TestRoomsOfTheDeadGo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	used, dead := room(t), room(t)
	require.NoError(t, dead.lock.Close(), "as the end of its process does")
	making := filepath.Join(os.TempDir(), roomPrefix+"new")
	require.NoError(t, os.Mkdir(making, 0o700))
	room(t)
	for path, there := range map[string]bool{used.dir: true, dead.dir: false, making: true} {
		_, err := os.Stat(path)
		assert.Equal(t, there, err == nil, path)
	}
	dead.lock = nil
}

// FuzzWipe: whatever a file is, wiping it ends, and leaves its size as it was.
func FuzzWipe(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x10moov\x00\x00\x00\x08udta"))
	f.Add([]byte("\x00\x00\x00\x01mdat\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x0chdlr\x00\x00\x00\x00"))
	f.Add([]byte("RIFF\x10\x00\x00\x00WAVELIST\x04\x00\x00\x00INFO"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "f")
		for _, wipe := range []func(*os.File, int64) error{wipeMP4, wipeWAV} {
			require.NoError(t, os.WriteFile(path, b, 0o600))
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			require.NoError(t, err)
			_ = wipe(file, int64(len(b)))
			require.NoError(t, file.Close())
			st, err := os.Stat(path)
			require.NoError(t, err)
			require.EqualValues(t, len(b), st.Size())
		}
	})
}
