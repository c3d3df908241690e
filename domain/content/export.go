package content

import (
	"context"
	"encoding/base64"

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
	file, err := export.Bytes(format, export.Content{
		Title: valueOr(in.Title.Value(), ""), HTML: valueOr(in.ContentHTML.Value(), ""), Text: valueOr(in.ContentText.Value(), ""),
		ContentType: valueOr(in.ContentType.Value(), ""), TonePersona: valueOr(in.TonePersona.Value(), ""), Themes: in.Themes.Value(),
	})
	if err != nil {
		return nil, err
	}
	return &model.FileDownload{
		Name: export.FileName(valueOr(in.Title.Value(), ""), format), MediaType: format.MediaType(), Size: len(file),
		Content: base64.StdEncoding.EncodeToString(file),
	}, nil
}
