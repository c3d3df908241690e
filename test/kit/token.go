package kit

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"
)

// tokens replaces values that differ from run to run: ids, numbered by first occurrence, times,
// secrets, addresses.
type tokens struct {
	value map[string]string // token → value
	token map[string]string // value → token
	count map[string]int
}

func newTokens() *tokens {
	return &tokens{value: map[string]string{}, token: map[string]string{}, count: map[string]int{}}
}

var (
	// a viewer session ends with a signature
	idPattern      = regexp.MustCompile(`\b([a-z]{3})_[0-9a-z]{26}([0-9a-z]{16})?\b`)
	secretPattern  = regexp.MustCompile(`\b(rs[kip]_[0-9A-Za-z]{38}\b|whsec_[0-9A-Za-z+/]{43}=|[A-Z2-7]{32}\b)`)
	codePattern    = regexp.MustCompile(`\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b`) // for when an authenticator app is lost
	factorPattern  = regexp.MustCompile(`("qr_code": )"(\\.|[^"\\])*"`)
	prefixPattern  = regexp.MustCompile(`\brsk_[0-9A-Za-z]{6}\b`)
	timePattern    = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|\+00:00)`)
	dayPattern     = regexp.MustCompile(`>\d{4}-\d\d-\d\d</time>`)
	waitPattern    = regexp.MustCompile(`(Retry-After: |"retry_after": |retry in )\d+`) // of a rate-limited client
	cursorPattern  = regexp.MustCompile(`("end_?[cC]ursor": )"[^"]+"`)
	tookPattern    = regexp.MustCompile(`("(latency|duration)_?[mM]s": )\d+`)
	assetPattern   = regexp.MustCompile(`(/l/static/\w+-)[0-9a-f]{16}`)
	requestPattern = regexp.MustCompile(`("request_id": )"[^"]*"`)
)

// setToken sets the token of a known value.
func (k *tokens) setToken(token, value string) {
	k.value[token], k.token[value] = value, token
}

func (k *tokens) tokenOf(kind, value string) string {
	if token, ok := k.token[value]; ok {
		return token
	}
	k.count[kind]++
	token := fmt.Sprintf("%s_%d", kind, k.count[kind])
	k.setToken(token, value)
	return token
}

// replaceValues replaces values by their tokens.
func (k *tokens) replaceValues(text string) string {
	for _, fixed := range []string{"site", "receiver", "base", "workspace", "model"} {
		if value := k.value[fixed]; value != "" {
			text = strings.ReplaceAll(text, value, "<"+fixed+">")
		}
	}
	text = idPattern.ReplaceAllStringFunc(text, func(id string) string { return "<" + k.tokenOf(id[:3], id) + ">" })
	text = secretPattern.ReplaceAllStringFunc(text,
		func(secret string) string { return "<" + k.tokenOf("secret", secret) + ">" })
	text = codePattern.ReplaceAllStringFunc(text, func(code string) string { return "<" + k.tokenOf("code", code) + ">" })
	if strings.Contains(text, "otpauth://") {
		text = factorPattern.ReplaceAllString(text, `$1"<svg>"`)
	}
	text = prefixPattern.ReplaceAllString(text, "<prefix>")
	text = timePattern.ReplaceAllString(text, "<time>")
	text = dayPattern.ReplaceAllString(text, "><day></time>")
	text = cursorPattern.ReplaceAllString(text, `$1"<cursor>"`)
	text = tookPattern.ReplaceAllString(text, `$1"<took>"`)
	text = assetPattern.ReplaceAllString(text, "$1<hash>")
	return requestPattern.ReplaceAllString(text, `$1"<request>"`)
}

var (
	usePattern = regexp.MustCompile(`\$\{(\w+)\}`)
	appPattern = regexp.MustCompile(`\$\{(\w+)\.app\}`)
)

// expandTokens replaces each ${token} by its value, and ${secret_1.app} by the code that an
// authenticator app shows for the secret.
func (k *tokens) expandTokens(text string) string {
	text = appPattern.ReplaceAllStringFunc(text, func(use string) string {
		code, err := totp.GenerateCode(k.value[use[2:len(use)-len(".app}")]], time.Now())
		if err != nil {
			return use
		}
		return code
	})
	return usePattern.ReplaceAllStringFunc(text, func(use string) string {
		if value, ok := k.value[use[2:len(use)-1]]; ok {
			return value
		}
		return use
	})
}
