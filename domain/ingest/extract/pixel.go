package extract

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif" // formats whose size is known before recognition
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp" // formats of the extended image library
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"rostrum/model"
)

// imagePixels is the maximum number of pixels of an image, against files that expand to a multiple
// of their size.
const imagePixels = 100_000_000

// checkImage returns too_large for an image with too many pixels, and unsupported_content for an
// image of an unknown size.
func checkImage(body []byte, media string) error {
	size, format, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return unsupportedContent("images of type "+media+
			" are not read, or the image is damaged; send PNG, JPEG, GIF, WebP, TIFF or BMP", err)
	}
	pixels := int64(size.Width) * int64(size.Height)
	switch format {
	case "tiff":
		pixels = max(pixels, tiffPixels(body))
	case "gif":
		pixels = max(pixels, gifPixels(body))
	}
	if pixels > imagePixels {
		return newFailure(model.ProcessingErrorCodeTooLarge, "the image has too many pixels; send a smaller one")
	}
	return nil
}

const (
	tiffPages     = 1000
	tiffWidthTag  = 256
	tiffHeightTag = 257
	tiffShort     = 3 // type of 16 bits
)

// tiffPixels returns the pixels of the largest of a TIFF's pages. image.DecodeConfig reads only the
// first.
func tiffPixels(body []byte) int64 {
	if len(body) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if body[0] == 'M' {
		order = binary.BigEndian
	}
	largest, at := int64(0), uint64(order.Uint32(body[4:]))
	for page := 0; page < tiffPages && at >= 8 && at+2 <= uint64(len(body)); page++ {
		entries := body[at+2:]
		count := int(order.Uint16(body[at:]))
		if len(entries) < count*12+4 {
			break
		}
		var width, height int64
		for i := range count {
			switch entry := entries[i*12:]; order.Uint16(entry) {
			case tiffWidthTag:
				width = tiffValue(order, entry)
			case tiffHeightTag:
				height = tiffValue(order, entry)
			}
		}
		largest = max(largest, width*height)
		at = uint64(order.Uint32(entries[count*12:]))
	}
	return largest
}

// tiffValue returns the value of a directory entry of 12 bytes.
func tiffValue(order binary.ByteOrder, entry []byte) int64 {
	if order.Uint16(entry[2:]) == tiffShort {
		return int64(order.Uint16(entry[8:]))
	}
	return int64(order.Uint32(entry[8:]))
}

// gifPixels returns the pixels of the largest of a GIF's frames, which may exceed the file's
// declared size.
func gifPixels(body []byte) int64 {
	const header = 13
	if len(body) < header {
		return 0
	}
	largest, at := int64(0), header+gifColors(body[10])
	for at < len(body) {
		switch body[at] {
		case 0x21: // an extension: its label and blocks of data
			at = skipGIFBlocks(body, at+2)
		case 0x2C: // a frame: its position, size, colors, code size and blocks of data
			if len(body) < at+10 {
				return largest
			}
			size := func(i int) int64 { return int64(binary.LittleEndian.Uint16(body[at+i:])) }
			largest = max(largest, size(5)*size(7))
			at = skipGIFBlocks(body, at+10+gifColors(body[at+9])+1)
		default:
			return largest
		}
	}
	return largest
}

// gifColors returns the bytes of a color table by its flags.
func gifColors(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// skipGIFBlocks returns the position after blocks of data, which end with an empty block.
func skipGIFBlocks(body []byte, at int) int {
	for at < len(body) && body[at] != 0 {
		at += int(body[at]) + 1
	}
	return at + 1
}
