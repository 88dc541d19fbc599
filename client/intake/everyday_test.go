package intake_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/intake"
)

// everyday are texts in which words stand that name a key elsewhere. All are somebody's.
func everyday() []string {
	return []string{
		`{"scene":"office","characters":{"secretary":"a woman of 40 in a grey suit","author":"a man"},"props":{"cookie_jar":"ceramic jar","fortune_cookie":"cracked open"}}`,
		`{"characters":{"secretary":"Ms Moneypenny-007-of-her-majesty"},"props":{"fortune_cookie":"cracked"},"sign":"Secret: nobody"}`,
		`{"shots":[{"secret":"the garden behind the wall","keywords":"a, b","key":"C minor","tokens":"5"}]}`,
		`{"prompt":"A title card that reads: Secret: Gardens of the world. Password: opensesame123456 is whispered"}`,
		`{"prompt":"She says 'the password: swordfish and roses' and then walks"}`,
		`{"prompt":"the sign: \"Secret: nobody knows the garden behind\""}`,
		`{"prompt":"the sign reads \"api_key: 0123456789abcdefghij\" in neon"}`,
		`{"prompt":"The word \"secret\": a whisper of many voices in the dark"}`,
		`{"text":"my cookie: chocolate-chip-and-nuts on a plate"}`,
		`{"key":"C minor","token":"gold coin","author":"me","keyframes":"1,2","auth":"none at all"}`,
		`{"api_key":"a key made of brass"}`, `{"api_key":"brass"}`, `{"api_key":"$DARKROOM_API_KEY"}`, `{"api_key":12345678901234567890}`, `{"api_key":null}`,
		`{"access_token":"https://cdn.example/gold-coin-0123456789.png"}`,
		`{"authorization":"signed by the mayor"}`, `{"authorization":"Bearer of good news"}`, `{"bearer":"a pall bearer in black"}`,
		`{"password":"opensesame123456"}`, `{"passphrase":"the-owl-flies-at-12-tonight"}`, `{"token":"0123456789abcdef0123456789abcdef"}`,
		`{"secret":"d41d8cd98f00b204e9800998ecf8427e"}`, `{"cookie":"session=0123456789abcdef"}`, `{"credentials":{"badge":"number-0123456789-abc"}}`,
		`{"secret_ingredient":"saffron-from-1994-kashmir"}`, `{"private_keyring":"0123456789abcdefgh"}`, `{"voice":"sk-SK-Wavenet-A"}`,
		`{"headers":{"title":"The Key","key":"C minor","author":"Anonymous"}}`,
		`{"image":"https://cdn.example/a.png?X-Amz-Signature=abc123def456abc123&token=zzzz9999zzzz9999"}`,
		`{"image":"https://user:12345678abcdefgh@cdn.example/a.png"}`,
		`{"lyrics":"Authorization: denied\nToken: spent\nSecret: ours"}`, `{"lyrics":"I got the key, key=love, token=kiss, api_key=my-heart"}`,
		`{a|b} secret: gardens of the world {c}`, `{ a storyboard: "the sign reads \"Password: open sesame\"", cookie: "chocolate" }`,
		"my cookie: chocolate-chip-and-nuts", "Password: opensesame123456", "Secret: nobody-knows-the-garden-1234", "token: a-golden-coin-of-1789-france",
		"Cookie: the dog, a golden retriever", "auth: drama-in-three-acts-2024", "X-Ray-Key: seventeen-bones-of-1895", "Set-Cookie: a movie set made of cookies",
		"Authorization: Bearer $KEY", "API key: a key shaped like an A", "Bearer 0123456789abcdef is the number on the pall bearer's coat",
		`He types: "api_key = 'swordfish'" and waits`, "curly hair: api_key", "the bearer: a porter, in a red coat",
		`curl up with a cat -under the table by the fire`, `curl is a word: curl her hair with love -before the ball at noon`,
		`curl https://g.example/v1/videos -d '{"prompt":"a cat","props":{"token":"gold"},"style":"gold and more gold"}'`,
		`curl https://g.example/v1/videos -H 'Content-Type: application/json' -d '{"prompt":"Password: opensesame123456","secretary":"a woman"}'`,
	}
}

func TestEverydayTextsStayAsTheyAre(t *testing.T) {
	require.GreaterOrEqual(t, len(everyday()), 40)
	for _, text := range everyday() {
		left, said := intake.Redact(text)
		assert.Equal(t, text, left)
		assert.Empty(t, said, text)
	}
}

// TestEverydayMembersAreSent: no body loses what is not surely a key, however it is called.
func TestEverydayMembersAreSent(t *testing.T) {
	r := reader(t)
	for _, text := range everyday() {
		var inner map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &inner) != nil {
			continue
		}
		got, err := r.Read(`{"model":"famA3","prompt":"x","metadata":`+text+`}`, intake.Hint{})
		require.NoError(t, err, text)
		assert.False(t, got.Secret, text)
		assert.Empty(t, got.Notes, text)
		v, err := json.Marshal(got.Draft)
		require.NoError(t, err)
		var d struct {
			Values map[string]json.RawMessage `json:"values"`
			Extra  map[string]json.RawMessage `json:"extra"`
		}
		require.NoError(t, json.Unmarshal(v, &d))
		sent := d.Values["metadata"]
		if sent == nil {
			sent = d.Extra["metadata"]
		}
		assert.JSONEq(t, text, string(sent))
	}
}

// TestWhatIsTakenOutIsTold names the place of each member.
func TestWhatIsTakenOutIsTold(t *testing.T) {
	r := reader(t)
	text := `{"model":"famA3","prompt":"x","metadata":{"api_key":"` + leaked + `","style":"noir"},"access_token":"` + leaked + `"}`
	got, err := r.Read(text, intake.Hint{})
	require.NoError(t, err)
	require.Len(t, got.Notes, 2)
	assert.Contains(t, got.Notes[0], "access_token is left out")
	assert.Contains(t, got.Notes[1], "metadata.api_key is left out")
	assert.NotContains(t, fmt.Sprintf("%+v", got), leaked)
	left, said := intake.Redact(text)
	assert.Equal(t, strings.ReplaceAll(text, leaked, intake.Hidden), left, "and nothing else")
	assert.Contains(t, said, "was taken out")
}

// TestAShortKeyIsAWordElsewhere: it is masked where it authorizes, and nowhere else.
func TestAShortKeyIsAWordElsewhere(t *testing.T) {
	for text, want := range map[string]string{
		`curl https://g.example/v1/videos -H 'X-Key: gold' -d '{"prompt":"gold and more gold"}'`: `curl https://g.example/v1/videos -H 'X-Key: $DARKROOM_API_KEY' -d '{"prompt":"gold and more gold"}'`,
		`curl https://g.example/v1/videos?key=gold -d '{"prompt":"gold and more gold"}'`:         `curl https://g.example/v1/videos?key=$DARKROOM_API_KEY -d '{"prompt":"gold and more gold"}'`,
		`curl -d '{"prompt":"it's gold"}' -u a:gold https://g.example`:                           `curl -d '{"prompt":"it's gold"}' -u $DARKROOM_API_KEY https://g.example`,
	} {
		assert.Equal(t, want, kept(text))
	}
}

// TestALongTextIsHeldBack: what is not looked through is not kept, and a person is told.
func TestALongTextIsHeldBack(t *testing.T) {
	for _, head := range []string{"curl ", "{"} {
		left, said := intake.Redact(head + strings.Repeat("x", intake.MaxKept))
		assert.Empty(t, left)
		assert.Contains(t, said, "1.0 MiB")
		assert.Contains(t, said, "paste the prompt alone")
	}
}

// TestAnEscapedQuoteKeepsItsBackslash: what is left of JSON is JSON.
func TestAnEscapedQuoteKeepsItsBackslash(t *testing.T) {
	left := kept(`{"prompt":"the sign \"says api_key: ` + leaked + `\" in neon", "model":`)
	assert.Equal(t, `{"prompt":"the sign \"says api_key: $DARKROOM_API_KEY\" in neon", "model":`, left)
}
