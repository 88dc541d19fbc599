package history

import (
	"context"
	"iter"
	"sync"

	"darkroom/jobs"
)

// aheadReaders is how many pages are read at a time: to read one is the work of a core, and to write it
// little.
const aheadReaders = 2

// recordPage is a page of records, or why there is none.
type recordPage struct {
	records []jobs.Record
	err     error
}

// ahead reads all records in the order of their ids, the next pages while one is being written. It ends
// after a failure, which is its last page. stop has to be called.
func ahead(ctx context.Context, s jobs.Store) (pages iter.Seq[recordPage], stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	parts, err := partsOf(ctx, s)
	var reading sync.WaitGroup
	for r := range min(aheadReaders, len(parts)) {
		reading.Go(func() {
			for i := r; i < len(parts); i += aheadReaders {
				parts[i].read(ctx, s)
			}
		})
	}
	all := func(yield func(recordPage) bool) {
		if err != nil {
			yield(recordPage{err: err})
			return
		}
		for _, p := range parts {
			for page := range p.pages {
				if !yield(page) || page.err != nil {
					return
				}
			}
		}
	}
	return all, func() {
		cancel()
		reading.Wait()
	}
}

// part is a range of ids, and its records.
type part struct {
	after, last string // last is "" where the part has no end
	pages       chan recordPage
}

// partsOf are the parts of a history, in their order. The last one has no end: what is submitted
// meanwhile belongs to it.
func partsOf(ctx context.Context, s jobs.Store) ([]*part, error) {
	ends, err := s.Every(ctx, exportPage)
	if err != nil {
		return nil, err
	}
	out := make([]*part, 0, len(ends)+1)
	after := ""
	for _, last := range append(ends, "") {
		out = append(out, &part{after, last, make(chan recordPage)})
		after = last
	}
	return out, nil
}

// read reads a part to its end, to a failure, or until nobody wants more.
func (p *part) read(ctx context.Context, s jobs.Store) {
	defer close(p.pages)
	for after := p.after; p.last == "" || after < p.last; {
		list, err := s.Records(ctx, after, exportPage)
		if err == nil && len(list) == 0 {
			return
		}
		if err == nil {
			after = list[len(list)-1].Job.ID
			list = p.within(list)
		}
		select {
		case p.pages <- recordPage{list, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// within are the first of some records, as far as they belong to the part: some of it may have been
// removed meanwhile.
func (p *part) within(list []jobs.Record) []jobs.Record {
	for p.last != "" && len(list) > 0 && list[len(list)-1].Job.ID > p.last {
		list = list[:len(list)-1]
	}
	return list
}
