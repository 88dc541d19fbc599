package inspect

import (
	"errors"
	"strings"

	"darkroom/client"
)

// ErrorText returns a route's error in one clean line; of an error answer only the code and the
// message, since the status and the path stand beside it.
func ErrorText(err error) string {
	if err == nil {
		return "no answer"
	}
	if api, ok := errors.AsType[*client.APIError](err); ok {
		if _, ok := client.ReadPage(api.Body); ok {
			return page(api.Body) + " in place of an answer"
		}
		code := api.Code
		if code == api.Message {
			code = ""
		}
		if text := strings.TrimSpace(code + " " + api.Message); text != "" {
			return client.CleanLine(text)
		}
	}
	if other, ok := errors.AsType[*client.OtherTaskError](err); ok {
		return "about another task: " + client.CleanLine(other.Named)
	}
	return client.CleanLine(err.Error())
}
