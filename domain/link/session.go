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

// Cookie is the cookie of a viewer's session of one link; its path is that of the link.
const Cookie = "rostrum_session"

const (
	// sessionLifetime is how long a session lasts without a visit.
	sessionLifetime = 30 * time.Minute
	// confirmWindow is how long after its rendering a page may report a view.
	confirmWindow = 24 * time.Hour
)

// viewerSession is the content of a session cookie.
type viewerSession struct {
	id      string
	variant string // empty without a split test
}

// sessionSigner signs sessions with HMAC-SHA-256. A session's id contains a signature for its link,
// so a page can send it without a cookie. The cookie has another signature, which covers its
// expiry.
type sessionSigner struct{ hashes sync.Pool }

func newSigner(secret []byte) *sessionSigner {
	return &sessionSigner{hashes: sync.Pool{New: func() any { return hmac.New(sha256.New, secret) }}}
}

// signatureBytes is the length of a truncated signature, too long to guess over a network.
const signatureBytes = 10

var base32Lower = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

const signatureLength = signatureBytes * 8 / 5

// appendSignature appends the signature of the texts to dst.
func (g *sessionSigner) appendSignature(dst []byte, texts ...string) []byte {
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

func (g *sessionSigner) verifySignature(signature string, texts ...string) bool {
	var buffer [signatureLength]byte
	return subtle.ConstantTimeCompare(g.appendSignature(buffer[:0], texts...), []byte(signature)) == 1
}

const idLength = len(model.ViewerPrefix) + 1 + ulid.EncodedSize + signatureLength

// newID returns the id of a new session of a link.
func (g *sessionSigner) newID(linkID string) string {
	plain := model.NewID(model.ViewerPrefix)
	buffer := make([]byte, 0, idLength)
	return string(g.appendSignature(append(buffer, plain...), plain, linkID))
}

// isGenuine reports whether this installation created the id for the link within confirmWindow.
func (g *sessionSigner) isGenuine(id, linkID string, now time.Time) bool {
	if len(id) != idLength || !strings.HasPrefix(id, model.ViewerPrefix+"_") {
		return false
	}
	plain, signature := id[:idLength-signatureLength], id[idLength-signatureLength:]
	if !g.verifySignature(signature, plain, linkID) {
		return false
	}
	made, err := ulid.ParseStrict(strings.ToUpper(plain[len(model.ViewerPrefix)+1:]))
	return err == nil && now.Sub(made.Timestamp()) < confirmWindow
}

// cookieHeader returns a Set-Cookie header that extends the session by sessionLifetime.
func (g *sessionSigner) cookieHeader(v viewerSession, linkID, path string, secure bool, now time.Time) string {
	ends := strconv.FormatInt(now.Add(sessionLifetime).Unix(), 36)
	b := make([]byte, 0, 256)
	b = append(b, Cookie+"="...)
	b = append(append(b, v.id...), '.')
	b = append(append(b, ends...), '.')
	b = append(append(b, v.variant...), '.')
	b = g.appendSignature(b, v.id, ends, v.variant, linkID)
	b = append(append(b, "; Path="...), path...)
	b = append(b, "; Max-Age=1800; HttpOnly; SameSite=Lax"...)
	if secure {
		b = append(b, "; Secure"...)
	}
	return string(b)
}

// readCookie returns the session of the request's cookie. ok is false without a valid, unexpired
// cookie of this link.
func (g *sessionSigner) readCookie(r *http.Request, linkID string, now time.Time) (v viewerSession, ok bool) {
	if len(r.Header["Cookie"]) == 0 {
		return v, false
	}
	for _, cookie := range r.CookiesNamed(Cookie) {
		parts := strings.Split(cookie.Value, ".")
		if len(parts) != 4 || !g.verifySignature(parts[3], parts[0], parts[1], parts[2], linkID) {
			continue
		}
		ends, err := strconv.ParseInt(parts[1], 36, 64)
		if err == nil && now.Unix() < ends {
			return viewerSession{parts[0], parts[2]}, true
		}
	}
	return v, false
}
