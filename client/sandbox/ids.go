package sandbox

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	idLetters  = "abcdefghijklmnopqrstuvwxyz234567"
	idDigits   = "0123456789"
	contentTag = "cgt-"
	stampForm  = "20060102150405"
)

var idEncoding = base32.NewEncoding(idLetters).WithPadding(base32.NoPadding)

// randomText encodes n random bytes as URL-safe text.
func randomText(from io.Reader, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(from, b); err != nil {
		return "", fmt.Errorf("sandbox: reading random bytes: %w", err)
	}
	return idEncoding.EncodeToString(b), nil
}

// newID makes the id of a task in the shape of the format that it was created by:
// "video_<letters>" and the like for the paths under /v1 and for music,
// "cgt-<UTC time>-<letters>" for the content-array format, and 18 digits for the
// vendor-style one, more than a float64 can hold.
func (r *record) newID(random io.Reader, now time.Time) (string, error) {
	if r.Format == formatEnt {
		var b [8]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("sandbox: reading random bytes: %w", err)
		}
		const low = 100_000_000_000_000_000
		return fmt.Sprint(low + binary.BigEndian.Uint64(b[:])%(9*low)), nil
	}
	text, err := randomText(random, 15)
	if err != nil {
		return "", err
	}
	if r.Format == formatContent {
		return contentTag + now.UTC().Format(stampForm) + "-" + text, nil
	}
	return r.Kind.prefix() + text, nil
}

// validID says whether a text can be the id of a task at all, and thus the name of a
// file: one of the shapes of newID, made of small letters, digits and the separators
// of its shape alone.
func validID(id string) bool {
	if len(id) > 64 {
		return false
	}
	if rest, ok := strings.CutPrefix(id, contentTag); ok {
		stamp, text, ok := strings.Cut(rest, "-")
		return ok && len(stamp) == len(stampForm) && only(stamp, idDigits) && len(text) >= 8 && only(text, idLetters)
	}
	if only(id, idDigits) {
		return len(id) == 18
	}
	_, rest, ok := strings.Cut(id, "_")
	if !ok || len(rest) < 8 || !only(rest, idLetters) {
		return false
	}
	switch id[:len(id)-len(rest)] {
	case "video_", "task_", "img_", "resp_":
		return true
	default:
		return false
	}
}

func only(s, set string) bool { return strings.Trim(s, set) == "" }

// cutToken parts "<task id>-<token>"; ids may hold the separator, tokens do not.
func cutToken(dir string) (id, token string, ok bool) {
	i := strings.LastIndexByte(dir, '-')
	if i < 0 {
		return dir, "", false
	}
	return dir[:i], dir[i+1:], true
}
