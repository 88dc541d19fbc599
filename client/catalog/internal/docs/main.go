// Command docs writes docs/FORMATS.md anew from the catalog and the codecs.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"darkroom/client/catalog"
	"darkroom/client/formats"
)

//go:generate go run . ../../../../docs/FORMATS.md

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: docs FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func write(path string) error {
	var b bytes.Buffer
	if err := table(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644) //nolint:gosec // a document that everybody may read
}

func table(w io.Writer) error {
	c, err := catalog.Embedded()
	if err != nil {
		return err
	}
	return c.Table(w, formats.All())
}
