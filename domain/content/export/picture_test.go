package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// drawTestImage returns an image whose left half is red and whose right half is blue, in a format.
func drawTestImage(t *testing.T, format string, width, height int, left color.Color) []byte {
	t.Helper()
	drawn := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		drawn.Set(x, 0, color.NRGBA{B: 255, A: 255})
		if x < width/2 {
			drawn.Set(x, 0, left)
		}
	}
	for y := 1; y < height; y++ {
		copy(drawn.Pix[y*drawn.Stride:], drawn.Pix[:drawn.Stride])
	}
	var out bytes.Buffer
	err := map[string]func() error{
		"png":  func() error { return png.Encode(&out, drawn) },
		"jpeg": func() error { return jpeg.Encode(&out, drawn, nil) },
		"gif":  func() error { return gif.Encode(&out, drawn, nil) },
	}[format]()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var red = color.NRGBA{R: 255, A: 255}

func dataAddress(format string, data []byte) string {
	return "data:image/" + format + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// pictureReaders return the images that a file has.
var pictureReaders = map[Format]func(*testing.T, []byte) []image.Image{PDF: readPDFPictures, DOCX: readWordPictures,
	HTML: readDataPictures, Markdown: readDataPictures}

func readPDFPictures(t *testing.T, data []byte) []image.Image {
	t.Helper()
	needPoppler(t, "pdfimages")
	folder := t.TempDir()
	run := exec.Command("pdfimages", "-png", "-", filepath.Join(folder, "image"))
	run.Stdin = bytes.NewReader(data)
	if text, err := run.CombinedOutput(); err != nil || len(text) > 0 {
		t.Fatalf("pdfimages: %s, %v", text, err)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	var out []image.Image
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, decodeTestImage(t, file))
	}
	return out
}

func readWordPictures(t *testing.T, data []byte) (out []image.Image) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	body, relations := readPart(t, archive, "word/document.xml"), readPart(t, archive, "word/_rels/document.xml.rels")
	types := readPart(t, archive, "[Content_Types].xml")
	for _, used := range regexp.MustCompile(`r:embed="(\w+)"`).FindAllStringSubmatch(body, -1) {
		target := regexp.MustCompile(`Id="` + used[1] + `" Type="[^"]*/image" Target="([^"]+)"`).
			FindStringSubmatch(relations)
		if target == nil {
			t.Fatalf("no relation %s in %s", used[1], relations)
		}
		if kind := strings.TrimPrefix(filepath.Ext(target[1]), "."); !strings.Contains(types, `Extension="`+kind+`"`) {
			t.Errorf("no type of %s", target[1])
		}
		out = append(out, decodeTestImage(t, []byte(readPart(t, archive, "word/"+target[1]))))
	}
	return out
}

func readPart(t *testing.T, archive *zip.Reader, name string) string {
	t.Helper()
	file, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(file); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func readDataPictures(t *testing.T, data []byte) (out []image.Image) {
	t.Helper()
	for _, address := range regexp.MustCompile(`(?:src="|\]\()(data:[^")]+)`).FindAllSubmatch(data, -1) {
		out = append(out, decodeTestImage(t, decodeDataURI(string(address[1]))))
	}
	return out
}

func decodeTestImage(t *testing.T, data []byte) image.Image {
	t.Helper()
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// TestImages exports images of each format and reads them back: their sizes and the colors of their
// halves.
func TestImages(t *testing.T) {
	t.Parallel()
	remote := map[string][]byte{"https://example.com/plant.gif": drawTestImage(t, "gif", 30, 20, red)}
	load := func(_ context.Context, address string, _ int64) ([]byte, error) {
		if remote[address] == nil {
			return nil, errors.New("status 404")
		}
		return remote[address], nil
	}
	source := fmt.Sprintf(`<h2>Before</h2><p>ahead <img src="%s" alt="a chart"> after</p><ul><li><img src="%s"></li></ul>`+
		`<table><tr><td>cell <img src="https://example.com/plant.gif" alt="the plant"></td><td>two</td></tr></table><p><img src="https://example.com/gone.png" alt="the lost &lt;one&gt;"></p>`,
		dataAddress("png", drawTestImage(t, "png", 40, 10, red)),
		dataAddress("jpeg", drawTestImage(t, "jpeg", 64, 32, red)))
	for format, read := range pictureReaders {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			doc, err := Parse(t.Context(), format, Content{HTML: source})
			if err != nil {
				t.Fatal(err)
			}
			doc.LoadImages(t.Context(), load)
			file, err := doc.Write(t.Context(), installedFonts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"https://example.com/gone.png"}, file.OmittedImages); diff != "" {
				t.Error(diff)
			}
			var sizes []image.Point
			for _, shown := range read(t, file.Data) {
				size := shown.Bounds().Size()
				sizes = append(sizes, size)
				if r, _, b, _ := shown.At(1, 1).RGBA(); r < 0xF000 || b > 0x1000 {
					t.Errorf("the left of %v is %v", size, shown.At(1, 1))
				}
				if r, _, b, _ := shown.At(size.X-2, 1).RGBA(); b < 0xF000 || r > 0x1000 {
					t.Errorf("the right of %v is %v", size, shown.At(size.X-2, 1))
				}
			}
			slices.SortFunc(sizes, func(a, b image.Point) int { return a.X - b.X })
			if diff := cmp.Diff([]image.Point{{30, 20}, {40, 10}, {64, 32}}, sizes); diff != "" {
				t.Error(diff)
			}
			text := normalizeText(formatReaders[string(format)](t, file.Data))
			for _, want := range []string{"Before", "ahead", "after", "cell", "two", "thelost<one>"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in %q", want, text)
				}
			}
		})
	}
}

// TestImages_transparent checks that a PDF keeps transparent pixels, and that pdfium and poppler
// can read a file with its mask.
func TestImages_transparent(t *testing.T) {
	t.Parallel()
	data := drawTestImage(t, "png", 10, 10, color.NRGBA{R: 255, A: 128})
	file, err := makeFile(t.Context(), PDF, Content{HTML: `text <img src="` + dataAddress("png", data) + `">`},
		installedFonts)
	if err != nil {
		t.Fatal(err)
	}
	if shown := readPDFPictures(t, file.Data); len(shown) != 2 { // the image and its mask
		t.Errorf("%d images", len(shown))
	}
	if got := normalizeText(readPDF(t, file.Data)); got != "text" {
		t.Errorf("the text is %q", got)
	}
}

// TestImages_omitted checks images that no file can have; each format keeps the alternative text
// and names the image.
func TestImages_omitted(t *testing.T) {
	t.Parallel()
	whole := drawTestImage(t, "png", 400, 400, red)
	for name, address := range map[string]string{
		"no image": "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("text")),
		"vector":   "data:image/svg+xml,%3Csvg%20onload%3D%22alert(1)%22%2F%3E", "base64": "data:image/png;base64,*",
		"remote": "http://example.com/x.png",
		"wide":   dataAddress("gif", []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00")), "scheme": "ftp://example.com/x.png",
		"none": "",
	} {
		for format := range formatWriters {
			file, err := makeFile(t.Context(), format,
				Content{HTML: `<p><img src="` + address + `" alt="the text"></p>`}, installedFonts)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, format, err)
			}
			want := address
			if name == "scheme" || name == "none" {
				want = "the text"
			}
			if diff := cmp.Diff([]string{want}, file.OmittedImages); diff != "" {
				t.Errorf("%s, %s: %s", name, format, diff)
			}
			if got := normalizeText(formatReaders[string(format)](t, file.Data)); got != "thetext" {
				t.Errorf("%s, %s: the text is %q", name, format, got)
			}
		}
	}
	broken := Content{HTML: `<p><img src="` + dataAddress("png", whole[:len(whole)/2]) + `" alt="the text"></p>`}
	file, err := makeFile(t.Context(), PDF, broken, installedFonts)
	if err != nil || len(file.OmittedImages) != 1 || normalizeText(readPDF(t, file.Data)) != "thetext" {
		t.Errorf("half an image: %d omitted, %v", len(file.OmittedImages), err)
	}
}

// TestImages_limits checks the limits of number, bytes, pixels and time.
func TestImages_limits(t *testing.T) {
	t.Parallel()
	small := drawTestImage(t, "png", 4, 4, red)
	large := append(bytes.Clone(small), make([]byte, maxRemoteBytes)...)
	fifth := append(bytes.Clone(small), make([]byte, maxRemoteBytes-len(small))...)
	omitted := func(count int, load LoadFunc) int {
		var source strings.Builder
		for i := range count {
			fmt.Fprintf(&source, `<img src="https://example.com/%d.png">`, i)
		}
		doc, err := Parse(t.Context(), HTML, Content{HTML: source.String()})
		if err != nil {
			t.Fatal(err)
		}
		doc.LoadImages(t.Context(), load)
		file, err := doc.Write(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(file.OmittedImages)
	}
	answer := func(data []byte) LoadFunc {
		return func(context.Context, string, int64) ([]byte, error) { return data, nil }
	}
	if got := omitted(maxRemoteImages+3, answer(small)); got != 3 {
		t.Errorf("%d of %d images omitted", got, maxRemoteImages+3)
	}
	if got := omitted(1, answer(large)); got != 1 {
		t.Error("an image over the limit is in the file")
	}
	if got := omitted(6, answer(fifth)); got != 2 {
		t.Errorf("%d of 6 images of %d bytes omitted", got, maxRemoteBytes)
	}
	deadline := func(ctx context.Context, _ string, _ int64) ([]byte, error) {
		if at, ok := ctx.Deadline(); !ok || time.Until(at) > maxLoadTime {
			t.Error("a load has no deadline")
		}
		return nil, errors.New("too late")
	}
	if got := omitted(1, deadline); got != 1 {
		t.Errorf("%d images omitted", got)
	}
	pixels := maxPixels
	sheet := &picture{data: drawTestImage(t, "png", 4000, 4000, red)}
	for i := range 5 {
		if got := sheet.read(&pixels); got != (i < 4) {
			t.Errorf("image %d of 16 million pixels: %v", i, got)
		}
	}
}
