package secret_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client/secret"
)

func TestWhatNamesASecret(t *testing.T) {
	for _, name := range []string{"api_key", "X-API-Key", "apiKey", "Authorization", "Proxy-Authorization", "client_secret", "accessToken",
		"refresh-token", "parameters.api_key", "OPENAI_API_KEY"} {
		assert.True(t, secret.Name(name), name)
		assert.True(t, secret.HeaderName(name), name)
	}
	for _, name := range []string{"X-Auth-Key", "X-Goog-Api-Key", "key", "Token-Id", "sig", "X-Amz-Signature", "X-Subscription-Key", "WWW-Authenticate",
		"Cookie", "Set-Cookie", "token", "X-Token", "password", "X-My-Secret"} {
		assert.True(t, secret.HeaderName(name), name)
	}
	for _, name := range []string{"max_tokens", "keyframes", "key", "keywords", "eos_token", "author", "token", "auth", "secret",
		"secretary", "secret_ingredient", "cookie", "fortune_cookie", "password", "credentials", "authorization_scene", "passwords"} {
		assert.False(t, secret.Name(name), name)
	}
	for _, name := range []string{"X-Ratelimit-Remaining-Tokens", "Content-Type", "X-Request-Id", "signed"} {
		assert.False(t, secret.HeaderName(name), name)
	}
}
