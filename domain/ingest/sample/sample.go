package sample

import "embed"

//go:embed files
var files embed.FS

// File is a sample: its name, its media type and the provenance of its medium.
type File struct {
	Name       string // of the file, without a folder
	MediaType  string
	Provenance string // owned or earned
}

// Files lists the samples in the order in which they are ingested.
var Files = []File{
	{"tidewall-first-array.html", "text/html; charset=utf-8", "owned"},
	{"sound-of-doubt.html", "text/html; charset=utf-8", "earned"},
	{"tidewall-half-year-report.pdf", "application/pdf", "owned"},
	{"harbour-day-speech.txt", "text/plain; charset=utf-8", "owned"},
	{"community-charter.md", "text/markdown; charset=utf-8", "owned"},
}

// Read returns a sample's bytes.
func (f File) Read() ([]byte, error) { return files.ReadFile("files/" + f.Name) }
