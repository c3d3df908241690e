package document

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// List reads one page of the caller's documents, of each only the named columns (all when none is named). The total is
// counted only when it is asked for.
func (s *Service) List(
	ctx context.Context, args model.PageArgs, filter *model.DocumentFilter, sort model.DocumentSort, columns ...string,
) (*model.DocumentConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	order := orderOf(sort)
	window, err := dbx.NewWindow(args, order)
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append(columns, "id", order.Column)
	}
	part := part{Window: window, order: order, workspaceID: p.WorkspaceID, counted: args.Counted}
	rows, counters, err := s.page(ctx, part, filter, columns)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(d *model.Document) (any, string) { return sortValue(d, order.Column), d.ID })
	page.Count = func(ctx context.Context) (int, error) {
		if counters != nil {
			return counters.DocumentCount, nil
		}
		return s.count(ctx, p.WorkspaceID, filter)
	}
	return &model.DocumentConnection{Connection: page}, nil
}

// Count is the number of the caller's documents that match the filter.
func (s *Service) Count(ctx context.Context, filter *model.DocumentFilter) (int, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return 0, err
	}
	return s.count(ctx, p.WorkspaceID, filter)
}

// AutoTags reads the values that auto-tags found in the documents, all with one statement, in the order of the documents.
func (s *Service) AutoTags(ctx context.Context, docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	rows, err := s.autoTags(ctx, p.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	byDocument := make(map[string][]*model.DocumentAutoTag, len(docs))
	for _, tag := range rows {
		byDocument[tag.DocumentID] = append(byDocument[tag.DocumentID], tag)
	}
	out := make([][]*model.DocumentAutoTag, len(docs))
	for i, d := range docs {
		if out[i] = byDocument[d.ID]; out[i] == nil {
			out[i] = []*model.DocumentAutoTag{}
		}
	}
	return out, nil
}

func orderOf(sort model.DocumentSort) dbx.Order {
	column, desc := strings.CutSuffix(string(sort), "_desc")
	column = strings.TrimSuffix(column, "_asc")
	return dbx.Order{
		Column: column, Desc: desc,
		Time:     column != "title" && column != "word_count",
		Number:   column == "word_count",
		Nullable: column == "word_count" || column == "extracted_date",
	}
}

func sortValue(d *model.Document, column string) any {
	switch column {
	case "updated_at":
		return d.UpdatedAt
	case "extracted_date":
		return orNil(d.ExtractedDate)
	case "title":
		return d.Title
	case "word_count":
		return orNil(d.WordCount)
	}
	return d.CreatedAt
}

func orNil[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// narrow keeps the documents that match every given field of the filter.
func (s *Service) narrow(q *bun.SelectQuery, f *model.DocumentFilter) *bun.SelectQuery {
	if f == nil {
		return q
	}
	if words := f.Q.Value(); words != nil && strings.TrimSpace(*words) != "" {
		q = s.db.Matching(q, "document", *words)
	}
	if tag := f.Tag.Value(); tag != nil {
		q = s.db.Containing(q, "tags", *tag)
	}
	q = dbx.Equal(q, "content_type", f.ContentType.Value())
	q = dbx.Equal(q, "company", f.Company.Value())
	q = dbx.Equal(q, "executive", f.Executive.Value())
	q = dbx.Equal(q, "media_provenance", f.MediaProvenance.Value())
	return dbx.Equal(q, "processing_status", f.ProcessingStatus.Value())
}

// unfiltered reports whether the filter lets every document through, so that the workspace's own counter is the answer.
func unfiltered(f *model.DocumentFilter) bool {
	if f == nil {
		return true
	}
	noWords := f.Q.Value() == nil || strings.TrimSpace(*f.Q.Value()) == ""
	return noWords && f.Tag.Value() == nil && f.ContentType.Value() == nil && f.Company.Value() == nil &&
		f.Executive.Value() == nil && f.MediaProvenance.Value() == nil && f.ProcessingStatus.Value() == nil
}
