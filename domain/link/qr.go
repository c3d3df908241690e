package link

import (
	"context"
	"fmt"

	"rostrum/model"
	"rostrum/platform/qr"
)

// QRCodes returns a QR code of each link's short URL as an SVG image.
func (s *Service) QRCodes(_ context.Context, links []*model.Link) ([]string, error) {
	out := make([]string, len(links))
	for i, link := range links {
		var err error
		if out[i], err = qr.Draw(s.shortURL(link.Slug)); err != nil {
			return nil, fmt.Errorf("draw the QR code of %s: %w", link.ID, err)
		}
	}
	return out, nil
}
