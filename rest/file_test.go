package rest

import (
	"mime"
	"testing"
)

func TestAttachment(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Plan 2026.pdf": `attachment; filename="Plan 2026.pdf"; filename*=UTF-8''Plan%202026.pdf`,
		"计划.pdf":        `attachment; filename="__.pdf"; filename*=UTF-8''%E8%AE%A1%E5%88%92.pdf`,
		`a"b\c%d.txt`:   `attachment; filename="a_b_c_d.txt"; filename*=UTF-8''a%22b%5Cc%25d.txt`,
		"a;b=(c)*'.md":  `attachment; filename="a;b=(c)*'.md"; filename*=UTF-8''a%3Bb%3D%28c%29%2A%27.md`,
		"x\r\nY: 1.md":  `attachment; filename="x__Y: 1.md"; filename*=UTF-8''x%0D%0AY%3A%201.md`,
	} {
		got := contentDisposition(name)
		if got != want {
			t.Errorf("%q:\n%s, want\n%s", name, got, want)
		}
		if _, parameters, err := mime.ParseMediaType(got); err != nil || parameters["filename"] != name {
			t.Errorf("%q is parsed as %q: %v", name, parameters["filename"], err)
		}
	}
}
