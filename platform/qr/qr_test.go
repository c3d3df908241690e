package qr

import (
	"encoding/xml"
	"strings"
	"testing"
)

// TestDraw draws short and long addresses: as XML, with a white border and the three finder
// patterns of ISO 18004 in their corners.
func TestDraw(t *testing.T) {
	t.Parallel()
	for text, size := range map[string]string{
		"http://rostrum.test/l/x": "33", "https://links.example.com/l/" + strings.Repeat("Ab1-", 16): "49",
	} {
		svg, err := Draw(text)
		if err != nil {
			t.Fatal(err)
		}
		var root struct {
			ViewBox string `xml:"viewBox,attr"`
			Paths   []struct {
				D string `xml:"d,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal([]byte(svg), &root); err != nil || len(root.Paths) != 2 {
			t.Fatalf("%v: %s", err, svg)
		}
		if root.ViewBox != "0 0 "+size+" "+size {
			t.Errorf("the QR code of %s has the view box %s, want %s modules", text, root.ViewBox, size)
		}
		lines := strings.Split(root.Paths[1].D, "M")[1:]
		if !strings.HasPrefix(lines[0], "4 4h7v") || !strings.HasSuffix(lines[len(lines)-1], "z") {
			t.Errorf("the QR code of %s has no finder pattern: %s", text, root.Paths[1].D)
		}
	}
}
