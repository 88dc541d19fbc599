package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

func TestExplain(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	for name, x := range map[string]struct {
		failure catalog.Failure
		meaning string
		fault   catalog.Fault
		retry   catalog.Retry
		field   string
		unsure  bool
	}{
		"status alone":      {catalog.Failure{HTTPStatus: 429}, "more requests came", catalog.FaultLimit, catalog.RetryLater, "", false},
		"a missing image":   {catalog.Failure{HTTPStatus: 400, Code: "invalid_request_error", Message: "At least one image is required."}, "needs an image", catalog.FaultRequest, catalog.RetryChanged, "image", false},
		"its code alone":    {catalog.Failure{HTTPStatus: 400, Code: "invalid_request_error", Message: "no"}, "did not take", catalog.FaultRequest, catalog.RetryChanged, "", false},
		"code over status":  {catalog.Failure{HTTPStatus: 503, Code: "model_not_found"}, "no such model", catalog.FaultRequest, catalog.RetryChanged, "model", true},
		"code with a tail":  {catalog.Failure{Code: "SensitiveContentDetected.PrivacyInformation"}, "policy", catalog.FaultContent, catalog.RetryChanged, "", true},
		"in another case":   {catalog.Failure{HTTPStatus: 400, Code: "Task_Not_Exist"}, "does not know this id", catalog.FaultRequest, catalog.RetryChanged, "", true},
		"of the upstream":   {catalog.Failure{Code: "1001", Format: "status"}, "gateway's own key", catalog.FaultVendor, catalog.RetryLater, "", true},
		"a key that may be": {catalog.Failure{HTTPStatus: 401}, "here or by the vendor", catalog.FaultKey, catalog.RetryChanged, "", false},
	} {
		r, ok := c.Explain(x.failure)
		require.True(t, ok, name)
		assert.Contains(t, r.Meaning, x.meaning, name)
		assert.Equal(t, x.fault, r.Fault, name)
		assert.Equal(t, x.retry, r.Retry, name)
		assert.Equal(t, x.field, r.Field, name)
		assert.Equal(t, x.unsure, r.Elsewhere, name)
		assert.NotEqual(t, r.Elsewhere, r.Source != "", "%s: a rule has one source", name)
	}
	for _, f := range []catalog.Failure{{}, {HTTPStatus: 418}, {Code: "1001"}, {Code: "SensitiveContentDetectedNow"}, {Message: "at least one image is required"}} {
		_, ok := c.Explain(f)
		assert.False(t, ok, "%+v", f)
	}
}

func TestExplainByOwnRules(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	mine, err := c.Overlay([]byte(`version: 1
errors:
  - {http: [401], meaning: the VPN is off, fault: request, retry: changed, next: switch it on}
`), "mine.yaml")
	require.NoError(t, err)
	r, _ := mine.Explain(catalog.Failure{HTTPStatus: 401})
	assert.Equal(t, "the VPN is off", r.Meaning)
	r, _ = mine.Explain(catalog.Failure{HTTPStatus: 404})
	assert.Contains(t, r.Meaning, "does not know the id", "the embedded ones stay")

	for text, want := range map[string]string{
		"{meaning: x, fault: request, retry: no, next: y}":                          "mine.yaml:3:5: errors: a rule without http, codes or words fits nothing",
		"{http: [401], fault: request, retry: no, next: y}":                         "a rule without meaning or next",
		"{http: [401], meaning: x, fault: them, retry: no, next: y}":                `fault "them"; allowed: [request`,
		"{http: [401], meaning: x, fault: key, retry: never, next: y}":              `retry "never"; allowed: [no later changed]`,
		"{codes: [a], meaning: x, fault: key, retry: no, next: y, field: lens}":     `"lens" is not a canonical field`,
		"{codes: [a], meaning: x, fault: key, retry: no, next: y, formats: [mail]}": `there is no format "mail"`,
	} {
		_, err := c.Overlay([]byte("version: 1\nerrors:\n  - "+text+"\n"), "mine.yaml")
		assert.ErrorContains(t, err, want)
	}
}
