package extract

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Limits of spreadsheets and lists.
const (
	sheetRows = 100_000    // rows of all sheets
	sheetText = 20_000_000 // bytes of the text
	// sheetParts is the bytes of all unpacked parts of a spreadsheet.
	sheetParts = 128 << 20
)

var errSheetRows = tooLarge("the table has more than 100,000 rows or 20 MB of text; save the part that is of interest as a file of its own")

// sheetWriter writes rows as lines, with the gap between cells that tables of other formats have.
type sheetWriter struct {
	text strings.Builder
	rows int
}

// add adds a row. Rows without text are left out.
func (w *sheetWriter) add(cells []string) error {
	if w.rows++; w.rows > sheetRows || w.text.Len() > sheetText {
		return errSheetRows
	}
	clean := make([]string, len(cells))
	for i, cell := range cells {
		clean[i] = oneLine(cell)
	}
	if line := joinCells(clean); strings.TrimSpace(line) != "" {
		w.text.WriteString(line + "\n")
	}
	return nil
}

// extractSheet reads a spreadsheet (XLSX): the visible sheets in their order, each with its name as a
// heading, and the values of cells as they are shown. Formulas have the values that were stored.
func extractSheet(body []byte, filename string) (*Result, error) {
	book, err := excelize.OpenReader(bytes.NewReader(body), excelize.Options{
		ShortDatePattern: "yyyy-mm-dd",                              // Excel shows it as its reader's country does
		UnzipSizeLimit:   sheetParts, UnzipXMLSizeLimit: sheetParts, // with the same limit nothing is written to a disk
	})
	if err != nil {
		return nil, unsupportedContent("the XLSX is damaged, encrypted or too large and could not be opened", err)
	}
	defer book.Close()
	w := &sheetWriter{}
	for _, name := range book.GetSheetList() {
		if visible, err := book.GetSheetVisible(name); err != nil || !visible {
			continue
		}
		if err := w.addSheet(book, name); err != nil {
			return nil, err
		}
	}
	r := &Result{ContentType: "xlsx", Content: strings.TrimSpace(w.text.String()), Title: withoutExtension(filename)}
	if properties, err := book.GetDocProps(); err == nil {
		r.Author = properties.Creator
		if properties.Title != "" {
			r.Title = properties.Title
		}
	}
	return r, nil
}

func (w *sheetWriter) addSheet(book *excelize.File, name string) error {
	rows, err := book.Rows(name)
	if err != nil {
		return nil // a chart is a sheet without rows
	}
	defer rows.Close()
	w.text.WriteString("\n" + headingMark(2) + oneLine(name) + "\n\n")
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return unsupportedContent("a sheet of the XLSX could not be read", err)
		}
		if err := w.add(cells); err != nil {
			return err
		}
	}
	if err := rows.Error(); err != nil {
		return unsupportedContent("a sheet of the XLSX could not be read", err)
	}
	return nil
}

// extractCSV reads a list whose values are separated by commas, semicolons or tabs.
func extractCSV(source Source) (*Result, error) {
	text := decodeText(source.Body, source.MediaType, false)
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	reader.Comma, reader.FieldsPerRecord, reader.LazyQuotes, reader.ReuseRecord = separatorOf(text), -1, true, true
	w := &sheetWriter{}
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unsupportedContent("the CSV is malformed and could not be read", err)
		}
		if err := w.add(cells); err != nil {
			return nil, err
		}
	}
	return &Result{ContentType: "csv", Content: strings.TrimSpace(w.text.String()),
		Title: withoutExtension(source.baseName())}, nil
}

// separatorOf returns the separator that the first lines of a list have most of.
func separatorOf(text string) rune {
	start, best, most := text[:min(len(text), 4096)], ',', 0
	for _, separator := range ",;\t|" {
		if n := strings.Count(start, string(separator)); n > most {
			best, most = separator, n
		}
	}
	return best
}

func withoutExtension(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
