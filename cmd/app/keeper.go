package app

import (
	"errors"
	"sync"
	"time"

	"darkroom/cmd/config"
)

// keepKey is how long a key that was found is used without looking again: a keyring is
// slow, and is asked for every request; a key that was changed is to be seen soon.
const keepKey = time.Minute

// keeper remembers a key for a while. A failure is not remembered. It is safe for
// concurrent use, and one look-up at a time is under way.
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

// keyFinder finds the key of a profile. Where it was kept for another origin than the profile
// names now, the person is asked, once; nil asks nobody.
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
