package preview

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Disk keeps scaled pictures in a folder, up to a number of bytes, so that another run need not
// decode them again. What cannot be read or written counts as missing: the cache never causes an
// error. It is safe for concurrent use, by several processes too. A nil Disk keeps nothing.
type Disk struct {
	dir  string
	most int64

	mu    sync.Mutex
	fresh int64 // bytes written since the folder was last measured
	known bool  // it was measured
}

// NewDisk returns a cache in a folder, which is made, with mode 0700, when something is written.
func NewDisk(dir string, most int64) *Disk { return &Disk{dir: dir, most: most} }

// diskName names a picture by the file, its state, and how it is drawn; "" for one that is not kept.
func diskName(file string, r Request) string {
	st, err := os.Stat(file)
	if err != nil || r.Once {
		return ""
	}
	m := r.Mode.drawn()
	sx, sy := subcells(m.Blocks)
	if m.Surface != (Surface{}) {
		sx, sy = 0, 0
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "2\x00%s\x00%d %d %d %d %d %d %v %v", file, st.ModTime().UnixNano(), st.Size(), r.Width, r.Height, sx, sy, m.Surface, r.Pixels))
	return hex.EncodeToString(sum[:])
}

// diskHead is what stands before the PNG: columns and rows, two bytes each.
const diskHead = 4

func (d *Disk) get(name string) (fitted, bool) {
	if d == nil || name == "" {
		return fitted{}, false
	}
	path := filepath.Join(d.dir, name)
	data, err := os.ReadFile(path)
	if err != nil || len(data) < diskHead {
		return fitted{}, false
	}
	body := data[diskHead:]
	cfg, err := png.DecodeConfig(bytes.NewReader(body))
	if err != nil || DefaultLimits().check(cfg) != nil {
		return fitted{}, false
	}
	img, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		return fitted{}, false
	}
	px := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(px, px.Bounds(), img, img.Bounds().Min, draw.Src)
	now := time.Now()
	_ = os.Chtimes(path, now, now) // what was used last stays longest
	return fitted{px: px, cols: int(binary.BigEndian.Uint16(data)), rows: int(binary.BigEndian.Uint16(data[2:]))}, true
}

func (d *Disk) put(name string, f fitted) {
	if d == nil || name == "" {
		return
	}
	b := bytes.NewBuffer(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, uint16(f.cols)), uint16(f.rows)))
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if enc.Encode(b, f.px) != nil || int64(b.Len()) > d.most/4 {
		return
	}
	if os.MkdirAll(d.dir, 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(d.dir, ".new-*") // mode 0600
	if err != nil {
		return
	}
	_, err = tmp.Write(b.Bytes())
	if err2 := tmp.Close(); err != nil || err2 != nil || os.Rename(tmp.Name(), filepath.Join(d.dir, name)) != nil {
		_ = os.Remove(tmp.Name())
		return
	}
	d.wrote(int64(b.Len()))
}

// wrote measures the folder now and then, and removes the oldest files if there is too much.
func (d *Disk) wrote(n int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fresh += n; d.known && d.fresh < d.most/8 {
		return
	}
	d.known, d.fresh = true, 0
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return
	}
	var files []os.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}
	if total <= d.most {
		return
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= d.most*3/4 {
			return
		}
		if os.Remove(filepath.Join(d.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
