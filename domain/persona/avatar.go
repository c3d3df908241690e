package persona

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"rostrum/errs"
)

// Limits of an avatar in bytes: the decoded picture of a data URL, and an address.
const (
	avatarBytes  = 256 << 10
	addressBytes = 2048
)

// avatarTypes are the accepted picture types. None of them can run scripts in a browser.
var avatarTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"}

// checkAvatar adds an error unless the address is a public http or https address, or a picture's
// data URL (RFC 2397) in base64.
func (s *Service) checkAvatar(invalid *errs.FieldErrors, address string) {
	const field = "avatarUrl"
	if address == "" {
		return
	}
	if len(address) < 5 || !strings.EqualFold(address[:5], "data:") {
		if len(address) > addressBytes {
			invalid.Body("string_too_long", fmt.Sprintf(
				"must have at most %d characters, unless it is a data:image URL", addressBytes), field)
		} else if msg := s.addressProblem(address); msg != "" {
			invalid.Body("value_error", msg+", or a data:image URL in base64", field)
		}
		return
	}
	head, data, ok := strings.Cut(address[5:], ",")
	media, base64Mark, _ := strings.Cut(strings.ToLower(head), ";")
	switch picture, err := decodeBase64(data); {
	case !ok || !strings.HasPrefix(media, "image/") || !strings.HasSuffix(base64Mark, "base64"):
		invalid.Body("value_error", "must be a data URL of the form data:image/TYPE;base64,DATA", field)
	case err != nil:
		invalid.Body("value_error", "must contain base64 data", field)
	case len(picture) > avatarBytes:
		invalid.Body("too_long", fmt.Sprintf("must contain a picture of at most %d KiB", avatarBytes>>10), field)
	case !isPicture(picture):
		invalid.Body("value_error", "must contain a PNG, JPEG, GIF, WebP, AVIF or BMP picture", field)
	}
}

// decodeBase64 decodes the standard or URL alphabet, with or without padding, or returns an error.
func decodeBase64(data string) ([]byte, error) {
	data = strings.NewReplacer("-", "+", "_", "/", "%2B", "+", "%2F", "/", "%3D", "").
		Replace(strings.TrimRight(data, "="))
	return base64.RawStdEncoding.DecodeString(data)
}

func isPicture(data []byte) bool {
	found := mimetype.Detect(data)
	return slices.ContainsFunc(avatarTypes, found.Is)
}
