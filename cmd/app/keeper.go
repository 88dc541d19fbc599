package app

import (
	"errors"
	"sync"
	"time"

	"darkroom/cmd/config"
)

// keepKey is how long a key is used before it is looked up again: every request needs it and a
// keyring is slow, but a changed key should be noticed soon.
const keepKey = time.Minute

// keeper remembers a key for a while, but no failure. It is safe for concurrent use, and does
// one look-up at a time.
type keeper struct {
	find func() (string, error)

	mu    sync.Mutex
	key   string
	until time.Time
}

func newKeeper(find func() (string, error)) *keeper { return &keeper{find: find} }

func (k *keeper) get() (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.key != "" && time.Now().Before(k.until) {
		return k.key, nil
	}
	key, err := k.find()
	if err != nil {
		k.key = ""
		return "", err
	}
	k.key, k.until = key, time.Now().Add(keepKey)
	return key, nil
}

// keyFinder finds the key of a profile. If it was stored for another origin than the profile
// names now, same is called once to ask the person; nil asks nobody.
func keyFinder(s config.Secrets, p config.Profile, same func(*config.OriginError) bool) func() (string, error) {
	return func() (string, error) {
		k, _, err := s.Find(p)
		moved, ok := errors.AsType[*config.OriginError](err)
		if !ok || same == nil {
			return k, err
		}
		ask := same
		same = nil
		if !ask(moved) {
			return "", err
		}
		if err := s.Confirm(p); err != nil {
			return "", err
		}
		k, _, err = s.Find(p)
		return k, err
	}
}
