package extract

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"rostrum/test/kit/hostile"
)

// TestText_time_is_linear reads files with many equal parts in two sizes. Pages are read without
// the extractors of the libraries, as very long pages are.
func TestText_time_is_linear(t *testing.T) {
	t.Parallel()
	for _, page := range hostile.Pages {
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			hostile.CheckGrowth(t, 250, func(size int) func() {
				doc, err := html.Parse(bytes.NewReader(page.Make(size)))
				if err != nil {
					t.Fatal(err)
				}
				return func() { readLongPage(doc) }
			})
		})
	}
	for _, file := range hostile.Documents {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			hostile.CheckGrowth(t, 5000, func(size int) func() {
				body := file.Make(size)
				return func() {
					if _, err := extractDOCX(body); err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}

// TestText_time_of_files reads files of the other formats in two sizes, as a file is read.
func TestText_time_of_files(t *testing.T) {
	t.Parallel()
	for _, file := range hostile.Files {
		if file.Suffix == ".zip" { // no text of its own
			continue
		}
		t.Run(file.Name+file.Suffix, func(t *testing.T) {
			t.Parallel()
			hostile.CheckGrowth(t, 4000, func(size int) func() {
				source := Source{Body: file.Make(size), Filename: "file" + file.Suffix}
				return func() {
					_, err := (&Extractor{tasks: localRunner{}}).Text(t.Context(), source)
					if _, isRefusal := errors.AsType[*Failure](err); err != nil && !isRefusal {
						t.Errorf("%d: %v", size, err)
					}
				}
			})
		})
	}
}

// TestText_long_table reads a table of 60 KB, 250 KB and 1 MB as a file is read, in this process,
// whose time is measured. The extractors of the libraries, whose time may grow with the square of a
// page's length, read only the first.
func TestText_long_table(t *testing.T) {
	t.Parallel()
	const rows = 5000 // have 250 KB
	for _, size := range []int{rows / hostile.GrowthFactor, rows} {
		hostile.CheckGrowth(t, size, func(size int) func() {
			source := Source{Body: hostile.Pages[0].Make(size), MediaType: "text/html"}
			doc, err := html.Parse(bytes.NewReader(source.Body))
			if err != nil || tooLong(segmentBlocks(doc)) != (size >= rows) {
				t.Errorf("a table of %d rows is read by the extractors, or one of fewer rows is not: %v", size, err)
			}
			return func() {
				got, err := (&Extractor{tasks: localRunner{}}).Text(t.Context(), source)
				if err != nil || !strings.Contains(got.Content, fmt.Sprintf("Item %d ", size-1)) {
					t.Errorf("%d rows: %v", size, err)
				}
			}
		})
	}
}

// TestStandardLimits checks the limits that SECURITY.md lists, which are multiplied for the race
// detector.
func TestStandardLimits(t *testing.T) {
	t.Parallel()
	want := taskLimits{Memory: 1 << 30 * raceMemory, CPU: 30 * time.Second * raceFactor,
		Wall: 2 * time.Minute * raceFactor}
	if standardLimits != want {
		t.Errorf("a file may take %+v, want %+v", standardLimits, want)
	}
	if p := sharedPool(); p.limits != standardLimits {
		t.Errorf("the program's processes have the limits %+v", p.limits)
	}
}

func readLongPage(doc *html.Node) {
	openAccordions(doc)
	h := readHead(doc)
	title := h.bestTitle(h.firstProperty("og:site_name"), "example.com")
	shown, nodes := segmentBlocks(doc), newNodeFacts()
	chosen := countVotes(shown, linkFreeCandidate(shown), nodes).electBlocks(title)
	p := &wallDetector{doc: doc, title: h.title, shown: shown, chosen: chosen,
		facts: collectFacts(doc, h.objects, nodes), nodes: nodes}
	_ = p.detectWall()
	p.withoutConsent()
	renderBlocks(p.chosen)
}
