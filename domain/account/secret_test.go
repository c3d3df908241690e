package account

import "testing"

// FuzzSecret checks that a secret needs the checksum of its random part: changing any character
// breaks it.
func FuzzSecret(f *testing.F) {
	secret, err := newSecret(secretStart)
	if err != nil || !IsSecret(secret) {
		f.Fatalf("%q: %v", secret, err)
	}
	f.Add(secret, 10, byte('x'))
	f.Add("rsk_", 0, byte(0))
	f.Add(secret[:len(secret)-1], 3, byte('_'))
	f.Fuzz(func(t *testing.T, text string, at int, replacement byte) {
		if !IsSecret(text) || at < 0 || at >= len(text) || text[at] == replacement {
			return
		}
		if changed := text[:at] + string([]byte{replacement}) + text[at+1:]; IsSecret(changed) {
			t.Errorf("%q and %q are secrets", text, changed)
		}
	})
}

// FuzzSecret_bodies checks that a random part makes a secret if it has the right length and only
// then. A text that continues after the checksum is none.
func FuzzSecret_bodies(f *testing.F) {
	f.Add("0123456789abcdefghijklmnopqrstuv")
	f.Fuzz(func(t *testing.T, body string) {
		secret := secretStart + body + checksum(body)
		if IsSecret(secret) != (len(body) == secretRandom) {
			t.Errorf("IsSecret(%q) is %v", secret, IsSecret(secret))
		}
		if IsSecret(secret + "0") {
			t.Errorf("%q is a secret", secret+"0")
		}
	})
}
