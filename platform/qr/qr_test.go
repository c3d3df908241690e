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

// TestDraw_same draws two texts again and again of which two masks have the same penalty: a library
// that compared masks in the order in which they were ready drew them in two ways.
func TestDraw_same(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"http://127.0.0.1:40000/l/equal-96", "http://127.0.0.1:40000/l/equal-365"} {
		first, err := Draw(text)
		for range 50 {
			again, againErr := Draw(text)
			if err != nil || againErr != nil || again != first {
				t.Fatalf("%s is drawn in two ways: %v, %v", text, err, againErr)
			}
		}
	}
}
