// Package access decides who may see what of the embedded gateway: keys that own the tasks they
// create, and addresses of results that end.
package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Keys are the keys that are let in, each with the name of its owner. The owner of the first one is "".
type Keys struct{ all []key }

type key struct {
	owner string
	sum   [sha256.Size]byte
}

// NewKeys makes the ring of the first key and those of further owners, by name. Two owners need two keys.
func NewKeys(first string, more map[string]string) (Keys, error) {
	k := Keys{all: []key{{"", sha256.Sum256([]byte(first))}}}
	for _, owner := range slices.Sorted(maps.Keys(more)) {
		if err := CheckOwner(owner); err != nil {
			return Keys{}, err
		}
		sum := sha256.Sum256([]byte(more[owner]))
		if slices.ContainsFunc(k.all, func(x key) bool { return x.sum == sum }) {
			return Keys{}, fmt.Errorf("the key of the owner %q is another one's, too", owner)
		}
		k.all = append(k.all, key{owner, sum})
	}
	return k, nil
}

// CheckOwner refuses what is no name of an owner: 1 to 32 small letters, digits and hyphens.
func CheckOwner(name string) error {
	if name == "" || len(name) > 32 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("owner %q: a name of 1 to 32 small letters, digits and hyphens is needed", name)
	}
	return nil
}

// Owner is whose key a token is. It takes as long for one key as for another.
func (k Keys) Owner(token string) (owner string, ok bool) {
	sum := sha256.Sum256([]byte(token))
	for i := range k.all {
		if subtle.ConstantTimeCompare(sum[:], k.all[i].sum[:]) == 1 {
			owner, ok = k.all[i].owner, true
		}
	}
	return owner, ok
}

// Why an address is not served.
var (
	errExpired  = errors.New("the address has expired")
	errUnsigned = errors.New("the signature does not match the address")
)

// The parameters of a signed address.
const (
	paramExpires   = "Expires"
	paramSignature = "Signature"
)

// Sign adds to an address when it ends, and the signature that keeps this from being changed.
func Sign(address, path, secret string, expires time.Time) string {
	at := strconv.FormatInt(expires.Unix(), 10)
	return address + "?" + paramExpires + "=" + at + "&" + paramSignature + "=" + signature(path, secret, at)
}

// Check says why an address does not give access (any more); one without a signature does where none
// is needed.
func Check(query url.Values, path, secret string, needed bool, now time.Time) error {
	at, sent := query.Get(paramExpires), query.Get(paramSignature)
	if at == "" && sent == "" && !needed {
		return nil
	}
	if !hmac.Equal([]byte(sent), []byte(signature(path, secret, at))) {
		return errUnsigned
	}
	if n, err := strconv.ParseInt(at, 10, 64); err != nil || now.Unix() >= n {
		return errExpired
	}
	return nil
}

func signature(path, secret, expires string) string {
	h := hmac.New(sha256.New, []byte(secret))
	_, _ = h.Write([]byte(path + "\n" + expires)) // a hash takes all
	return hex.EncodeToString(h.Sum(nil))
}
