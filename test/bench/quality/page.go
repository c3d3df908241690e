// Package quality holds pages whose body text was labeled by a reader, and scores a text extraction
// against them.
package quality

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/tools/txtar"

	"rostrum/model"
)

// The two splits. Authors of an extractor may read Tune; Hold is only used for scoring.
const (
	Tune = "tune"
	Hold = "hold"
)

// Label is a careful reader's description of a page.
type Label struct {
	// Kind is the sort of page, such as news, forum or trap-paywall.
	Kind string `json:"kind"`
	// Language is a BCP-47 primary subtag.
	Language string `json:"language"`
	// Title, Author and Published (YYYY-MM-DD) are empty where the page does not contain them, and
	// are then not scored.
	Title     string `json:"title,omitempty"`
	Author    string `json:"author,omitempty"`
	Published string `json:"published,omitempty"`
	// Reason is the reason why the page has no text; empty means that the body text must be found.
	Reason model.ProcessingErrorCode `json:"reason"`
	// Split is Tune or Hold, and always equals SplitOf for the name.
	Split string `json:"split"`
	// URL is the address that the page claims to be fetched from.
	URL string `json:"url"`
	// MediaType is its Content-Type header, including parameters; empty means that none was sent.
	MediaType string `json:"media_type,omitempty"`
	// Charset is the encoding of the served bytes (a WHATWG name); empty means UTF-8.
	Charset string `json:"charset,omitempty"`
}

// Page is one labeled page.
type Page struct {
	Label
	// Name is the file's name without its suffix.
	Name string
	// Raw is the page as a server would send it, in the label's charset.
	Raw []byte
	// Want is the expected body text; empty exactly when Reason is set.
	Want string
}

// SplitOf assigns about a third of all names to Tune. The result depends on the name alone and
// never changes.
func SplitOf(name string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	if sum.Sum32()%3 == 0 {
		return Tune
	}
	return Hold
}

// Load reads every *.txtar at the root of files, in the order of their names.
func Load(files fs.FS) ([]Page, error) {
	names, err := fs.Glob(files, "*.txtar")
	if err != nil {
		return nil, fmt.Errorf("list the pages: %w", err)
	}
	pages := make([]Page, 0, len(names))
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		page, err := parse(txtar.Parse(text))
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		page.Name = strings.TrimSuffix(path.Base(name), ".txtar")
		pages = append(pages, page)
	}
	return pages, nil
}

// Select returns the pages of one split; "all" selects every page.
func Select(pages []Page, split string) []Page {
	var kept []Page
	for _, page := range pages {
		if split == "all" || page.Split == split {
			kept = append(kept, page)
		}
	}
	return kept
}

func parse(archive *txtar.Archive) (Page, error) {
	var page Page
	for _, file := range archive.Files {
		var err error
		switch file.Name {
		case "label.json":
			err = json.Unmarshal(file.Data, &page.Label)
		case "body.txt":
			page.Want = strings.TrimSpace(string(file.Data))
		case "page.html":
			page.Raw = file.Data
		case "page.b64":
			page.Raw, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(file.Data)), ""))
		default:
			err = fmt.Errorf("tit is not an expected file")
		}
		if err != nil {
			return Page{}, fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return page, encode(&page)
}

// encode converts the stored UTF-8 to the bytes of the labeled charset.
func encode(page *Page) error {
	if page.Charset == "" {
		return nil
	}
	encoding, _ := charset.Lookup(page.Charset)
	if encoding == nil {
		return fmt.Errorf("charset %q is unknown", page.Charset)
	}
	raw, err := encoding.NewEncoder().Bytes(page.Raw)
	if err != nil {
		return fmt.Errorf("encode as %s: %w", page.Charset, err)
	}
	page.Raw = raw
	return nil
}
