package content

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"rostrum/domain/content/export"
	"rostrum/model"
)

// Export writes a piece as a file; nothing of it is kept.
func (s *Service) Export(ctx context.Context, in model.ExportInput) (*model.FileDownload, error) {
	if _, err := model.PrincipalFrom(ctx); err != nil {
		return nil, err
	}
	format := export.PDF
	if chosen := in.Format.Value(); chosen != nil {
		format = export.Format(*chosen)
	}
	file, err := export.Make(format, export.Content{
		Title: model.ValueOr(in.Title.Value(), ""), HTML: model.ValueOr(in.ContentHTML.Value(), ""), Text: model.ValueOr(in.ContentText.Value(), ""),
		ContentType: model.ValueOr(in.ContentType.Value(), ""), TonePersona: model.ValueOr(in.TonePersona.Value(), ""), Themes: in.Themes.Value(),
	}, s.fonts)
	if err != nil {
		return nil, err
	}
	return &model.FileDownload{
		Name: export.FileName(model.ValueOr(in.Title.Value(), ""), format), MediaType: format.MediaType(), Size: len(file.Data),
		Content: base64.StdEncoding.EncodeToString(file.Data), Warning: boxes(file.Unseen),
	}, nil
}

// mostBoxes is how many characters a warning names.
const mostBoxes = 20

// boxes says which characters a file cannot show; nil for none.
func boxes(unseen []rune) *string {
	if len(unseen) == 0 {
		return nil
	}
	var names []string
	for _, r := range unseen[:min(len(unseen), mostBoxes)] {
		names = append(names, fmt.Sprintf("%U", r))
	}
	if more := len(unseen) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	warning := "no font has these characters, which are shown as boxes: " + strings.Join(names, ", ")
	return &warning
}
