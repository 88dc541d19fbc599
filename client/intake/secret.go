package intake

import (
	"regexp"
	"strings"
)

// secretNames are headers and members that authorize, in lower case.
var secretNames = map[string]bool{
	"authorization": true, "proxy-authorization": true, "cookie": true, "x-api-key": true, "api-key": true, "api_key": true,
	"apikey": true, "x-goog-api-key": true, "x-auth-token": true, "access_token": true,
}

// Hidden stands in a text where something was that authorizes.
const Hidden = "$DARKROOM_API_KEY"

var inHeader = regexp.MustCompile(`(?i)((?:authorization|x-api-key|api-key|api_key|x-goog-api-key|x-auth-token|cookie)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token)\s+)?)([^\s"'\\$<*{][^\s"'\\]*)`)

// Redact is a text without what authorizes in it: for who keeps a pasted command as text.
func Redact(text string) string {
	if IsCommand(text) {
		c, _ := parseCurl(strings.TrimSpace(text)) // what it has found before it failed is enough
		for _, s := range c.secrets {
			if len(s) >= 4 { // shorter is no key, and stands in words
				text = strings.ReplaceAll(text, s, Hidden)
			}
		}
	}
	return inHeader.ReplaceAllStringFunc(text, func(s string) string {
		part := inHeader.FindStringSubmatch(s)
		switch strings.ToLower(part[2]) {
		case "bearer", "basic", "token": // in front of what only stands for a key
			return s
		}
		return part[1] + Hidden
	})
}

// takeSecrets takes members out of a body that authorize: some people put them there.
func takeSecrets(body map[string]any) bool {
	found := false
	for name, v := range body {
		low := strings.ToLower(name)
		_, isText := v.(string)
		if headers, ok := v.(map[string]any); ok && low == "headers" {
			if takeSecrets(headers) {
				found = true
				if len(headers) == 0 {
					delete(body, name)
				}
			}
			continue
		}
		if secretNames[low] && isText {
			delete(body, name)
			found = true
		}
	}
	return found
}
