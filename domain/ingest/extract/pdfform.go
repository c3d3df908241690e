package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// pdfNotes is the maximum number of form fields and notes of a page that are read.
const pdfNotes = 5000

// openForm prepares the document's form fields, if it has any. Scripts of the document are not run.
func (f *pdfFile) openForm() {
	kind, err := f.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: f.document})
	if err != nil || kind.FormType == enums.FPDF_FORMTYPE_NONE {
		return
	}
	form, err := f.FPDFDOC_InitFormFillEnvironment(&requests.FPDFDOC_InitFormFillEnvironment{Document: f.document,
		FormFillInfo: structs.FPDF_FORMFILLINFO{
			FFI_Invalidate:         func(references.FPDF_PAGE, float64, float64, float64, float64) {},
			FFI_SetCursor:          func(enums.FXCT) {},
			FFI_SetTimer:           func(int, func(int)) int { return 0 },
			FFI_KillTimer:          func(int) {},
			FFI_GetLocalTime:       func() structs.FPDF_SYSTEMTIME { return structs.FPDF_SYSTEMTIME{} },
			FFI_GetPage:            func(references.FPDF_DOCUMENT, int) *references.FPDF_PAGE { return nil },
			FFI_GetRotation:        func(references.FPDF_PAGE) enums.FPDF_PAGE_ROTATION { return 0 },
			FFI_ExecuteNamedAction: func(string) {},
		}})
	if err == nil {
		f.form = form.FormHandle
	}
}

func (f *pdfFile) closeForm() {
	if f.form != "" {
		_, _ = f.FPDFDOC_ExitFormFillEnvironment(
			&requests.FPDFDOC_ExitFormFillEnvironment{FormHandle: f.form})
	}
}

// addNotes adds what is filled into the page's form, and notes that are written on it, to its
// lines. Comments, which viewers show apart from the page, are left out.
func (f *pdfFile) addNotes(page int, lines []textLine) []textLine {
	count, err := f.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: f.pageRequest(page)})
	if err != nil || count.Count == 0 {
		return lines
	}
	var notes []textLine
	for i := range min(count.Count, pdfNotes) {
		got, err := f.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: f.pageRequest(page), Index: i})
		if err != nil {
			continue
		}
		if note, ok := f.readNote(got.Annotation); ok {
			notes = append(notes, note)
		}
		_, _ = f.FPDFPage_CloseAnnot(
			&requests.FPDFPage_CloseAnnot{Annotation: got.Annotation})
	}
	return insertNotes(lines, notes)
}

// readNote returns the text that a field or a note shows and its place. It returns false for hidden
// and empty ones.
func (f *pdfFile) readNote(note references.FPDF_ANNOTATION) (textLine, bool) {
	const hidden = enums.FPDF_ANNOT_FLAG_HIDDEN | enums.FPDF_ANNOT_FLAG_NOVIEW
	kind, err1 := f.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: note})
	flags, err2 := f.FPDFAnnot_GetFlags(&requests.FPDFAnnot_GetFlags{Annotation: note})
	if err1 != nil || err2 != nil || flags.Flags&hidden != 0 {
		return textLine{}, false
	}
	text := ""
	switch {
	case kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_FREETEXT:
		if got, err := f.FPDFAnnot_GetStringValue(
			&requests.FPDFAnnot_GetStringValue{Annotation: note, Key: "Contents"}); err == nil {
			text = got.Value
		}
	case kind.Subtype == enums.FPDF_ANNOT_SUBTYPE_WIDGET && f.form != "":
		text = f.fieldText(note)
	}
	rect, err := f.FPDFAnnot_GetRect(&requests.FPDFAnnot_GetRect{Annotation: note})
	if text = oneLine(cleanText(text)); err != nil || text == "" {
		return textLine{}, false
	}
	bottom, top := float64(rect.Rect.Bottom), float64(rect.Rect.Top)
	return textLine{text: text, note: true, placed: true, left: float64(rect.Rect.Left), right: float64(rect.Rect.Right),
		base: min(bottom, top), foot: min(bottom, top), size: max(bottom, top) - min(bottom, top)}, true
}

// passwordField is the flag of fields whose text viewers hide.
const passwordField = 1 << 13

// fieldText returns what a form field shows.
func (f *pdfFile) fieldText(field references.FPDF_ANNOTATION) string {
	kind, err := f.FPDFAnnot_GetFormFieldType(
		&requests.FPDFAnnot_GetFormFieldType{FormHandle: f.form, Annotation: field})
	if err != nil {
		return ""
	}
	switch kind.FormFieldType {
	case enums.FPDF_FORMFIELD_TYPE_CHECKBOX, enums.FPDF_FORMFIELD_TYPE_RADIOBUTTON:
		state, err := f.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: field, Key: "AS"})
		return checkMark(err == nil && state.Value != "" && state.Value != "Off")
	case enums.FPDF_FORMFIELD_TYPE_COMBOBOX, enums.FPDF_FORMFIELD_TYPE_LISTBOX:
		if chosen := f.chosenOptions(field); chosen != "" {
			return chosen
		}
	case enums.FPDF_FORMFIELD_TYPE_TEXTFIELD:
	default:
		return ""
	}
	flags, err := f.FPDFAnnot_GetFormFieldFlags(
		&requests.FPDFAnnot_GetFormFieldFlags{FormHandle: f.form, Annotation: field})
	if err == nil && flags.Flags&passwordField != 0 {
		return ""
	}
	value, err := f.FPDFAnnot_GetFormFieldValue(
		&requests.FPDFAnnot_GetFormFieldValue{FormHandle: f.form, Annotation: field})
	if err != nil {
		return ""
	}
	return value.FormFieldValue
}

// chosenOptions returns the chosen options of a list, with commas between them.
func (f *pdfFile) chosenOptions(field references.FPDF_ANNOTATION) string {
	count, err := f.FPDFAnnot_GetOptionCount(&requests.FPDFAnnot_GetOptionCount{FormHandle: f.form, Annotation: field})
	if err != nil {
		return ""
	}
	var chosen []string
	for i := range min(count.OptionCount, pdfNotes) {
		is, err := f.FPDFAnnot_IsOptionSelected(
			&requests.FPDFAnnot_IsOptionSelected{FormHandle: f.form, Annotation: field, Index: i})
		if err != nil || !is.IsOptionSelected {
			continue
		}
		label, err := f.FPDFAnnot_GetOptionLabel(
			&requests.FPDFAnnot_GetOptionLabel{FormHandle: f.form, Annotation: field, Index: i})
		if err == nil {
			chosen = append(chosen, label.OptionLabel)
		}
	}
	return strings.Join(chosen, ", ")
}

// insertNotes inserts notes from top to bottom: beside the text of their row, or else behind the row
// above them.
func insertNotes(lines, notes []textLine) []textLine {
	slices.SortStableFunc(notes, func(a, b textLine) int {
		if a.sharesRow(b) {
			return cmp.Compare(a.left, b.left)
		}
		return cmp.Compare(b.base, a.base)
	})
	before := make([][]textLine, len(lines)+1)
	for _, note := range notes {
		at, row := note.findPlace(lines)
		if row >= 0 { // goes on with the line
			note.base, note.foot, note.size = lines[row].base, lines[row].foot, lines[row].size
		}
		before[at] = append(before[at], note)
	}
	var out []textLine
	for i, line := range lines {
		out = append(append(out, before[i]...), line)
	}
	return append(out, before[len(lines)]...)
}

// sharesRow reports whether the middle of a line is on the row of a note, whose base is the bottom
// of its box.
func (n textLine) sharesRow(line textLine) bool {
	middle := line.base + line.size/3
	return middle > n.base && middle < n.base+n.size
}

// findPlace returns the index of the line in front of which a note belongs, and that of a line of
// its row, or -1.
func (n textLine) findPlace(lines []textLine) (at, row int) {
	left, right, above := -1, -1, -1
	for i, line := range lines {
		switch {
		case !line.placed:
		case n.sharesRow(line) && line.left <= n.left:
			if left < 0 || line.left >= lines[left].left {
				left = i
			}
		case n.sharesRow(line):
			if right < 0 || line.left < lines[right].left {
				right = i
			}
		case line.base >= n.base+n.size && (above < 0 || line.base <= lines[above].base):
			above = i
		}
	}
	switch {
	case left >= 0:
		return left + 1, left
	case right >= 0:
		return right, right
	}
	return above + 1, -1
}
