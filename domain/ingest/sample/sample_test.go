package sample_test

import (
	"strings"
	"testing"

	"rostrum/domain/ingest/extract"
	"rostrum/domain/ingest/sample"
)

// TestFiles checks that every sample is extracted as a document with a title, a text and the quoted
// executive.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, file := range sample.Files {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			body, err := file.Read()
			if err != nil {
				t.Fatal(err)
			}
			result, err := extract.New(extract.Config{}).
				Text(t.Context(), extract.Source{Body: body, MediaType: file.MediaType, Filename: file.Name})
			if err != nil {
				t.Fatal(err)
			}
			if result.Title == "" || extract.CountWords(result.Content) < 100 ||
				!strings.Contains(result.Content, "Tidewall") {
				t.Errorf("got %+v", result)
			}
			for _, frame := range []string{"cookies", "newsletter", "All rights reserved", "Ferry timetable",
				"light bill", "Page 2 of 3"} {
				if strings.Contains(result.Content, frame) {
					t.Errorf("%q is not part of the text:\n%s", frame, result.Content)
				}
			}
			a := extract.Attribution(result.Content, result.Meta)
			if strings.HasSuffix(file.Name, ".txt") {
				return // a speech in the first person contains no job title
			}
			if a.Executive != "Ines Okafor" || a.Company != "Tidewall" {
				t.Errorf("attributed to %q of %q", a.Executive, a.Company)
			}
		})
	}
}
