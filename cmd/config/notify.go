package config

import (
	"fmt"
	"slices"
	"strings"
)

// notifyBy are the values of notify.
var notifyBy = []string{"auto", "osc9", "osc777", "osc99", "bell", "native", "off"}

// notify reads and checks how the console announces ended jobs while its terminal does not have
// the focus; auto if the file does not say.
func (f File) notify() (string, error) {
	by := firstOf(f.Notify, "auto")
	if !slices.Contains(notifyBy, by) {
		return "", fmt.Errorf("notify: %q: allowed are %s", f.Notify, strings.Join(notifyBy, ", "))
	}
	return by, nil
}
