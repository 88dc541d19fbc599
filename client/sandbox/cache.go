package sandbox

import (
	"container/list"
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	mediaDir    = "media"
	blobsDir    = "blobs"
	mediaMemory = 64 << 20
	mediaDisk   = 1 << 30
	blobsMemory = 32 << 20
	blobsDisk   = 1 << 30
)

// fileCache holds files that may be lost: the newest in memory up to a size, and all
// in a folder up to a larger one, where the oldest go first. Without a folder it is
// the memory alone. Names must be plain file names. The bytes are shared and must not
// be changed. It is safe for concurrent use.
type fileCache struct {
	root      *os.Root // nil: memory only
	dir       string
	memoryCap int64
	diskCap   int64

	mu    sync.Mutex
	byKey map[string]*list.Element
	lru   *list.List // of cached, the most recently used first
	size  int64

	pruneMu sync.Mutex
	written int64 // bytes since the last look at the folder
}

type cached struct {
	name string
	data []byte
}

func newFileCache(root *os.Root, dir string, memoryCap, diskCap int64) *fileCache {
	return &fileCache{root: root, dir: dir, memoryCap: memoryCap, diskCap: diskCap,
		byKey: map[string]*list.Element{}, lru: list.New(), written: diskCap}
}

func (c *fileCache) get(name string) ([]byte, bool) {
	c.mu.Lock()
	if e, ok := c.byKey[name]; ok {
		c.lru.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(cached).data, true
	}
	c.mu.Unlock()
	if c.root == nil {
		return nil, false
	}
	b, err := c.root.ReadFile(c.dir + "/" + name)
	if err != nil || len(b) == 0 {
		return nil, false
	}
	c.keep(name, b)
	return b, true
}

// put keeps a file; with sync it is durable on return. An error means that it is in
// memory only.
func (c *fileCache) put(name string, b []byte, sync bool) error {
	c.keep(name, b)
	if c.root == nil {
		return nil
	}
	if err := writeFile(c.root, c.dir+"/"+name, b, sync); err != nil {
		return err
	}
	c.prune(int64(len(b)))
	return nil
}

func (c *fileCache) keep(name string, b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[name]; ok {
		return
	}
	c.byKey[name] = c.lru.PushFront(cached{name, b})
	c.size += int64(len(b))
	for c.size > c.memoryCap && c.lru.Len() > 1 {
		old := c.lru.Remove(c.lru.Back()).(cached)
		delete(c.byKey, old.name)
		c.size -= int64(len(old.data))
	}
}

// prune removes the oldest files when the folder has outgrown its cap. It looks only
// after an eighth of the cap was written, and at the first write.
func (c *fileCache) prune(grown int64) {
	c.pruneMu.Lock()
	defer c.pruneMu.Unlock()
	if c.written += grown; c.written < c.diskCap/8 {
		return
	}
	c.written = 0
	entries, err := fs.ReadDir(c.root.FS(), c.dir)
	if err != nil {
		return
	}
	infos := make([]fs.FileInfo, 0, len(entries))
	var total int64
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			infos = append(infos, fi)
			total += fi.Size()
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, fi := range infos {
		abandoned := strings.Contains(fi.Name(), ".part-") && time.Since(fi.ModTime()) > time.Hour
		if total <= c.diskCap*7/8 && !abandoned {
			continue
		}
		if c.root.Remove(c.dir+"/"+fi.Name()) == nil {
			total -= fi.Size()
		}
	}
}

// rngForNames is the source of temporary names, which need no seed.
func rngForNames() io.Reader { return rand.Reader }
