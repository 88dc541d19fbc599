package kit

import (
	"errors"

	"darkroom/client"
	"darkroom/client/catalog"
)

// MaxCatalog bounds what lint reads; the catalog itself refuses less.
const MaxCatalog = 4 << 20

// LintError is one mistake and its place; lines and columns count from 1.
type LintError struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Excerpt string `json:"excerpt,omitempty"`
}

// LintErrorOf is an error with its place; one about the whole file is placed at the beginning.
func LintErrorOf(err error, name string) LintError {
	e, ok := errors.AsType[*catalog.Error](err)
	if !ok {
		return LintError{File: name, Line: 1, Column: 1, Message: client.CleanLine(err.Error())}
	}
	return LintError{File: e.Name, Line: max(e.Line, 1), Column: max(e.Column, 1), Message: e.Message, Excerpt: e.Excerpt}
}
