package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"rostrum/model"
)

// Limits of the files in an archive or a mail.
const (
	// MaxPacked is the largest number of files.
	MaxPacked = 200
	// MaxUnpacked is the size of all files together in bytes.
	MaxUnpacked = 100_000_000
	// MaxFile is the size of one file in bytes.
	MaxFile = 50_000_000
	// packedName is the longest name in bytes.
	packedName = 1000
)

// Archive and Mail are the kinds of DetectType whose sources have further files (Unpack).
const (
	Archive = "archive"
	Mail    = "email"
)

// PackedFile is a file in an archive, or attached to a mail.
type PackedFile struct {
	Name    string // with the folders of the archive
	Body    []byte
	Hidden  bool     // of the system that packed the archive, such as __MACOSX; it has no body
	Failure *Failure // why it has no body; nil if it has one
}

// Unpack returns the files of an archive, or the attachments of a mail, in their order. It reads
// them in a child process. Its errors are those of Text: too_large for an archive that unpacks to
// more than MaxUnpacked, whatever it declares, or has more than MaxPacked files.
func (x *Extractor) Unpack(ctx context.Context, source Source) ([]PackedFile, error) {
	output, err := x.runTask(ctx, fileTask{Source: source, Unpack: true})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, asFailure(err)
	}
	return output.Packed, nil
}

func unpackFile(source Source) (*taskOutput, error) {
	read := unpackArchive
	if detectFormat(source).kind == Mail {
		read = unpackMail
	}
	files, err := read(source.Body)
	return &taskOutput{Packed: files}, err
}

// packer collects files within the limits.
type packer struct {
	files []PackedFile
	left  int // bytes that may still be unpacked
}

func tooLarge(message string) *Failure { return newFailure(model.ProcessingErrorCodeTooLarge, message) }

var (
	errManyFiles = tooLarge("it has more than 200 files; send them in several archives")
	errUnpacked  = tooLarge("it unpacks to more than 100 MB; send its files in several archives")
	errPacked    = tooLarge("the file is over 50 MB")
)

// add adds a file. It returns an error if the whole archive exceeds a limit.
func (p *packer) add(file PackedFile) error {
	if len(p.files) == MaxPacked {
		return errManyFiles
	}
	if p.left -= len(file.Body); p.left < 0 {
		return errUnpacked
	}
	if file.Failure == nil && len(file.Body) > MaxFile {
		file.Body, file.Failure = nil, errPacked
	}
	file.Name = file.Name[:min(len(file.Name), packedName)]
	p.files = append(p.files, file)
	return nil
}

// unpackArchive returns the files of a ZIP.
func unpackArchive(body []byte) ([]PackedFile, error) {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, unsupportedContent("the ZIP is damaged and could not be opened", err)
	}
	declared := uint64(0)
	for _, entry := range archive.File {
		if declared += entry.UncompressedSize64; declared > MaxUnpacked {
			return nil, errUnpacked
		}
	}
	p := &packer{left: MaxUnpacked}
	for _, entry := range archive.File {
		if entry.FileInfo().IsDir() {
			continue
		}
		if err := p.add(p.unpackEntry(entry)); err != nil {
			return nil, err
		}
	}
	return p.files, nil
}

func (p *packer) unpackEntry(entry *zip.File) PackedFile {
	file := PackedFile{Name: entryName(entry)}
	if file.Hidden = isHiddenFile(file.Name); file.Hidden {
		return file
	}
	if entry.Flags&1 != 0 {
		file.Failure = unsupportedContent("the file is encrypted; unpack it and send it without a password", nil)
		return file
	}
	reader, err := entry.Open()
	if err == nil {
		file.Body, err = io.ReadAll(io.LimitReader(reader, int64(min(p.left, MaxFile))+1))
		err = errors.Join(err, reader.Close())
	}
	if err != nil {
		file.Body, file.Failure = nil, unsupportedContent("the file is damaged in the archive", err)
	}
	return file
}

// entryName returns the name of an entry as a relative path in UTF-8. Archives without a mark for
// UTF-8 are of code page 437 unless the name is valid UTF-8.
func entryName(entry *zip.File) string {
	name := entry.Name
	if clean := strings.ToValidUTF8(name, ""); clean != name {
		if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	name = path.Clean("/" + strings.ReplaceAll(cleanText(name), `\`, "/"))
	return strings.TrimPrefix(name, "/")
}

// isHiddenFile reports whether a system hides the file or keeps it for itself.
func isHiddenFile(name string) bool {
	parts := strings.Split(name, "/")
	base := parts[len(parts)-1]
	return base == "Thumbs.db" || base == "desktop.ini" || slices.ContainsFunc(parts, func(part string) bool {
		return part == "__MACOSX" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "~$")
	})
}
