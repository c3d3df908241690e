package operation

import "strings"

// HashesOf returns the SHA-256, MD5 and SHA-1 of a text, in hexadecimal.
func HashesOf(text string) (sha256, md5, sha1 string) {
	of := func(digits int) string {
		_, hash := claimedHash(strings.Repeat("0", digits), text)
		return hash
	}
	return of(64), of(32), of(40)
}
