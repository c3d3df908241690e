package brand

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
)

// webpPicture is a picture of one pixel without loss.
const webpPicture = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

func encoded(t *testing.T, format string, width, height int) []byte {
	t.Helper()
	picture, out := image.NewRGBA(image.Rect(0, 0, width, height)), bytes.Buffer{}
	picture.Set(0, 0, color.RGBA{255, 0, 0, 255})
	var err error
	switch format {
	case "png":
		err = png.Encode(&out, picture)
	case "jpeg":
		err = jpeg.Encode(&out, picture, nil)
	default:
		err = gif.Encode(&out, picture, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestNewLogo stores what is a picture and nothing else of what is sent.
func TestNewLogo(t *testing.T) {
	t.Parallel()
	webp, err := base64.StdEncoding.DecodeString(webpPicture)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		sent  []byte
		media string
	}{
		"png":  {append(encoded(t, "png", 30, 20), "<script>alert(1)</script>"...), "image/png"},
		"jpeg": {append(encoded(t, "jpeg", 30, 20), "<script>alert(1)</script>"...), "image/jpeg"},
		"webp": {webp, "image/png"},
	} {
		logo, err := newLogo(c.sent)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		size, format, err := image.DecodeConfig(bytes.NewReader(logo.content))
		if err != nil || "image/"+format != c.media || logo.MediaType != c.media || size.Width != logo.Width ||
			size.Height != logo.Height || logo.Size != len(logo.content) || bytes.Contains(logo.content, []byte("alert")) {
			t.Errorf("%s becomes %s %v %+v (%v)", name, format, size, logo.BrandLogo, err)
		}
	}
}

func TestNewLogo_refuses(t *testing.T) {
	t.Parallel()
	noise := image.NewRGBA(image.Rect(0, 0, 800, 800))
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(noise.Pix)
	var large bytes.Buffer
	if err := png.Encode(&large, noise); err != nil {
		t.Fatal(err)
	}
	whole := encoded(t, "png", 300, 200)
	for name, c := range map[string]struct {
		sent []byte
		code errs.Code
	}{
		"nothing":   {nil, errs.UnsupportedMediaType},
		"a script":  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`), errs.UnsupportedMediaType},
		"gif":       {encoded(t, "gif", 3, 2), errs.UnsupportedMediaType},
		"damaged":   {whole[:len(whole)-30], errs.ValidationFailed},
		"too wide":  {encoded(t, "png", MaxLogoSide+1, 1), errs.TooLarge},
		"too high":  {encoded(t, "jpeg", 1, MaxLogoSide+1), errs.TooLarge},
		"too large": {large.Bytes(), errs.TooLarge},
	} {
		if _, err := newLogo(c.sent); !errs.Is(err, c.code) {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}

func text(value string) graphql.Omittable[*string] { return graphql.OmittableOf(&value) }

func newTestService() *Service {
	return New(Config{CheckSlug: func(slug string) string {
		if slug == "api" {
			return "is a reserved word"
		}
		return ""
	}})
}

func TestApply_names_every_invalid_field(t *testing.T) {
	t.Parallel()
	s := newTestService()
	for _, c := range []struct {
		in   api.UpdateBrandInput
		want string
	}{
		{api.UpdateBrandInput{AccentColor: text("#777777")},
			"accentColor: has a contrast of 4.47 : 1 to white, and text needs 4.5 : 1: choose a darker colour"},
		{api.UpdateBrandInput{AccentColor: text("#fff")}, "accentColor: must be a colour such as #1d4ed8"},
		{api.UpdateBrandInput{ImprintURL: text("http://example.org/"), PrivacyURL: text("https://ada:x@example.org/")},
			"imprintUrl: must be an address that begins with https://; privacyUrl: must be"},
		{api.UpdateBrandInput{NewsroomSlug: text("api")}, "newsroomSlug: is a reserved word; name: is needed"},
	} {
		err := s.apply(&model.Brand{}, c.in, nil)
		if !errs.Is(err, errs.ValidationFailed) || !strings.Contains(errs.From(err).Message, c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	s, b := newTestService(), &model.Brand{}
	if err := s.apply(b, api.UpdateBrandInput{Name: text(" Tidewall "), AccentColor: text("#767676"), Imprint: text(" "),
		ImprintURL: text("https://example.org/imprint"), NewsroomSlug: text("Tidewall")}, nil); err != nil {
		t.Fatal(err)
	}
	if *b.Name != "Tidewall" || *b.AccentColor != "#767676" || b.Imprint != nil || *b.NewsroomSlug != "Tidewall" {
		t.Errorf("the brand is %+v", b)
	}
	if err := s.apply(b, api.UpdateBrandInput{}, nil); err != nil || b.ImprintURL == nil {
		t.Errorf("absent fields change the brand to %+v (%v)", b, err)
	}
	none := graphql.OmittableOf[*string](nil)
	if err := s.apply(b, api.UpdateBrandInput{Name: none}, nil); !errs.Is(err, errs.ValidationFailed) {
		t.Errorf("a newsroom loses its name: %v", err)
	}
	b.Name = new("Tidewall")
	if err := s.apply(b, api.UpdateBrandInput{Name: none, NewsroomSlug: none, AccentColor: none}, nil); err != nil ||
		b.Name != nil || b.AccentColor != nil {
		t.Errorf("the brand is %+v (%v)", b, err)
	}
}
