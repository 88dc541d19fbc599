package store

import (
	"context"
	"time"

	"darkroom/jobs"
)

// Leases implements jobs.Leaser.
func (s *SQLite) Leases(ctx context.Context) ([]jobs.Lease, error) {
	var out []jobs.Lease
	err := s.reader(ctx).each(`SELECT p.lease_owner, count(*), max(p.lease_until) > ?1
		OR EXISTS (SELECT 1 FROM pollers o WHERE o.owner = p.lease_owner AND o.lease_until > ?1)
		FROM job_polls p WHERE p.lease_owner <> '' GROUP BY p.lease_owner ORDER BY p.lease_owner`,
		[]any{millis(time.Now())}, func(r scanner) error {
			var l jobs.Lease
			err := r.Scan(&l.Owner, &l.Jobs, &l.Lives)
			out = append(out, l)
			return err
		})
	return out, explain(s.path, err)
}
