package link

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/domain/link/page"
	"rostrum/model"
	"rostrum/platform/principal"
)

// Previews returns each link's hosted page as viewers get it, without its script; nil for links of
// other kinds.
func (s *Service) Previews(ctx context.Context, links []*model.Link) ([]*api.PagePreview, error) {
	out := make([]*api.PagePreview, len(links))
	var brand *model.Brand
	for i, link := range links {
		if link.Kind != model.LinkKindPage {
			continue
		}
		var err error
		if brand == nil {
			if brand, err = s.config.Brand(ctx, principal.Must(ctx).WorkspaceID); err != nil {
				return nil, err
			}
		}
		if out[i], err = renderPreview(link, brand); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Preview returns a hosted page of fields that are not stored. For invalid fields it returns the
// same errs.ValidationFailed as Create.
func (s *Service) Preview(ctx context.Context, in api.PagePreviewInput) (*api.PagePreview, error) {
	link, _, err := newLink(principal.Must(ctx), api.CreateLinkInput{
		Kind: graphql.OmittableOf(new(model.LinkKindPage)), Title: graphql.OmittableOf(&in.Title),
		Body: graphql.OmittableOf(&in.Body), Form: in.Form,
	}, nil, s.db.Now())
	if err != nil {
		return nil, err
	}
	brand, err := s.config.Brand(ctx, link.WorkspaceID)
	if err != nil {
		return nil, err
	}
	return renderPreview(link, brand)
}

func renderPreview(link *model.Link, brand *model.Brand) (*api.PagePreview, error) {
	shown := newPage(link, link.Body, brand)
	shown.Preview = true
	var out strings.Builder
	if err := page.Render(&out, shown); err != nil {
		return nil, fmt.Errorf("preview the page of %s: %w", link.ID, err)
	}
	return &api.PagePreview{HTML: out.String()}, nil
}
