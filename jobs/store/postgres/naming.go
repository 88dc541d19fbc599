package postgres

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"darkroom/client"
	"darkroom/jobs"
)

// namingSQL finds the jobs that may name a file: what is kept as JSON may be what the server's own
// reading of JSON refuses, so that it is read here.
const namingSQL = `SELECT id, draft, '' FROM jobs WHERE draft LIKE '%"file://%'
	UNION ALL SELECT id, '', files FROM jobs WHERE files LIKE ANY($1::text[])`

// Naming returns the jobs that name one of the paths, in their drafts or as files that were saved for
// them, by path.
func (s *Store) Naming(ctx context.Context, paths []string) (map[string][]string, error) {
	wanted := map[string]string{}
	var like []string
	for _, p := range paths {
		wanted[filepath.Clean(p)] = p
		b, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		like = append(like, `%`+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text(string(b)))+`%`)
	}
	var out map[string][]string
	err := s.again(ctx, func() error {
		out = map[string][]string{}
		rows, err := s.pool.Query(ctx, namingSQL, like)
		if err != nil {
			return err
		}
		var id, draft, files string
		_, err = pgx.ForEachRow(rows, []any{&id, &draft, &files}, func() error {
			for _, path := range pathsOf(draft, files) {
				if p, is := wanted[filepath.Clean(path)]; is {
					out[p] = append(out[p], id)
				}
			}
			return nil
		})
		return err
	})
	return out, s.explain(err)
}

// pathsOf lists the files of this machine that a draft or a job's files name.
func pathsOf(draft, files string) (out []string) {
	var d client.Draft
	if draft != "" && json.Unmarshal([]byte(draft), &d) == nil {
		for _, f := range d.LocalFiles() {
			out = append(out, f.Path())
		}
	}
	var list []jobs.File
	if files != "" && json.Unmarshal([]byte(files), &list) == nil {
		for _, f := range list {
			out = append(out, f.Path)
		}
	}
	return out
}
