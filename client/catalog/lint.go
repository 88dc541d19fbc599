package catalog

import "errors"

// Lint looks at a person's catalog file as [Catalog.Overlay] on the embedded catalog
// would and returns everything that is wrong with it, each an [*Error] with line and
// column where they are known. nil means that the file can be used.
func Lint(yaml []byte, name string) []error {
	c, err := Embedded()
	if err != nil {
		return []error{err}
	}
	_, err = c.Overlay(yaml, name)
	return flatten(err)
}

// flatten takes joined errors apart.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		var e *Error
		if errors.As(err, &e) {
			return []error{e}
		}
		return []error{err}
	}
	var out []error
	for _, x := range joined.Unwrap() {
		out = append(out, flatten(x)...)
	}
	return out
}
