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
func (s *Service) Previews(links []*model.Link) ([]*api.PagePreview, error) {
	out := make([]*api.PagePreview, len(links))
	for i, link := range links {
		if link.Kind != model.LinkKindPage {
			continue
		}
		var err error
		if out[i], err = renderPreview(link); err != nil {
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
	return renderPreview(link)
}

func renderPreview(link *model.Link) (*api.PagePreview, error) {
	shown := newPage(link, link.Body)
	shown.Preview = true
	var out strings.Builder
	if err := page.Render(&out, shown); err != nil {
		return nil, fmt.Errorf("preview the page of %s: %w", link.ID, err)
	}
	return &api.PagePreview{HTML: out.String()}, nil
}
