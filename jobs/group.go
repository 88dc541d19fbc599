package jobs

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// Group ties submissions together, and returns the id of the group: that of the first where it
// has one, a new one where there are several, "" for one alone.
func Group(subs []Submission) (string, error) {
	switch {
	case len(subs) > 0 && subs[0].Group != "":
		return subs[0].Group, nil
	case len(subs) < 2:
		return "", nil
	}
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("making the id of the group: %w", err)
	}
	for i := range subs {
		subs[i].Group = id.String()
	}
	return id.String(), nil
}

// SubmitGroup submits jobs that belong together, in one transaction: see [Group], and
// [Doer.Submit] for what an error means. The ids are in the order of the submissions.
func SubmitGroup(ctx context.Context, d Doer, subs []Submission) (group string, ids []string, err error) {
	if group, err = Group(subs); err != nil {
		return "", nil, err
	}
	if ids, err = d.Submit(ctx, subs); err != nil {
		return "", nil, err
	}
	if len(ids) != len(subs) {
		return "", nil, fmt.Errorf("%d jobs were asked for, %d came back", len(subs), len(ids))
	}
	return group, ids, nil
}
