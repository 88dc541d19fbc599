package inspect

import (
	"errors"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// judge sums up what came, as the screen does; it does nothing if nobody was asked.
func (f *found) judge(cat *catalog.Catalog, at time.Time) {
	if f.result.Err != nil && !errors.Is(f.result.Err, lookup.ErrNoTask) {
		return
	}
	id := client.CleanLine(f.ID)
	w := inspect.Ways{Again: "`darkroom inspect " + id + "`", Queue: "`darkroom jobs show " + jobs.ShortID(f.Job) + "`",
		Format: "leaving out --format", Results: "--results", Dur: human.Dur, Catalog: cat}
	v := f.result.Findings.Verdict(w, at)
	f.Verdict, f.Pace = &v, newPace(f.result.Findings.Pace(at))
}

// judged returns the rows of what an error means, and of the verdict.
func (f *found) judged() [][2]string {
	rows := f.explained()
	if v := f.Verdict; v != nil {
		rows = append(rows, [2]string{"verdict", v.Means}, [2]string{"next", v.Next})
	}
	return rows
}
