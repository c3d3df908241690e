package export

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	_ "image/gif" // formats of images
	_ "image/jpeg"
	"image/png"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	_ "golang.org/x/image/bmp" // formats that become PNG
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
	"golang.org/x/sync/errgroup"

	"rostrum/errs"
)

// The limits of a file's images. Images beyond them are omitted.
const (
	maxRemoteImages = 20
	maxRemoteBytes  = 5 << 20  // of one image
	maxImageBytes   = 20 << 20 // of all remote images
	maxLoadTime     = 10 * time.Second
	maxPixels       = 64_000_000 // of all images that are decoded
	maxSide         = 20_000     // pixels
	loadsAtOnce     = 4
)

// LoadFunc returns the body of an address, at most limit bytes of it.
type LoadFunc func(ctx context.Context, address string, limit int64) ([]byte, error)

// picture is an image of a document. Runs with the same address share it.
type picture struct {
	address       string
	name          string // in warnings
	data          []byte // nil if the image cannot be had
	kind          string // jpeg, png or gif
	color         image.Config
	width, height int
}

// media returns the image's media type.
func (p *picture) media() string { return "image/" + p.kind }

// dataURI returns the image as an address.
func (p *picture) dataURI() string {
	return "data:" + p.media() + ";base64," + base64.StdEncoding.EncodeToString(p.data)
}

// shownPicture returns the image that the run shows in place of its text, and nil if it shows the
// text.
func (r textRun) shownPicture() *picture {
	if r.picture == nil || r.picture.data == nil {
		return nil
	}
	return r.picture
}

// addPicture returns the image of an address, which the alternative text names if there is no
// address.
func (s *parseState) addPicture(address, alternative string) *picture {
	name := address
	if name == "" {
		name = alternative
	}
	if known := s.pictures[address]; known != nil && address != "" {
		return known
	}
	p := &picture{address: address, name: name}
	s.pictures[address] = p
	s.ordered = append(s.ordered, p)
	return p
}

// LoadImages loads the remote images of the document. An image that cannot be loaded, or that
// exceeds a limit of number, bytes or time, is omitted from the file. A text file has no images.
func (d *Document) LoadImages(ctx context.Context, load LoadFunc) {
	if d.format == Text {
		return
	}
	limited, cancel := context.WithTimeout(ctx, maxLoadTime)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(loadsAtOnce)
	budget := imageBudget{left: maxImageBytes}
	count := 0
	for _, p := range d.pictures {
		if !p.isRemote() {
			continue
		}
		if count++; count > maxRemoteImages {
			break
		}
		group.Go(errs.CatchPanic(func() error {
			body, err := load(limited, p.address, maxRemoteBytes+1)
			if err == nil && len(body) <= maxRemoteBytes && budget.take(len(body)) {
				p.data = body
			}
			return nil // the warning of the file names the image
		}))
	}
	if err := group.Wait(); err != nil { // a load panicked; its image is omitted
		slog.ErrorContext(ctx, "failed to load the images of a file", "error", err)
	}
}

// imageBudget is the number of bytes that are left for images.
type imageBudget struct {
	mutex sync.Mutex
	left  int
}

// take subtracts bytes and reports whether as many were left.
func (b *imageBudget) take(size int) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if size > b.left {
		return false
	}
	b.left -= size
	return true
}

func (p *picture) isRemote() bool {
	return strings.HasPrefix(p.address, "http://") || strings.HasPrefix(p.address, "https://")
}

// imageBytes returns the number of bytes of the document's images.
func (d *Document) imageBytes() (size int) {
	for _, p := range d.pictures {
		size += len(p.data)
	}
	return size
}

// readPictures reads the format and the size of every image, and converts those of other formats to
// PNG. It returns the names of the images that the file does not have.
func (d *Document) readPictures(ctx context.Context) (omitted []string, err error) {
	pixels := maxPixels
	for _, p := range d.pictures {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if p.data == nil && strings.HasPrefix(p.address, "data:") {
			p.data = decodeDataURI(p.address)
		}
		if d.format == Text || !p.read(&pixels) {
			p.data = nil
			omitted = append(omitted, p.name)
		}
	}
	return omitted, nil
}

// read reads the format and the size, and reports whether a file can have the image. Pixels that
// are decoded are taken from pixels.
func (p *picture) read(pixels *int) bool {
	config, kind, err := image.DecodeConfig(bytes.NewReader(p.data))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > maxSide || config.Height > maxSide {
		return false
	}
	p.kind, p.color, p.width, p.height = kind, config, config.Width, config.Height
	if kind == "jpeg" {
		return true
	}
	if *pixels -= config.Width * config.Height; *pixels < 0 {
		return false
	}
	if kind == "png" || kind == "gif" {
		return true
	}
	decoded, _, err := image.Decode(bytes.NewReader(p.data))
	if err != nil {
		return false
	}
	var out bytes.Buffer
	if err := png.Encode(&out, decoded); err != nil {
		return false
	}
	p.kind, p.data = "png", out.Bytes()
	return true
}

// decodeDataURI returns the bytes of a data: address (RFC 2397), and nil if they cannot be read.
func decodeDataURI(address string) []byte {
	head, body, _ := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	body, err := url.PathUnescape(body)
	if err != nil {
		return nil
	}
	if !strings.HasSuffix(head, ";base64") {
		return []byte(body)
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil {
		return nil
	}
	return data
}
