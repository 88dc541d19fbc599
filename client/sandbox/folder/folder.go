// Package folder keeps files: whole or not at all, and those that may be lost within bounds.
package folder

import (
	"bytes"
	"container/list"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/client/disk"
)

// Cache holds files that may be lost: the newest in memory up to a size, and all
// in a folder up to a larger one, where the oldest go first. Without a folder it is
// the memory alone. Names must be plain file names. The bytes are shared and must not
// be changed. It is safe for concurrent use.
type Cache struct {
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

// NewCache keeps files in the folder dir of root; root is nil for memory alone.
func NewCache(root *os.Root, dir string, memoryCap, diskCap int64) *Cache {
	return &Cache{root: root, dir: dir, memoryCap: memoryCap, diskCap: diskCap,
		byKey: map[string]*list.Element{}, lru: list.New(), written: diskCap}
}

// Get returns a file that is kept; false for one that is not, or no longer.
func (c *Cache) Get(name string) ([]byte, bool) {
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

// Put keeps a file; with sync it is durable on return. An error means that it is in
// memory only.
func (c *Cache) Put(name string, b []byte, sync bool) error {
	c.keep(name, b)
	if c.root == nil {
		return nil
	}
	if err := Write(c.root, c.dir+"/"+name, b, sync); err != nil {
		return err
	}
	c.prune(int64(len(b)))
	return nil
}

func (c *Cache) keep(name string, b []byte) {
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

// prune removes the oldest files when the folder has outgrown its cap. It looks only at the first
// write, and whenever another eighth of the cap has been written.
func (c *Cache) prune(grown int64) {
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

// Write writes a file whole or not at all. With sync it is durable when the call returns.
func Write(root *os.Root, name string, b []byte, sync bool) error {
	tmp := name + ".part-" + rand.Text()
	f, err := root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, bytes.NewReader(b))
	if err == nil && sync {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp)
		return err
	}
	if sync {
		return disk.SyncDir(root.Open(path.Dir(name)))
	}
	return nil
}
