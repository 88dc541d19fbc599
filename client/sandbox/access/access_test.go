package access

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachKeyHasItsOwner(t *testing.T) {
	k, err := NewKeys("sk-1", map[string]string{"ana": "sk-2", "bo-2": "sk-3"})
	require.NoError(t, err)
	for token, want := range map[string]string{"sk-1": "", "sk-2": "ana", "sk-3": "bo-2"} {
		owner, ok := k.Owner(token)
		assert.True(t, ok, token)
		assert.Equal(t, want, owner, token)
	}
	for _, token := range []string{"", "sk-", "sk-4", "ana"} {
		_, ok := k.Owner(token)
		assert.False(t, ok, token)
	}
	_, err = NewKeys("sk-1", map[string]string{"ana": "sk-1"})
	require.ErrorContains(t, err, "another one's")
	for _, name := range []string{"", "Ana", "a b", "a=b", "../x", "0123456789012345678901234567890123"} {
		_, err = NewKeys("sk-1", map[string]string{name: "sk-2"})
		assert.ErrorContains(t, err, "small letters", name)
	}
}

func TestSignedAddresses(t *testing.T) {
	now := time.Unix(1_772_366_310, 0)
	u, err := url.Parse(Sign("http://127.0.0.1/files/x/v.mp4", "/files/x/v.mp4", "secret", now.Add(time.Minute)))
	require.NoError(t, err)
	check := func(q url.Values, path, secret string, needed bool, at time.Time) error {
		return Check(q, path, secret, needed, at)
	}
	q := u.Query()
	require.NoError(t, check(q, u.Path, "secret", true, now))
	require.NoError(t, check(q, u.Path, "secret", true, now.Add(59*time.Second)))
	require.ErrorIs(t, check(q, u.Path, "secret", true, now.Add(time.Minute)), errExpired)
	require.ErrorIs(t, check(q, u.Path, "secret", false, now.Add(time.Hour)), errExpired, "also where none is needed")
	require.ErrorIs(t, check(q, "/files/x/other.mp4", "secret", true, now), errUnsigned)
	require.ErrorIs(t, check(q, u.Path, "other", true, now), errUnsigned)
	require.ErrorIs(t, check(url.Values{}, u.Path, "secret", true, now), errUnsigned)
	require.NoError(t, check(url.Values{}, u.Path, "secret", false, now))
	q.Set("Expires", "9772366310")
	require.ErrorIs(t, check(q, u.Path, "secret", true, now), errUnsigned, "the end cannot be moved")
}
