package fonts

import (
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

const (
	scanTime  = 3 * time.Second
	mostFiles = 6000
	mostFonts = 24       // of one collection
	mostBytes = 64 << 20 // of one font, all its tables together
	mostRunes = 1 << 18  // that one font tells of
)

// System are the folders in which the machine has its fonts, and the person.
func System(env func(string) string) []string {
	home := env("HOME")
	below := func(dir string, path ...string) []string {
		if !filepath.IsAbs(dir) {
			return nil
		}
		return []string{filepath.Join(append([]string{dir}, path...)...)}
	}
	if runtime.GOOS == "darwin" {
		return append(below(home, "Library", "Fonts"), "/Library/Fonts", "/System/Library/Fonts",
			"/System/Library/AssetsV2/com_apple_MobileAsset_Font7", "/System/Library/AssetsV2/com_apple_MobileAsset_Font8")
	}
	dirs := below(env("XDG_DATA_HOME"), "fonts")
	dirs = append(dirs, below(home, ".local", "share", "fonts")...)
	dirs = append(dirs, below(home, ".fonts")...)
	for _, d := range filepath.SplitList(env("XDG_DATA_DIRS")) {
		dirs = append(dirs, below(d, "fonts")...)
	}
	return append(dirs, "/usr/local/share/fonts", "/usr/share/fonts", "/usr/share/X11/fonts", "/run/current-system/sw/share/X11/fonts")
}

// entry is what is kept of a font that is not loaded.
type entry struct {
	path   string
	index  int // in its collection
	points int // how well it fits the other texts
	bold   bool
	colour bool // its signs are pictures
	runes  coverage
}

// scan looks through folders and what is below them, the files first that most often have what is
// looked for, until ctx ends.
func scan(ctx context.Context, dirs []string) []*entry {
	var all []*entry
	for _, path := range files(ctx, dirs) {
		if ctx.Err() != nil {
			break
		}
		all = append(all, read(path)...)
	}
	slices.SortStableFunc(all, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	return all
}

// files lists the fonts below folders; each one once.
func files(ctx context.Context, dirs []string) []string {
	seen := map[string]bool{}
	var likely, others []string
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		_ = filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil || len(likely)+len(others) >= mostFiles {
				return fs.SkipAll
			}
			name := strings.ToLower(filepath.Base(path))
			if err != nil || d.IsDir() || seen[path] || !slices.Contains([]string{".ttf", ".ttc", ".otf", ".otc"}, filepath.Ext(name)) {
				return nil
			}
			seen[path] = true
			if slices.ContainsFunc([]string{"cjk", "emoji", "noto", "dejavu", "arab", "droid", "wqy", "hei", "gothic", "nanum"},
				func(s string) bool { return strings.Contains(name, s) }) {
				likely = append(likely, path)
			} else {
				others = append(others, path)
			}
			return nil
		})
	}
	return append(likely, others...)
}

// read tells what fonts are in a file. A file that is none, or a broken one, has none.
func read(path string) (found []*entry) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	f, loaders := open(path)
	if f == nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // it was read from
	for i, ld := range loaders {
		if e := describe(ld, path, i); e != nil && !slices.ContainsFunc(found, e.like) {
			found = append(found, e)
		}
	}
	return found
}

// like reports whether another font of the collection would be chosen in the same cases.
func (e *entry) like(other *entry) bool {
	return e.points == other.points && e.colour == other.colour && e.runes.equal(other.runes)
}

// open opens a file and its fonts, nil if it is no font or claims to be larger than it is.
func open(path string) (*os.File, []*opentype.Loader) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	if sane(f, info.Size()) {
		if loaders, err := opentype.NewLoaders(f); err == nil {
			return f, loaders[:min(len(loaders), mostFonts)]
		}
	}
	_ = f.Close()
	return nil, nil
}

// sane reports whether the tables of a file's fonts lie within it. A reader makes room for as many
// bytes as a table claims to have.
func sane(f io.ReaderAt, size int64) bool {
	var head [12]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return false
	}
	if string(head[:4]) != "ttcf" {
		return saneFont(f, 0, size)
	}
	n := binary.BigEndian.Uint32(head[8:])
	if n > 256 {
		return false
	}
	for i := range int64(n) {
		var at [4]byte
		if _, err := f.ReadAt(at[:], 12+4*i); err != nil || !saneFont(f, int64(binary.BigEndian.Uint32(at[:])), size) {
			return false
		}
	}
	return n > 0
}

func saneFont(f io.ReaderAt, at, size int64) bool {
	var head [12]byte
	if _, err := f.ReadAt(head[:], at); err != nil {
		return false
	}
	if kind := string(head[:4]); kind != "\x00\x01\x00\x00" && kind != "OTTO" && kind != "true" {
		return false
	}
	n := int(binary.BigEndian.Uint16(head[4:]))
	if n > 200 {
		return false
	}
	list := make([]byte, 16*n)
	if _, err := f.ReadAt(list, at+12); err != nil {
		return false
	}
	sum := int64(0)
	for ; len(list) > 0; list = list[16:] {
		offset, length := int64(binary.BigEndian.Uint32(list[8:])), int64(binary.BigEndian.Uint32(list[12:]))
		if offset+length > size {
			return false
		}
		sum += length
	}
	return sum <= mostBytes
}

// describe reads what a font is called, how it looks and what it has.
func describe(ld *opentype.Loader, path string, index int) *entry {
	raw, err := ld.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil
	}
	chars, _, err := font.ProcessCmap(table, tables.FPNone)
	if err != nil {
		return nil
	}
	e := &entry{path: path, index: index, runes: covered(chars)}
	e.colour = hasTable(ld, "CBDT", "sbix", "COLR")
	if !e.colour && !hasTable(ld, "glyf", "CFF ", "CFF2") {
		return nil
	}
	if raw, err := ld.RawTable(opentype.MustNewTag("COLR")); err == nil && !saneLayers(raw) {
		return nil
	}
	about, _ := font.Describe(ld, nil)
	name := strings.ToLower(about.Family + " " + filepath.Base(path))
	for _, no := range []string{"lastresort", "last resort", "adobe blank", "adobeblank", "notdef", "tofu"} {
		if strings.Contains(name, no) { // has a box for everything
			return nil
		}
	}
	about.Aspect.SetDefaults()
	weight := int(about.Aspect.Weight)
	if hasTable(ld, "fvar") {
		weight = boldWeight // it can be made so
	}
	e.bold = weight >= 600
	e.points = fitness(name, weight, about.Aspect)
	return e
}

func hasTable(ld *opentype.Loader, names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return ld.HasTable(opentype.MustNewTag(n)) })
}

// boldWeight is that of the titles.
const boldWeight = 700

// fitness is how well a font goes with the program's own, bold and without serifs.
func fitness(name string, weight int, a font.Aspect) int {
	points := -max(weight-boldWeight, boldWeight-weight) / 20
	if a.Style != font.StyleNormal {
		points -= 60
	}
	if a.Stretch != font.StretchNormal {
		points -= 12
	}
	for part, less := range map[string]int{"serif": 8, "mono": 8, "ming": 8, "song": 8, "kai": 8, "nastaliq": 20,
		"unifont": 60, "fallback": 4, "symbola": 4, "condensed": 12, "looped": 4, "ui": 1} {
		if strings.Contains(name, part) {
			points -= less
		}
	}
	if strings.Contains(name, "noto sans") {
		points += 6
	}
	return points
}
