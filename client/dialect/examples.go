package dialect

import (
	"embed"
	"path"
	"strings"
)

//go:embed examples/*.yaml
var examples embed.FS

// Examples are the names of the shipped dialects, sorted. None is used unless a profile names it.
func Examples() []string {
	entries, err := examples.ReadDir("examples")
	if err != nil {
		return nil // it is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Example is the text of a shipped dialect; ok is false where none has the name.
func Example(name string) (data []byte, ok bool) {
	data, err := examples.ReadFile(path.Join("examples", name+".yaml"))
	return data, err == nil
}
