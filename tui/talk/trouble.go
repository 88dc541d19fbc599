package talk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/client/human"
)

// APIError is the gateway's own error, nil when the gateway sent none.
func APIError(err error) *client.APIError {
	api, _ := errors.AsType[*client.APIError](err)
	return api
}

// Explain says in clean lines what went wrong with a request, and what to do next (GATEWAY:
// Errors). part says that a part of the answer had arrived. Nothing is sent again automatically.
func Explain(err error, part bool, now time.Time) (what, advice string) {
	api := APIError(err)
	if Unsent(err) {
		return client.CleanLine(err.Error()), "nothing was asked; mend that, then ask again"
	}
	if api == nil {
		what = client.CleanLine(err.Error())
		switch {
		case part:
			return what, "what had come is kept; ask again for a whole answer"
		case errors.Is(err, context.DeadlineExceeded):
			return what, "the gateway took too long: ask again later"
		default:
			return what, "no answer came: check the network, and the address and the key of the profile, then ask again"
		}
	}
	what = fmt.Sprintf("HTTP %d", api.HTTPStatus)
	if api.Code != "" {
		what += " " + client.CleanLine(api.Code)
	}
	if api.Message != "" {
		what += ": " + client.CleanLine(api.Message)
	}
	if api.Param != "" {
		what += " (" + client.CleanLine(api.Param) + ")"
	}
	return what, adviceFor(api, now)
}

func adviceFor(api *client.APIError, now time.Time) string {
	switch {
	case api.HTTPStatus == 401 || api.HTTPStatus == 403:
		return "the key was refused: check it with `darkroom auth status`"
	case api.HTTPStatus == 404:
		return "the gateway does not know this model, or has no chat completions at its address: choose another model"
	case api.HTTPStatus == 429 && api.RetryAfter > 0:
		return fmt.Sprintf("the gateway asks to wait %s: ask again after %s", human.Wait(api.RetryAfter), human.Times{Now: now}.Clock(now.Add(api.RetryAfter)))
	case api.HTTPStatus == 429:
		return "too many requests: wait a little, then ask again"
	case api.HTTPStatus >= 500:
		return "the gateway failed: note the request id, ask again later or contact support"
	default:
		return api.Hint()
	}
}
