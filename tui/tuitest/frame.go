package tuitest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"darkroom/tui/widgets/zone"
)

// Plain returns a frame without zone marks and styles.
func Plain(frame string) string {
	frame, _ = zone.Scan(frame)
	return ansi.Strip(frame)
}

// CheckFrame fails the test unless the frame is exactly h lines of exactly w cells each, with
// nothing in it that would move the cursor.
func CheckFrame(t testing.TB, frame string, w, h int) {
	t.Helper()
	if err := geometry(frame, w, h, true); err != nil {
		t.Fatalf("%v\n%s", err, Plain(frame))
	}
}

// CheckWithin is [CheckFrame] for a frame that may be smaller than w x h.
func CheckWithin(t testing.TB, frame string, w, h int) {
	t.Helper()
	if err := geometry(frame, w, h, false); err != nil {
		t.Fatalf("%v\n%s", err, Plain(frame))
	}
}

var (
	sgr     = regexp.MustCompile("\x1b\\[[0-9;:]*m")
	control = regexp.MustCompile(`[\x{00}-\x{09}\x{0b}-\x{1f}\x{7f}-\x{9f}]`)
)

func geometry(frame string, w, h int, exact bool) error {
	frame, _ = zone.Scan(frame)
	lines := strings.Split(frame, "\n")
	if n := len(lines); n > h || exact && n != h {
		return fmt.Errorf("frame has %d lines, wanted %d", n, h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w || exact && n != w {
			return fmt.Errorf("line %d is %d cells wide, wanted %d: %q", i, n, w, l)
		}
		if bad := control.FindString(sgr.ReplaceAllString(l, "")); bad != "" {
			return fmt.Errorf("line %d holds the control character %q: %q", i, bad, l)
		}
	}
	return nil
}

// Golden compares the frame, as a person sees it and without blanks at the ends of
// lines, with testdata/<name>.golden. With UPDATE_GOLDEN=1 in the environment it writes
// the file instead.
func Golden(t testing.TB, name, frame string) {
	t.Helper()
	lines := strings.Split(Plain(frame), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	got := []byte(strings.Join(lines, "\n") + "\n")
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a source folder
			t.Fatalf("tuitest: %v", err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil { //nolint:gosec // a source file
			t.Fatalf("tuitest: %v", err)
		}
		return
	}
	want, err := os.ReadFile(path) //nolint:gosec // the name is the test's own
	if err != nil {
		t.Fatalf("tuitest: %v; make golden writes it. The frame is:\n%s", err, got)
	}
	if !bytes.Equal(want, got) {
		t.Fatalf("frame differs from %s (make golden, when it is meant)\n%s", path, diff(string(want), string(got)))
	}
}

// diff shows the lines that differ.
func diff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			fmt.Fprintf(&out, "%3d want %q\n%3d got  %q\n", i, x, i, y)
		}
	}
	out.WriteString("\n" + got)
	return out.String()
}

// Golden checks the size of what the model draws and compares it with a golden file.
func (d *Driver) Golden(name string) {
	d.t.Helper()
	frame := d.view()
	CheckFrame(d.t, frame, d.w, d.h)
	Golden(d.t, name, frame)
}
