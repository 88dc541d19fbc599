package cli

import (
	"errors"

	"darkroom/client"
	"darkroom/client/catalog"
)

// maxCatalog bounds what lint reads; the catalog itself refuses less.
const maxCatalog = 4 << 20

// lintError is one mistake with its place; line and column count from 1.
type lintError struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Excerpt string `json:"excerpt,omitempty"`
}

// lintErrorOf is an error with a place: one that is about the whole file is at its
// beginning.
func lintErrorOf(err error, name string) lintError {
	e, ok := errors.AsType[*catalog.Error](err)
	if !ok {
		return lintError{File: name, Line: 1, Column: 1, Message: client.CleanLine(err.Error())}
	}
	return lintError{File: e.Name, Line: max(e.Line, 1), Column: max(e.Column, 1), Message: e.Message, Excerpt: e.Excerpt}
}
