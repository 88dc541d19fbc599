package neutral

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"darkroom/client/child"
	"darkroom/client/mediainfo"
)

// Bounds of ffmpeg, which reads strangers' files.
const (
	toolTime   = 2 * time.Minute
	toolMemory = 1 << 30
	toolCPU    = time.Minute
	soundMost  = 512 << 20 // bytes of a sound as samples
	moreMost   = 16 << 20  // bytes that a video may grow by
)

// remake has ffmpeg write a file anew, without anything but its streams, and returns what it is then.
func (r *Room) remake(ctx context.Context, from, to string, info mediainfo.Info) (mediaType string, err error) {
	in := map[string]string{"MP4": "mov", "WebM": "matroska", "Matroska": "matroska", "MP3": "mp3", "FLAC": "flac", "WAV": "wav", "Ogg": "ogg"}[info.Format]
	if in == "" {
		return "", errors.New("ffmpeg is not asked about such files")
	}
	most := info.Bytes + moreMost
	var out []string
	switch {
	case info.Kind == mediainfo.Audio:
		codec := "pcm_s16le"
		if info.Bits > 16 {
			codec = "pcm_s24le"
		}
		mediaType, most = "audio/wav", soundMost
		out = []string{"-map", "0:a:0", "-c:a", codec, "-f", "wav"}
	case in == "mov":
		mediaType = "video/mp4"
		out = []string{"-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-movflags", "+faststart", "-f", "mp4"}
		if info.Codec == "avc1" || info.Codec == "avc3" { // where encoders sign
			out = append([]string{"-bsf:v", "filter_units=remove_types=6"}, out...)
		}
	default:
		mediaType = "video/webm"
		out = []string{"-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-f", "webm"}
	}
	args := []string{"-nostdin", "-y", "-v", "error", "-max_alloc", strconv.Itoa(256 << 20), "-protocol_whitelist", "file", "-threads", "1", "-f", in, "-i", "file:" + from,
		"-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-threads", "1"}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	cmd := child.Confined(ctx, child.Bounds{Memory: toolMemory, CPU: toolCPU, File: most}, r.ffmpeg, append(append(args, out...), "file:"+to)...)
	if err := cmd.Run(); err != nil {
		_ = os.Remove(to)
		return "", err
	}
	return mediaType, os.Chmod(to, 0o600)
}
