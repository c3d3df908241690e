package content

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"rostrum/api"
	"rostrum/domain/content/export"
	"rostrum/optional"
	"rostrum/principal"
	"rostrum/visibility"
)

// Export returns a piece as a file. It stores nothing. It returns an error for an unsupported format or input.
func (s *Service) Export(ctx context.Context, in api.ExportContentInput) (*api.ExportContentPayload, error) {
	format := export.PDF
	if chosen := in.Format.Value(); chosen != nil {
		format = export.Format(*chosen)
	}
	file, err := export.Make(ctx, format, export.Content{
		Title: optional.ValueOr(in.Title.Value(), ""), HTML: optional.ValueOr(in.ContentHTML.Value(), ""), Text: optional.ValueOr(in.ContentText.Value(), ""),
		ContentType: optional.ValueOr(in.ContentType.Value(), ""), TonePersona: optional.ValueOr(in.TonePersona.Value(), ""), Themes: in.Themes.Value(),
	}, s.fonts)
	if err != nil {
		return nil, err
	}
	embargo, err := s.exportWarnings(ctx, in)
	if err != nil {
		return nil, err
	}
	return &api.ExportContentPayload{File: &api.FileDownload{
		Name: export.FileName(optional.ValueOr(in.Title.Value(), ""), format), MediaType: format.MediaType(), Size: len(file.Data),
		Content: base64.StdEncoding.EncodeToString(file.Data), Warning: joinWarnings(append(embargo, fontWarning(file.MissingGlyphs)...)),
	}}, nil
}

// maxListedCharacters is the maximum number of characters that a warning lists.
const maxListedCharacters = 20

// exportWarnings returns a warning for each text under embargo of which the piece has a part.
func (s *Service) exportWarnings(ctx context.Context, in api.ExportContentInput) ([]string, error) {
	piece := optional.ValueOr(in.ContentText.Value(), "")
	if written := optional.ValueOr(in.ContentHTML.Value(), ""); written != "" {
		piece = visibleText(written, "html")
	}
	shared := []visibility.Material{{Text: optional.ValueOr(in.Title.Value(), "") + "\n" + piece}}
	warnings, err := s.EmbargoWarnings(ctx, principal.Must(ctx).WorkspaceID, shared)
	if err != nil {
		return nil, fmt.Errorf("export content: %w", err)
	}
	return warnings[0], nil
}

// joinWarnings returns the warnings as one text, or nil if there are none.
func joinWarnings(warnings []string) *string {
	return optional.NonEmpty(strings.Join(warnings, "; "))
}

// fontWarning returns a warning that lists the characters without a glyph, or none if there are none.
func fontWarning(unseen []rune) []string {
	if len(unseen) == 0 {
		return nil
	}
	var names []string
	for _, r := range unseen[:min(len(unseen), maxListedCharacters)] {
		names = append(names, fmt.Sprintf("%U", r))
	}
	if more := len(unseen) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return []string{"no font has these characters, which are shown as boxes: " + strings.Join(names, ", ")}
}
