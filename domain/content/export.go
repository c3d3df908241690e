package content

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"rostrum/api"
	"rostrum/domain/content/export"
	"rostrum/domain/visibility"
	"rostrum/model/optional"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
)

// Export returns a piece as a file and stores nothing. It returns an error for an unsupported
// format or input.
func (s *Service) Export(ctx context.Context, in api.ExportContentInput) (*api.ExportContentPayload, error) {
	format := export.PDF
	if chosen := in.Format.Value(); chosen != nil {
		format = export.Format(*chosen)
	}
	content := export.Content{
		Title: optional.ValueOr(in.Title.Value(), ""), HTML: optional.ValueOr(in.ContentHTML.Value(), ""),
		Text:        optional.ValueOr(in.ContentText.Value(), ""),
		ContentType: optional.ValueOr(in.ContentType.Value(), ""),
		TonePersona: optional.ValueOr(in.TonePersona.Value(), ""), Themes: in.Themes.Value(),
	}
	file, err := s.writeFile(ctx, format, content)
	if err != nil {
		return nil, err
	}
	embargo, err := s.exportWarnings(ctx, in)
	if err != nil {
		return nil, err
	}
	return &api.ExportContentPayload{File: &api.FileDownload{
		Name: export.FileName(optional.ValueOr(in.Title.Value(), ""), format), MediaType: format.MediaType(),
		Size:    len(file.Data),
		Content: base64.StdEncoding.EncodeToString(file.Data),
		Warning: joinWarnings(append(embargo, fileWarnings(file)...)),
	}}, nil
}

// writeFile writes the content. It loads remote images between reading and writing, so that no
// processor waits for them.
func (s *Service) writeFile(ctx context.Context, format export.Format, content export.Content) (file export.File,
	err error) {
	var doc *export.Document
	if ended := slot.Compute(ctx, len(content.HTML)+len(content.Text),
		func() { doc, err = export.Parse(ctx, format, content) }); ended != nil {
		return export.File{}, ended
	}
	if err != nil {
		return export.File{}, err
	}
	doc.LoadImages(ctx, s.loadImage)
	if ended := slot.Compute(ctx, doc.Size(), func() { file, err = doc.Write(ctx, s.fonts) }); ended != nil {
		return export.File{}, ended
	}
	return file, err
}

const (
	// maxListed is the maximum number of characters, and of images, that a warning lists.
	maxListed = 20
	// maxListedAddress is the maximum number of bytes that it lists of an image's address.
	maxListedAddress = 100
)

// exportWarnings returns a warning for each text under embargo that the piece quotes.
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

// fileWarnings lists the characters without a glyph and the images that the file does not have.
func fileWarnings(file export.File) (warnings []string) {
	if len(file.MissingGlyphs) > 0 {
		warnings = append(warnings, "no font has these characters, which are shown as boxes: "+
			listFirst(file.MissingGlyphs, func(r rune) string { return fmt.Sprintf("%U", r) }))
	}
	if len(file.OmittedImages) > 0 {
		warnings = append(warnings, "the file does not have these images: "+listFirst(file.OmittedImages, shortAddress))
	}
	return warnings
}

// listFirst returns the names of the first maxListed values, and the number of the others.
func listFirst[T any](values []T, name func(T) string) string {
	var names []string
	for _, v := range values[:min(len(values), maxListed)] {
		names = append(names, name(v))
	}
	if more := len(values) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// shortAddress returns the beginning of an address in ASCII, as a header needs it. Of a data:
// address it returns only the media type, for example data:image/png.
func shortAddress(address string) string {
	if strings.HasPrefix(address, "data:") {
		address, _, _ = strings.Cut(address, ";")
	}
	quoted := strconv.QuoteToASCII(address[:min(len(address), maxListedAddress)])
	return quoted[1 : len(quoted)-1]
}
