// Package tags reads a sound file's metadata: ID3v2, Vorbis comments of FLAC and Ogg, the item list
// of MP4, and RIFF INFO. Everything in such a file is hostile: texts come out clean and bounded,
// and damage costs only what is damaged.
package tags

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"darkroom/client/text"
)

// Bounds of what is read and kept.
const (
	maxTag    = 16 << 20 // bytes of one block of tags, with a cover in it
	maxLyrics = 64 << 10 // bytes
	maxValue  = 300      // bytes
	maxFields = 16
	maxBlocks = 1000 // chunks, boxes, frames that are looked at
)

// Field is one tag, as Name "Artist".
type Field struct{ Name, Value string }

// Tags are the tags of a file. All texts are clean (text.Clean).
type Tags struct {
	Fields []Field
	// Lyrics are lines of text.
	Lyrics string
	// Cover is a picture as embedded, in any format: check it before decoding.
	Cover []byte
	front bool // it is said to be the front cover
}

// order is that of fields, the most telling first.
var order = []string{"Title", "Artist", "Album", "Track", "Date", "Genre", "Composer", "Tempo", "Comment", "Software"}

// add takes a field unless it is there already.
func (t *Tags) add(name, value string) {
	value = strings.TrimSpace(value)
	if len(value) > maxValue {
		value = strings.ToValidUTF8(value[:maxValue], "") + "…"
	}
	value = text.CleanLine(value)
	if value == "" || len(t.Fields) >= maxFields || slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Name == name }) {
		return
	}
	t.Fields = append(t.Fields, Field{name, value})
}

// sing takes lyrics; the longest count.
func (t *Tags) sing(words string) {
	words = strings.TrimSpace(words)
	if len(words) > maxLyrics {
		words = strings.ToValidUTF8(words[:maxLyrics], "") + "…"
	}
	words = strings.ReplaceAll(strings.ReplaceAll(words, "\r\n", "\n"), "\r", "\n")
	if words = text.Clean(words); len(words) > len(t.Lyrics) {
		t.Lyrics = words
	}
}

// cover takes a picture; the first counts, a front cover before others.
func (t *Tags) cover(data []byte, front bool) {
	if len(data) > 0 && (len(t.Cover) == 0 || front && !t.front) {
		t.Cover, t.front = slices.Clone(data), front
	}
}

func (t *Tags) sort() {
	slices.SortStableFunc(t.Fields, func(a, b Field) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
}

// Read reads the tags of a file of the given size, in any of the known formats. Of damaged tags it
// returns what could be read.
func Read(r io.ReaderAt, size int64) (t Tags) {
	defer func() {
		_ = recover() // a reader that stumbles over hostile bytes costs the tags, not the console
		t.sort()
	}()
	head := block(r, 0, min(size, 12))
	switch {
	case bytes.HasPrefix(head, []byte("ID3")):
		if head = block(r, 0, min(size, 10)); len(head) == 10 {
			t.id3(block(r, 0, min(size, maxTag, 10+int64(safe(head[6:])))))
		}
	case bytes.HasPrefix(head, []byte("fLaC")):
		t.flac(r, size)
	case bytes.HasPrefix(head, []byte("OggS")):
		t.ogg(r, size)
	case len(head) == 12 && string(head[:4]) == "RIFF":
		t.riff(r, size)
	case len(head) == 12 && string(head[4:8]) == "ftyp":
		t.mp4(r, size)
	}
	return t
}

// block reads a part of a file; what is missing at its end is left out.
func block(r io.ReaderAt, at, n int64) []byte {
	if n <= 0 || n > maxTag {
		return nil
	}
	b := make([]byte, n)
	got, _ := r.ReadAt(b, at)
	return b[:max(0, got)]
}

// number is a track as "3" or "3/12".
func number(n, of int) string {
	switch {
	case n <= 0:
		return ""
	case of > 0:
		return strconv.Itoa(n) + "/" + strconv.Itoa(of)
	default:
		return strconv.Itoa(n)
	}
}
