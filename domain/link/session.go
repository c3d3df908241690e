package link

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"hash"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"rostrum/model"
)

// Cookie keeps a viewer's session of one link; its path is the link's address.
const Cookie = "rostrum_session"

const (
	// sessionTime is how long a session goes on without a visit.
	sessionTime = 30 * time.Minute
	// confirmTime is how long after it was shown a page may say that a person sees it.
	confirmTime = 24 * time.Hour
)

// session is what a viewer's cookie says.
type session struct {
	id      string
	variant string // empty when no split test ran
}

// signer makes sessions that nobody else can make. A session's id carries a signature for its link, so that a page can name it without
// a cookie; the cookie's value carries one of its own over the time it ends.
type signer struct{ hashes sync.Pool }

func newSigner(secret []byte) *signer {
	return &signer{hashes: sync.Pool{New: func() any { return hmac.New(sha256.New, secret) }}}
}

// signatureBytes of HMAC-SHA-256 are kept: too many to guess over a network.
const signatureBytes = 10

var base32Lower = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

const signatureLength = signatureBytes * 8 / 5

// sign appends the signature of some texts to dst.
func (g *signer) sign(dst []byte, texts ...string) []byte {
	mac := g.hashes.Get().(hash.Hash) //nolint:forcetypeassert // the pool makes no other
	defer g.hashes.Put(mac)
	mac.Reset()
	var buffer [256]byte
	joined := buffer[:0]
	for _, text := range texts {
		joined = append(append(joined, text...), 0)
	}
	_, _ = mac.Write(joined)
	var sum [sha256.Size]byte
	return base32Lower.AppendEncode(dst, mac.Sum(sum[:0])[:signatureBytes])
}

func (g *signer) signed(signature string, texts ...string) bool {
	var buffer [signatureLength]byte
	return subtle.ConstantTimeCompare(g.sign(buffer[:0], texts...), []byte(signature)) == 1
}

const idLength = len(model.ViewerPrefix) + 1 + ulid.EncodedSize + signatureLength

// newID makes the id of a new session of a link.
func (g *signer) newID(linkID string) string {
	plain := model.NewID(model.ViewerPrefix)
	buffer := make([]byte, 0, idLength)
	return string(g.sign(append(buffer, plain...), plain, linkID))
}

// genuine reports whether this server made the id for the link not too long ago.
func (g *signer) genuine(id, linkID string, now time.Time) bool {
	if len(id) != idLength || !strings.HasPrefix(id, model.ViewerPrefix+"_") {
		return false
	}
	plain, signature := id[:idLength-signatureLength], id[idLength-signatureLength:]
	if !g.signed(signature, plain, linkID) {
		return false
	}
	made, err := ulid.ParseStrict(strings.ToUpper(plain[len(model.ViewerPrefix)+1:]))
	return err == nil && now.Sub(made.Timestamp()) < confirmTime
}

// cookie is the Set-Cookie header's value that keeps the session for another half an hour.
func (g *signer) cookie(v session, linkID, path string, secure bool, now time.Time) string {
	ends := strconv.FormatInt(now.Add(sessionTime).Unix(), 36)
	b := make([]byte, 0, 256)
	b = append(b, Cookie+"="...)
	b = append(append(b, v.id...), '.')
	b = append(append(b, ends...), '.')
	b = append(append(b, v.variant...), '.')
	b = g.sign(b, v.id, ends, v.variant, linkID)
	b = append(append(b, "; Path="...), path...)
	b = append(b, "; Max-Age=1800; HttpOnly; SameSite=Lax"...)
	if secure {
		b = append(b, "; Secure"...)
	}
	return string(b)
}

// read finds the session of a request's cookie; ok is false when there is none of this link that still goes on.
func (g *signer) read(r *http.Request, linkID string, now time.Time) (v session, ok bool) {
	if len(r.Header["Cookie"]) == 0 {
		return v, false
	}
	for _, cookie := range r.CookiesNamed(Cookie) {
		parts := strings.Split(cookie.Value, ".")
		if len(parts) != 4 || !g.signed(parts[3], parts[0], parts[1], parts[2], linkID) {
			continue
		}
		ends, err := strconv.ParseInt(parts[1], 36, 64)
		if err == nil && now.Unix() < ends {
			return session{parts[0], parts[2]}, true
		}
	}
	return v, false
}
