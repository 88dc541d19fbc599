package client_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
)

func TestWhatNamesASecret(t *testing.T) {
	for _, name := range []string{"api_key", "X-API-Key", "apiKey", "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "token", "X-Token",
		"client_secret", "accessToken", "parameters.api_key", "password"} {
		assert.True(t, client.SecretName(name), name)
		assert.True(t, client.SecretHeader(name), name)
	}
	for _, name := range []string{"X-Auth-Key", "X-Goog-Api-Key", "key", "Token-Id", "sig", "X-Amz-Signature", "X-Subscription-Key", "WWW-Authenticate"} {
		assert.True(t, client.SecretHeader(name), name)
	}
	for _, name := range []string{"max_tokens", "keyframes", "key", "keywords", "eos_token", "author"} {
		assert.False(t, client.SecretName(name), name)
	}
	for _, name := range []string{"X-Ratelimit-Remaining-Tokens", "Content-Type", "X-Request-Id", "signed"} {
		assert.False(t, client.SecretHeader(name), name)
	}
}
