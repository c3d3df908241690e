package content

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"rostrum/api"
	"rostrum/domain/content/export"
	"rostrum/optional"
	"rostrum/slot"
)

// Export returns a piece as a file. It stores nothing. It returns an error for an unsupported format or input.
func (s *Service) Export(ctx context.Context, in api.ExportContentInput) (*api.ExportContentPayload, error) {
	format := export.PDF
	if chosen := in.Format.Value(); chosen != nil {
		format = export.Format(*chosen)
	}
	content := export.Content{
		Title: optional.ValueOr(in.Title.Value(), ""), HTML: optional.ValueOr(in.ContentHTML.Value(), ""), Text: optional.ValueOr(in.ContentText.Value(), ""),
		ContentType: optional.ValueOr(in.ContentType.Value(), ""), TonePersona: optional.ValueOr(in.TonePersona.Value(), ""), Themes: in.Themes.Value(),
	}
	var file export.File
	var err error
	if ended := slot.Compute(ctx, len(content.HTML)+len(content.Text), func() { file, err = export.Make(ctx, format, content, s.fonts) }); ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, err
	}
	return &api.ExportContentPayload{File: &api.FileDownload{
		Name: export.FileName(optional.ValueOr(in.Title.Value(), ""), format), MediaType: format.MediaType(), Size: len(file.Data),
		Content: base64.StdEncoding.EncodeToString(file.Data), Warning: fontWarning(file.MissingGlyphs),
	}}, nil
}

// maxListedCharacters is the maximum number of characters that a warning lists.
const maxListedCharacters = 20

// fontWarning returns a warning that lists the characters without a glyph, or nil if there are none.
func fontWarning(unseen []rune) *string {
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
	warning := "no font has these characters, which are shown as boxes: " + strings.Join(names, ", ")
	return &warning
}
