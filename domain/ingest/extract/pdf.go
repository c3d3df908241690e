package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"rostrum/model"
)

const (
	pdfWorkers    = 4    // PDFs processed concurrently; others wait
	pdfPages      = 2000 // maximum number of pages of a document
	scannedPages  = 30   // maximum number of recognized pages of a scanned document
	scannedDPI    = 200
	scannedPixels = 20_000_000 // maximum size of a rendered page
)

// pdfEngine starts pdfium once, with the first PDF. It returns an error if pdfium cannot start.
var pdfEngine = sync.OnceValues(func() (pdfium.Pool, error) {
	return webassembly.Init(webassembly.Config{MaxIdle: pdfWorkers, MaxTotal: pdfWorkers,
		RuntimeConfig: runtimeConfig()})
})

// runtimeConfig caches pdfium's compiled form in the user's cache folder, because compilation takes
// two seconds. Without such a folder every process compiles it.
func runtimeConfig() wazero.RuntimeConfig {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	folder, err := os.UserCacheDir()
	if err != nil {
		return config
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(folder, "rostrum"))
	if err != nil {
		return config
	}
	return config.WithCompilationCache(cache)
}

// pdfFile is an open PDF.
type pdfFile struct {
	pdfium.Pdfium
	document references.FPDF_DOCUMENT
	pages    int
	form     references.FPDF_FORMHANDLE // empty if the document has no form
}

// withPDF opens a PDF for a func. The PDF is closed when the func returns.
func withPDF(ctx context.Context, body []byte, read func(*pdfFile) (*taskOutput, error)) (*taskOutput, error) {
	pool, err := pdfEngine()
	if err != nil {
		return nil, retryableFailure("the PDF engine did not start; try again", err)
	}
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, retryableFailure("the PDF engine is busy; try again", err)
	}
	defer instance.Close()
	file, err := openPDF(instance, body)
	if err != nil {
		return nil, err
	}
	return read(file)
}

// readPDF returns the text of a PDF, or the number of its pages if it has images and no text.
func readPDF(ctx context.Context, body []byte) (*taskOutput, error) {
	return withPDF(ctx, body, func(file *pdfFile) (*taskOutput, error) { return file.readText(ctx) })
}

// drawPage returns a page of a PDF, counted from 0, as PNG.
func drawPage(ctx context.Context, body []byte, page int) (*taskOutput, error) {
	return withPDF(ctx, body, func(file *pdfFile) (*taskOutput, error) {
		picture, err := file.renderPage(page)
		if err != nil {
			return nil, unsupportedContent("the PDF's pages could not be drawn", err)
		}
		return &taskOutput{Picture: picture}, nil
	})
}

func (f *pdfFile) readText(ctx context.Context) (*taskOutput, error) {
	var err error
	f.openForm()
	defer f.closeForm()
	pages := make([][]textLine, f.pages)
	for i := range pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if pages[i], err = f.readLines(i); err != nil {
			return nil, unsupportedContent(fmt.Sprintf("page %d of the PDF could not be read", i+1), err)
		}
		pages[i] = f.addNotes(i, pages[i])
	}
	typed := slices.ContainsFunc(slices.Concat(pages...), func(line textLine) bool {
		return !line.note && keyOf(line.text) != ""
	})
	text := joinPages(pages)
	output := &taskOutput{Result: f.buildResult(text, pages)}
	if keyOf(text) == "" || !typed && f.hasImages() { // a scan is read with what is filled in
		if !f.hasImages() {
			return nil, newFailure(model.ProcessingErrorCodeNoText, "the PDF has no text; supply its text to go on")
		}
		output.Scanned = f.pages
	}
	return output, nil
}

func openPDF(instance pdfium.Pdfium, body []byte) (*pdfFile, error) {
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &body})
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return nil, &Failure{Code: model.ProcessingErrorCodeNoText,
			Message: "the PDF is encrypted; supply its text or a copy without password", Cause: err}
	case err != nil:
		return nil, unsupportedContent("the PDF is damaged and could not be opened", err)
	}
	count, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil || count.PageCount == 0 {
		return nil, unsupportedContent("the PDF has no pages", err)
	}
	return &pdfFile{Pdfium: instance, document: opened.Document, pages: min(count.PageCount, pdfPages)}, nil
}

func (f *pdfFile) pageRequest(i int) requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: f.document, Index: i}}
}

// readLines returns a page's lines with their positions. Lines have no position if the engine's
// indexes and its text differ.
func (f *pdfFile) readLines(i int) ([]textLine, error) {
	loaded, err := f.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: f.pageRequest(i)})
	if err != nil {
		return nil, err
	}
	defer f.FPDFText_ClosePage( //nolint:errcheck // the page was only read
		&requests.FPDFText_ClosePage{TextPage: loaded.TextPage})
	count, err := f.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: loaded.TextPage})
	if err != nil || count.Count <= 0 {
		return nil, err
	}
	got, err := f.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: loaded.TextPage, Count: count.Count})
	if err != nil {
		return nil, err
	}
	placed := len(utf16.Encode([]rune(got.Text))) == count.Count
	var lines []textLine
	at := 0
	for raw := range strings.SplitAfterSeq(got.Text, "\n") {
		size := len(utf16.Encode([]rune(raw)))
		line := newTextLine(raw)
		if line.text != "" && placed {
			f.locateLine(&line, loaded.TextPage, at, raw)
			if marked := f.markScripts(line, loaded.TextPage, at, raw); marked != raw {
				line.text = newTextLine(marked).text
			}
		}
		if line.text != "" {
			lines = append(lines, line)
		}
		at += size
	}
	return lines, nil
}

// locateLine sets a line's box from its first and last visible characters.
func (f *pdfFile) locateLine(line *textLine, page references.FPDF_TEXTPAGE, at int, raw string) {
	lead := len(utf16.Encode([]rune(raw[:len(raw)-len(strings.TrimLeft(raw, " \t"))])))
	body := len(utf16.Encode([]rune(strings.Trim(raw, " \t\r\n\x02"))))
	first, err1 := f.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: page, Index: at + lead})
	last, err2 := f.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: page, Index: at + lead + body - 1})
	size, err3 := f.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: page, Index: at + lead})
	if err1 != nil || err2 != nil || err3 != nil || size.FontSize <= 0 {
		return
	}
	line.placed, line.left, line.right, line.base, line.foot, line.size = true, first.Left, last.Right, first.Bottom,
		last.Bottom, size.FontSize
}

func (f *pdfFile) hasImages() bool {
	for i := range min(f.pages, scannedPages) {
		count, err := f.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: f.pageRequest(i)})
		if err != nil {
			continue
		}
		for j := range count.Count {
			object, err := f.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: f.pageRequest(i), Index: j})
			if err != nil {
				continue
			}
			kind, err := f.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object.PageObject})
			if err == nil && (kind.Type == enums.FPDF_PAGEOBJ_IMAGE || kind.Type == enums.FPDF_PAGEOBJ_FORM) {
				return true
			}
		}
	}
	return false
}

// renderPage renders a page as PNG. It lowers the resolution of unusually large pages to stay
// within scannedPixels.
func (f *pdfFile) renderPage(i int) ([]byte, error) {
	size, err := f.GetPageSize(&requests.GetPageSize{Page: f.pageRequest(i)})
	if err != nil {
		return nil, err
	}
	dpi := scannedDPI
	for dpi > 10 && size.Width/72*float64(dpi)*size.Height/72*float64(dpi) > scannedPixels {
		dpi /= 2
	}
	drawn, err := f.RenderPageInDPI(&requests.RenderPageInDPI{Page: f.pageRequest(i), DPI: dpi,
		RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT})
	if err != nil {
		return nil, err
	}
	defer drawn.Cleanup()
	var out bytes.Buffer
	err = png.Encode(&out, drawn.Result.RenderedImage)
	return out.Bytes(), err
}

// buildResult adds the PDF's metadata. It ignores a title that is a program's default.
func (f *pdfFile) buildResult(text string, pages [][]textLine) *Result {
	r := &Result{ContentType: "pdf", Content: text}
	meta, err := f.GetMetaData(&requests.GetMetaData{Document: f.document})
	if err == nil {
		for _, tag := range meta.Tags {
			switch tag.Tag {
			case "Title":
				r.Title = oneLine(cleanText(tag.Value))
			case "Author":
				r.Author = tag.Value
			case "CreationDate":
				r.Published = pdfDate(tag.Value)
			}
		}
	}
	if r.Title == "" || fileTitle.MatchString(r.Title) {
		r.Title = largestLine(pages, text)
	}
	return r
}

var fileTitle = regexp.MustCompile(`(?i)^(untitled|microsoft (word|powerpoint)\b.*|document\d*|.*\.(docx?|pdf|pptx?|indd|tex|dvi|odt|rtf|qxd))$`)

// pdfDate parses a date of ISO 32000, such as D:20260314093000+01'00'. It returns nil for other
// formats.
func pdfDate(value string) *time.Time {
	value = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(value, "D:"), "'"), "'", "")
	for _, layout := range []string{"20060102150405-0700", "20060102150405Z0000", "20060102150405Z", "20060102150405",
		"200601021504", "20060102"} {
		if t, err := time.Parse(layout, value); err == nil {
			return plausibleTime(t)
		}
	}
	return nil
}
