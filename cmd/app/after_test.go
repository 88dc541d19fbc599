package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAfterEnds: what is told of a slow end has been told when the end is there.
func TestAfterEnds(t *testing.T) {
	t.Parallel()
	began, release, told := make(chan struct{}), make(chan struct{}), false
	stop := after(0, func() {
		close(began)
		<-release
		told = true
	})
	<-began
	time.AfterFunc(10*time.Millisecond, func() { close(release) })
	stop()
	require.True(t, told)

	after(time.Hour, func() { t.Error("it was stopped") })()
}
