package inks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

func TestEveryStateHasASign(t *testing.T) {
	k := inks.New(tuitest.Styles(t))
	for _, s := range jobs.States() {
		assert.NotEmpty(t, k.Sign(s).Text, s)
	}
	assert.Equal(t, k.Sign(jobs.Unknown), k.Sign("burnt"), "a state that nobody listed")
}

func TestABarIsAlwaysAsWide(t *testing.T) {
	k := inks.New(tuitest.Styles(t))
	for n := range 101 {
		assert.Equal(t, inks.BarWidth, widgets.Width(k.Bar(float64(n)/100)))
	}
}

func TestTextsOfStrangersAreCutAndCleaned(t *testing.T) {
	assert.Equal(t, "a b", inks.OneLine(" a\nb ", 20))
	assert.NotContains(t, inks.OneLine("\x1b[31mred", 20), "\x1b")
	long := inks.OneLine(strings.Repeat("塩", 100_000), 30)
	assert.LessOrEqual(t, widgets.Width(long), 30)
	assert.True(t, strings.HasSuffix(long, widgets.Ellipsis))
	k := inks.New(tuitest.Styles(t))
	lines := k.Failure(errors.New("one\x1b[2J "+strings.Repeat("word ", 50)), 20, 3)
	assert.Len(t, lines, 3)
	for _, l := range lines {
		assert.LessOrEqual(t, widgets.Width(l), 20)
		assert.NotContains(t, l, "\x1b[2J")
	}
}
