package brand

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	_ "golang.org/x/image/webp" // decodes WebP

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
	"rostrum/platform/web"
)

const (
	// MaxLogoSize is the largest logo in bytes, as it is sent and as it is stored.
	MaxLogoSize = 1 << 20
	// MaxLogoSide is the largest width and height of a logo in pixels.
	MaxLogoSide = 2000
	// jpegQuality is that of a photograph that is encoded again.
	jpegQuality = 90
)

// storedLogo is a logo with its bytes.
type storedLogo struct {
	model.BrandLogo
	content []byte
}

// readLogo returns the new logo of a brand, or nil without a file.
func (s *Service) readLogo(ctx context.Context, in api.UpdateBrandInput, file *graphql.Upload) (*storedLogo, error) {
	if file == nil {
		return nil, nil
	}
	if optional.ValueOr(in.RemoveLogo.Value(), false) {
		return nil, errs.Invalid(errs.BodyField("value_error", "cannot be true with a file, which is the new logo", "removeLogo"))
	}
	sent, err := io.ReadAll(io.LimitReader(file.File, MaxLogoSize+1))
	if err != nil {
		return nil, web.DiskError(err, "the uploaded file cannot be read")
	}
	logo, err := newLogo(sent)
	if err != nil {
		return nil, err
	}
	return logo, s.Accounts.TakeStorage(ctx, principal.Must(ctx).WorkspaceID, logo.Size)
}

// newLogo returns a picture as a logo. A JPEG stays one; others become PNG. It returns
// errs.UnsupportedMediaType for what is no picture of a known format, errs.TooLarge for one with too
// many bytes or pixels, and errs.ValidationFailed for one that is damaged.
func newLogo(sent []byte) (*storedLogo, error) {
	if len(sent) > MaxLogoSize {
		return nil, tooLarge()
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(sent))
	if err != nil || format != "png" && format != "jpeg" && format != "webp" {
		return nil, errs.New(errs.UnsupportedMediaType, "the logo must be a PNG, JPEG or WebP picture")
	}
	if size.Width > MaxLogoSide || size.Height > MaxLogoSide {
		return nil, errs.New(errs.TooLarge, "the logo has %d × %d pixels; it may have %d in width and height", size.Width,
			size.Height, MaxLogoSide)
	}
	picture, _, err := image.Decode(bytes.NewReader(sent))
	if err != nil {
		return nil, errs.Invalid(errs.BodyField("value_error", "is damaged: the picture cannot be read to its end", "file"))
	}
	logo := &storedLogo{BrandLogo: model.BrandLogo{ID: model.NewID("lgo"), MediaType: "image/png", Width: size.Width,
		Height: size.Height}}
	var out bytes.Buffer
	if format == "jpeg" {
		logo.MediaType = "image/jpeg"
		err = jpeg.Encode(&out, picture, &jpeg.Options{Quality: jpegQuality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture)
	}
	if err != nil {
		return nil, errs.Wrap(err, errs.Internal, "the logo cannot be encoded")
	}
	if out.Len() > MaxLogoSize {
		return nil, tooLarge()
	}
	logo.content, logo.Size = out.Bytes(), out.Len()
	return logo, nil
}

func tooLarge() error {
	return errs.New(errs.TooLarge, "the logo is over %d MB; give it fewer pixels", MaxLogoSize>>20)
}

// ServeHTTP serves a logo. Caches may keep it for ever, as another logo has another path.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := s.readContent(r.Context(), strings.TrimPrefix(r.URL.Path, model.LogoPath))
	if err != nil {
		http.Error(w, errs.From(err).Message, errs.From(err).Status())
		return
	}
	header := w.Header()
	header.Set("Content-Type", http.DetectContentType(content))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
