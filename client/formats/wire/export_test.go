package wire

import "darkroom/client"

// Status is status, for tests.
func Status(term string) client.Status { return status(term) }

// WebURL is webURL, for tests.
func WebURL(s string) (string, bool) { return webURL(s) }
