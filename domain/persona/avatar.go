package persona

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// The largest picture that a data URL may hold, and the longest address of one.
const (
	avatarBytes  = 256 << 10
	addressBytes = 2048
)

// avatarTypes are pictures that run nothing in a browser.
var avatarTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"}

// checkAvatar takes an http or https address that is not private, or a data URL (RFC 2397) of a picture in base64.
func (s *Service) checkAvatar(bad *faults, address string) {
	const field = "avatarUrl"
	if address == "" {
		return
	}
	if len(address) < 5 || !strings.EqualFold(address[:5], "data:") {
		if len(address) > addressBytes {
			bad.add("string_too_long", fmt.Sprintf("must have at most %d characters, unless it is a data:image URL", addressBytes), field)
		} else if msg := s.refused(address); msg != "" {
			bad.add("value_error", msg+", or a data:image URL in base64", field)
		}
		return
	}
	head, data, ok := strings.Cut(address[5:], ",")
	media, base64Mark, _ := strings.Cut(strings.ToLower(head), ";")
	switch picture, err := decode(data); {
	case !ok || !strings.HasPrefix(media, "image/") || !strings.HasSuffix(base64Mark, "base64"):
		bad.add("value_error", "must be a data URL of the form data:image/TYPE;base64,DATA", field)
	case err != nil:
		bad.add("value_error", "holds data that is not base64", field)
	case len(picture) > avatarBytes:
		bad.add("too_long", fmt.Sprintf("holds a picture of more than %d KiB", avatarBytes>>10), field)
	case !isPicture(picture):
		bad.add("value_error", "holds data that is not a PNG, JPEG, GIF, WebP, AVIF or BMP picture", field)
	}
}

// decode reads base64 with or without its padding, in either alphabet.
func decode(data string) ([]byte, error) {
	data = strings.NewReplacer("-", "+", "_", "/", "%2B", "+", "%2F", "/", "%3D", "").Replace(strings.TrimRight(data, "="))
	return base64.RawStdEncoding.DecodeString(data)
}

func isPicture(data []byte) bool {
	found := mimetype.Detect(data)
	return slices.ContainsFunc(avatarTypes, found.Is)
}
