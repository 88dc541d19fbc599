package chat

import (
	"darkroom/client"
	"darkroom/client/kept"
)

// maxPast bounds how many earlier messages can be recalled.
const maxPast = 200

// past are the person's own messages, to be recalled from the empty input.
type past struct {
	list []string
	at   int    // of the one that shows, len(list) for none
	text string // what was put into the input
}

func (p *past) reset(list []kept.Message) {
	p.list = nil
	for i := range list {
		if list[i].Role == client.RoleUser {
			p.add(list[i].Text)
		}
	}
	p.at, p.text = len(p.list), ""
}

func (p *past) add(text string) {
	if n := len(p.list); n == 0 || p.list[n-1] != text {
		p.list = append(p.list, text)
	}
	if n := len(p.list); n > maxPast {
		p.list = p.list[n-maxPast:]
	}
	p.at, p.text = len(p.list), ""
}

// step goes to an older message (-1) or a newer one, from the empty input or from an unchanged
// message that came from here; false if there is none.
func (p *past) step(by int, typed string) (string, bool) {
	switch {
	case typed == "":
		p.at = len(p.list)
	case typed != p.text || p.text == "":
		return "", false
	}
	to := p.at + by
	if to < 0 || to > len(p.list) || p.at == len(p.list) && by > 0 {
		return "", false
	}
	p.at, p.text = to, ""
	if to < len(p.list) {
		p.text = p.list[to]
	}
	return p.text, true
}
