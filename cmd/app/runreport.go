package app

import (
	"context"
	"fmt"
	"os"
	"time"

	"darkroom/client/disk"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/report"
	"darkroom/jobs/compare/vote"
)

// WriteReport writes down what a run of the gateway's profile showed, with the votes on it: "html", with
// media that are too large for the page in a folder beside it, "md", "csv" or "json". A file that is there
// already is not written over.
func (g *Gateway) WriteReport(ctx context.Context, r *compare.Run, format, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already", path)
	}
	o := report.Options{Now: time.Now()}
	votes, err := vote.Results(RunsDir(g), r)
	if err != nil {
		return err
	}
	if len(votes.Judges) > 0 {
		o.Votes = &votes
	}
	made := report.Make(r, o)
	if format == "html" { // it may have a folder beside it
		return made.WriteHTML(ctx, path)
	}
	return disk.Replace(path, func(f *os.File) error {
		switch format {
		case "md":
			return made.Markdown(f)
		case "csv":
			return made.CSV(f)
		case "json":
			return made.JSON(f)
		default:
			return fmt.Errorf("%q is no kind of report", format)
		}
	})
}
