package extract

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

const (
	// zipHeader is the length of the header of a file in a ZIP, without its name.
	zipHeader = 30
	// zipMembers is the number of files among which the one with the media type is looked for.
	zipMembers = 1000
	// zipMedia is the longest media type in bytes.
	zipMedia = 100
)

// zipFormat returns the format of a ZIP that mimetype takes for a plain one. OpenDocument and EPUB say
// in their file "mimetype" what they are, which is compressed or not the first if other programs
// packed them anew. A Word file whose parts have other names than usual is an Archive.
func zipFormat(body []byte, plain sourceFormat) sourceFormat {
	media := zipMediaType(body)
	found := mimetype.Lookup(media)
	if !strings.HasPrefix(media, "application/") || found == nil {
		plain.kind = Archive
		return plain
	}
	return sourceFormat{kind: officeKinds[media], media: media, extension: found.Extension()}
}

// zipMediaType returns what the file "mimetype" of a ZIP says, and "" without one. It reads the
// headers in front of the files, so the beginning of a ZIP is sufficient if that file is the first.
func zipMediaType(body []byte) string {
	for range zipMembers {
		if len(body) < zipHeader || !bytes.HasPrefix(body, []byte("PK\x03\x04")) {
			return ""
		}
		method := binary.LittleEndian.Uint16(body[8:])
		size := uint64(binary.LittleEndian.Uint32(body[18:]))
		nameEnd := zipHeader + int(binary.LittleEndian.Uint16(body[26:]))
		start := nameEnd + int(binary.LittleEndian.Uint16(body[28:]))
		if len(body) < start {
			return ""
		}
		if string(body[zipHeader:nameEnd]) == "mimetype" {
			return readMember(body[start:], method, size)
		}
		if uint64(len(body)-start) < size || body[6]&8 != 0 && size == 0 { // its size follows its bytes
			return ""
		}
		body = body[start+int(size):]
	}
	return ""
}

// readMember returns the text of a short file in a ZIP, at most zipMedia bytes of it.
func readMember(body []byte, method uint16, size uint64) string {
	stored := body[:min(uint64(len(body)), size)]
	if size == 0 { // it follows
		stored, _, _ = bytes.Cut(body[:min(len(body), zipMedia)], []byte("PK"))
	}
	reader := io.Reader(bytes.NewReader(stored))
	if method == 8 { // deflated; it knows its end
		reader = flate.NewReader(bytes.NewReader(body))
	}
	text, err := io.ReadAll(io.LimitReader(reader, zipMedia))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
