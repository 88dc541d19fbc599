package improve

import (
	"strings"

	"darkroom/client"
)

// system is the instruction for a chat model that improves a prompt of a modality.
func system(m client.Modality) string {
	what := map[client.Modality]string{
		client.Video: "a generative video model", client.Image: "a generative image model",
		client.Music: "a generative music model", client.Speech: "a speech engine, which speaks it",
		client.Chat: "a chat model",
	}[m]
	if what == "" {
		what = "a generative model"
	}
	return "You improve prompts for " + what + ". Answer with the improved prompt alone: no introduction, " +
		"no quotes, no explanation. Keep its language and its meaning, and leave names of references and " +
		"templates such as {a|b} and __name__ as they are. Change only what makes it better."
}

// Instructs reports whether a system prompt is one of ours, which has a chat model improve prompts.
func Instructs(prompt string) bool {
	for _, m := range append(client.Modalities(), "") {
		if strings.TrimSpace(prompt) == system(m) {
			return true
		}
	}
	return false
}

// Request makes the request that has a chat model improve a prompt. It is paid like any other: send
// it once.
func Request(model, prompt string, m client.Modality) client.ChatRequest {
	return client.ChatRequest{Model: model, Messages: []client.ChatMessage{
		{Role: client.RoleSystem, Content: system(m)}, {Role: client.RoleUser, Content: prompt},
	}}
}

// fence begins and ends a code block.
const fence = "```"

// Text extracts the prompt from an answer: without surrounding blanks, without the fence if the
// answer is a single code block, and without quotes around the whole if the prompt had none. The
// rest is as the gateway sent it: clean it before showing.
func Text(answer, prompt string) string {
	s := strings.TrimSpace(answer)
	if rest, ok := strings.CutPrefix(s, fence); ok && strings.Count(s, fence) == 2 {
		if inner, ok := strings.CutSuffix(rest, fence); ok {
			if _, body, lines := strings.Cut(inner, "\n"); lines {
				s = strings.TrimSpace(body)
			}
		}
	}
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}, {"«", "»"}, {"「", "」"}} {
		inner, ok := strings.CutPrefix(s, q[0])
		if !ok || !strings.HasSuffix(inner, q[1]) || strings.HasPrefix(strings.TrimSpace(prompt), q[0]) {
			continue
		}
		if inner = strings.TrimSuffix(inner, q[1]); inner != "" && !strings.Contains(inner, q[0]) && !strings.Contains(inner, q[1]) {
			return strings.TrimSpace(inner)
		}
	}
	return s
}
