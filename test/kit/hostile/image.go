package hostile

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// Image returns a file of a few bytes that declares the size in pixels: of png, gif, gif frame (a
// frame larger than its GIF), jpeg, webp, bmp, tiff or tiff page (the second page of a TIFF). It
// returns nil for other kinds.
func Image(kind string, width, height int) []byte {
	w, h := uint32(width), uint32(height)
	switch kind {
	case "png":
		return pngFile(w, h)
	case "gif":
		return packed("GIF89a", uint16(w), uint16(h), [3]byte{}, byte(0x2C), [4]byte{}, uint16(1), uint16(1), byte(0),
			[4]byte{2, 1, 0, 0}, byte(0x3B))
	case "gif frame":
		return packed("GIF89a", uint16(1), uint16(1), [3]byte{}, byte(0x2C), [4]byte{}, uint16(w), uint16(h), byte(0),
			[4]byte{2, 1, 0, 0}, byte(0x3B))
	case "jpeg":
		return jpegFile(uint16(w), uint16(h))
	case "webp":
		return packed("RIFF", uint32(30), "WEBPVP8X", uint32(10), [4]byte{}, low24(w-1), low24(h-1), "VP8 ", uint32(0))
	case "bmp":
		return packed("BM", uint32(54), uint32(0), uint32(54), uint32(40), w, h, uint16(1), uint16(24), [24]byte{})
	case "tiff":
		return packed("II*\x00", uint32(8), tiffPage(w, h, 0))
	case "tiff page":
		first := tiffPage(1, 1, uint32(8+len(tiffPage(1, 1, 0))))
		return packed("II*\x00", uint32(8), first, tiffPage(w, h, 0))
	}
	return nil
}

// ImageKinds are the kinds of Image.
var ImageKinds = []string{"png", "gif", "gif frame", "jpeg", "webp", "bmp", "tiff", "tiff page"}

// packed joins texts, bytes and little-endian numbers.
func packed(parts ...any) []byte {
	var out bytes.Buffer
	for _, part := range parts {
		if text, ok := part.(string); ok {
			part = []byte(text)
		}
		if err := binary.Write(&out, binary.LittleEndian, part); err != nil {
			panic(err) // a type without a fixed size
		}
	}
	return out.Bytes()
}

func low24(n uint32) [3]byte { return [3]byte{byte(n), byte(n >> 8), byte(n >> 16)} }

func pngFile(width, height uint32) []byte {
	var header bytes.Buffer
	header.WriteString("IHDR")
	for _, n := range []uint32{width, height} {
		_ = binary.Write(&header, binary.BigEndian, n) // writing to a buffer cannot fail
	}
	header.Write([]byte{8, 2, 0, 0, 0})
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header.Bytes()...)
	return append(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(header.Bytes())),
		"\x00\x00\x00\x00IEND\xaeB`\x82"...)
}

func jpegFile(width, height uint16) []byte {
	out := []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xc0\x00\x0b\x08")
	out = binary.BigEndian.AppendUint16(out, height)
	out = binary.BigEndian.AppendUint16(out, width)
	return append(out, "\x01\x01\x11\x00\xff\xd9"...)
}

// tiffPage returns a directory with the size, in gray of 8 bits, and the position of the next directory.
func tiffPage(width, height, next uint32) []byte {
	entry := func(tag uint16, value uint32) []byte { return packed(tag, uint16(4), uint32(1), value) }
	return packed(uint16(5), entry(256, width), entry(257, height), entry(258, 8), entry(259, 1), entry(262, 1), next)
}
