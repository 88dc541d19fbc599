// Package catalogtest provides the catalog that tests use for their goldens. It does not change
// when a model is added to the embedded one.
package catalogtest

import (
	_ "embed" // the test catalog
	"sync"
	"testing"

	"darkroom/client/catalog"
)

//go:embed testdata/catalog.yaml
var file []byte

// loadOnce serves every test: a catalog is immutable.
var loadOnce = sync.OnceValues(func() (*catalog.Catalog, error) { return catalog.Load(file, "catalogtest/testdata/catalog.yaml") })

// Catalog returns the test catalog.
func Catalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := loadOnce()
	if err != nil {
		t.Fatalf("the test catalog: %v", err)
	}
	return c
}
