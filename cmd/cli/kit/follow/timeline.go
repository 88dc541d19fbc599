package follow

import (
	"fmt"
	"strings"

	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// Timeline prints what happened to a job, and the requests about it that are kept.
func Timeline(s *kit.IO, clock human.Times, events []jobs.Event, exchanges []jobs.Exchange) error {
	var cells [][]string
	for _, e := range events {
		cells = append(cells, []string{clock.Exact(e.At), string(e.Kind), string(e.To), e.RawStatus, status(e.HTTPStatus), strings.TrimSpace(e.Message + " " + e.RequestID)})
	}
	if err := kit.Rows(s.Out, []string{"AT", "WHAT", "STATE", "RAW", "HTTP", ""}, cells); err != nil || len(exchanges) == 0 {
		return err
	}
	s.Printf("\nlast requests:\n")
	cells = nil
	for _, x := range exchanges {
		what := x.Kind
		if n := x.Times(); n > 1 {
			what += fmt.Sprintf(" x %d since %s", n, clock.Since(x.Began(), x.At))
		}
		cells = append(cells, []string{clock.Exact(x.At), what, status(x.HTTPStatus), human.Dur(x.Latency), x.RawStatus,
			strings.TrimSpace(x.Path + " " + x.RequestID), x.Error})
	}
	return kit.Rows(s.Out, []string{"AT", "WHAT", "HTTP", "TOOK", "RAW", "", ""}, cells)
}

// status is an HTTP status, "" for none.
func status(code int) string {
	if code == 0 {
		return ""
	}
	return fmt.Sprint(code)
}
