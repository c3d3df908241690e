package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-pdf/fpdf"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"rostrum/llm"
	"rostrum/model"
	"rostrum/model/optional"
)

func extractText(t *testing.T, x *Extractor, source Source) *Result {
	t.Helper()
	result, err := x.Text(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestText_detects_the_type_from_bytes(t *testing.T) {
	t.Parallel()
	page := htmlPage("<title>Turbines</title>", "<article><h1>Turbines</h1>"+articleText+"</article>").Body
	for name, c := range map[string]struct {
		source Source
		want   string
	}{
		"page called PDF": {Source{Body: page, MediaType: "application/pdf",
			Declared: model.IngestContentTypePdf, Filename: "a.pdf"}, "webpage"},
		"text": {Source{Body: []byte("Just a line.\n\nAnd another."), MediaType: "text/plain"},
			"text"},
		"Markdown by header": {Source{Body: []byte("Title\n\nText"), MediaType: "text/markdown"}, "markdown"},
		"Markdown by its content": {Source{Body: []byte("# Title\n\n- one\n- two\n\nSee [this](https://example.com).")},
			"markdown"},
		"text that mentions HTML": {Source{Body: []byte("In HTML, <b> is bold, said nobody."), MediaType: "text/plain"},
			"text"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := extractText(t, New(Config{}), c.source); got.ContentType != c.want {
				t.Errorf("got %s", got.ContentType)
			}
		})
	}
	for name, body := range map[string]string{"JSON": `{"a": [1, 2]}`, "zip": "PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"binary": "\x00\x01\x02\x03\xff\xfe", "svg": `<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>`,
		"damaged PDF": "%PDF-1.4\nnothing of the kind"} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, Source{Body: []byte(body)}, model.ProcessingErrorCodeUnsupportedContent)
		})
	}
	wantCode(t, Source{}, model.ProcessingErrorCodeNoText)
}

func TestText_charsets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		encoding encoding.Encoding
		text     string
	}{
		"windows-1252": {charmap.Windows1252, "Die Mühle am Fluss läuft wieder, sagte der Müller – „schöner“ als früher."},
		"koi8-r":       {charmap.KOI8R, "Турбины в проливе снова работают, сообщил вчера начальник порта."},
		"shift_jis":    {japanese.ShiftJIS, "海峡のタービンは再び動き始めたと、港の責任者が昨日発表した。"},
		"gbk":          {simplifiedchinese.GBK, "海峡里的涡轮机昨天重新开始转动，港口负责人这样宣布。"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, where := range []string{"meta", "header"} {
				page, media := "<html><head><title>T</title></head><body><article><p>"+strings.Repeat(c.text+" ", 5)+
					"</p></article></body></html>", "text/html; charset="+name
				if where == "meta" {
					page, media = strings.Replace(page, "<title>", `<meta charset="`+name+`"><title>`, 1), "text/html"
				}
				body, err := c.encoding.NewEncoder().String(page)
				if err != nil {
					t.Fatal(err)
				}
				if got := extractText(t, New(Config{}),
					Source{Body: []byte(body), MediaType: media}); !strings.Contains(got.Content, c.text) {
					t.Errorf("by %s: %s", where, got.Content)
				}
			}
		})
	}
}

func TestText_page_keeps_structure(t *testing.T) {
	t.Parallel()
	body := "<article><h1>Turbines</h1>" + articleText +
		"<h2>Numbers<br>and<br></h2><ul><li>Six machines</li><li>One cable</li></ul><table><tr><th>Year</th><th>MWh</th></tr><tr><td>2026</td><td>14</td></tr></table><pre><code>a := 1\n\tb := 2</code></pre><blockquote><p>The tide keeps its appointments.</p></blockquote><p>It ends with this sentence about the last machine in the sound.</p></article>"
	got := extractText(t, New(Config{}), htmlPage(
		`<title>Turbines | Example</title><meta property="og:site_name" content="Example">`, body))
	for _, want := range []string{"\n\n## Numbers and\n\n", "- Six machines\n- One cable", "Year | MWh\n2026 | 14",
		"a := 1\n\tb := 2", "The tide keeps its appointments."} {
		if !strings.Contains(got.Content, want) {
			t.Errorf("%q is missing in\n%s", want, got.Content)
		}
	}
	if got.Title != "Turbines" || got.Language != "en" || strings.HasPrefix(got.Content, "Turbines") {
		t.Errorf("title %q, language %q", got.Title, got.Language)
	}
}

func TestText_pdf(t *testing.T) {
	t.Parallel()
	doc := fpdf.New("P", "mm", "A4", "")
	doc.SetTitle("The quiet turbines", true)
	doc.SetHeaderFunc(func() {
		doc.SetFont("Helvetica", "", 8)
		doc.CellFormat(0, 6, "Skerra papers", "", 1, "R", false, 0, "")
		doc.Ln(8)
	})
	doc.SetFooterFunc(func() {
		doc.SetY(-15)
		doc.CellFormat(0, 6, fmt.Sprint(doc.PageNo()), "", 0, "C", false, 0, "")
	})
	for _, night := range []string{"first", "second", "third"} {
		doc.AddPage()
		doc.SetFont("Helvetica", "", 11)
		doc.MultiCell(0, 6, "In the "+night+" night it was calm. "+
			strings.Repeat("The engineers watched the cables of the "+night+" machine. ", 6), "", "L", false)
		doc.Ln(6)
		doc.MultiCell(60, 6, "The "+night+" harbour master was won-\nderfully calm on this "+night+" night.", "", "L",
			false)
	}
	var body bytes.Buffer
	if err := doc.Output(&body); err != nil {
		t.Fatal(err)
	}
	got := extractText(t, New(Config{}), Source{Body: body.Bytes(), Filename: "a.txt"})
	if got.ContentType != "pdf" || got.Title != "The quiet turbines" ||
		strings.Contains(got.Content, "Skerra papers") || got.Published == nil {
		t.Errorf("got %+v", got)
	}
	if paragraphs := strings.Split(got.Content, "\n\n"); len(paragraphs) != 6 ||
		paragraphs[1] != "The first harbour master was wonderfully calm on this first night." {
		t.Errorf("got %d paragraphs: %q", len(paragraphs), paragraphs)
	}
}

func TestText_pdf_without_text(t *testing.T) {
	t.Parallel()
	locked := fpdf.New("P", "mm", "A4", "")
	locked.SetProtection(0, "secret", "owner")
	empty := fpdf.New("P", "mm", "A4", "")
	scan := fpdf.New("P", "mm", "A4", "")
	scan.RegisterImageOptionsReader("scan", fpdf.ImageOptions{ImageType: "png"}, bytes.NewReader(drawPicture(t)))
	for _, doc := range []*fpdf.Fpdf{locked, empty, scan} {
		doc.AddPage()
	}
	scan.ImageOptions("scan", 10, 10, 100, 0, false, fpdf.ImageOptions{}, 0, "")
	for doc, code := range map[*fpdf.Fpdf]model.ProcessingErrorCode{locked: model.ProcessingErrorCodeNoText,
		empty: model.ProcessingErrorCodeNoText, scan: model.ProcessingErrorCodeNoOcr} {
		var body bytes.Buffer
		if err := doc.Output(&body); err != nil {
			t.Fatal(err)
		}
		wantCode(t, Source{Body: body.Bytes()}, code)
		if doc == scan {
			none := func() Recognizer { return nil }
			got := extractText(t, New(Config{Recognizer: fixedRecognizer("what the scan says"), FindRecognizer: none}),
				Source{Body: body.Bytes()})
			if got.Content != "what the scan says" {
				t.Errorf("got %q", got.Content)
			}
		}
	}
}

type fixedRecognizer string

func (r fixedRecognizer) Recognize(context.Context, []byte, string) (string, error) {
	return string(r), nil
}

func TestText_docx(t *testing.T) {
	t.Parallel()
	paragraph := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	document := `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` +
		paragraph("Heading1", "Charter") +
		paragraph("Normal", "What we promise.") + paragraph("ListBullet", "Counts") +
		paragraph("ListBullet", "Claims") +
		`<w:tbl><w:tr><w:tc>` + paragraph("", "Year") + `</w:tc><w:tc>` + paragraph("", "MWh") +
		`</w:tc></w:tr><w:tr><w:tc>` + paragraph("", "2026") + `</w:tc><w:tc>` + paragraph("", "14") +
		`</w:tc></w:tr></w:tbl>` +
		`<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>It</w:t><w:tab/><w:t>ends.</w:t></w:r></w:p></w:body></w:document>`
	core := `<cp:coreProperties xmlns:cp="a" xmlns:dc="b" xmlns:dcterms="c"><dc:title>The charter</dc:title><dc:creator>Ines Okafor</dc:creator><dcterms:created>2026-05-01T10:00:00Z</dcterms:created></cp:coreProperties>`
	got := extractText(t, New(Config{}), Source{Body: docxArchive(t, document, core)})
	want := "# Charter\n\nWhat we promise.\n\n- Counts\n- Claims\n\nYear | MWh\n2026 | 14\n\nIt\tends."
	if got.Content != want || got.Title != "The charter" || got.Author != "Ines Okafor" || got.Published == nil ||
		got.ContentType != "docx" {
		t.Errorf("got %+v", got)
	}
	// A dateline outranks the day on which the file was made, and a paragraph of the style Title its name.
	letter := `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` +
		paragraph("Normal", "Görlitz, 12. November 2026") + paragraph("Title", "Werk stellt ein") + `</w:body></w:document>`
	got = extractText(t, New(Config{}), Source{Body: docxArchive(t, letter, core)})
	if got.Title != "Werk stellt ein" || got.Published != nil {
		t.Errorf("%q of %v", got.Title, got.Published)
	}
	wantCode(t, Source{Body: docxArchive(t, strings.Repeat("<w:p>", 10000), core)},
		model.ProcessingErrorCodeUnsupportedContent)
	wantCode(t, Source{Body: docxArchive(t, strings.Repeat(" ", docxPart+1), core)},
		model.ProcessingErrorCodeUnsupportedContent)
}

func docxArchive(t *testing.T, document, core string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, part := range [][2]string{{"[Content_Types].xml", `<Types/>`}, {"_rels/.rels", `<Relationships/>`},
		{"docProps/core.xml", core}, {"word/document.xml", document}} {
		f, err := w.Create(part[0])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, part[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// drawPicture draws black bars on white, without text.
func drawPicture(t *testing.T) []byte {
	t.Helper()
	canvas := image.NewGray(image.Rect(0, 0, 200, 100))
	for i := range canvas.Pix {
		canvas.Pix[i] = 0xff
	}
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestText_tesseract(t *testing.T) {
	t.Parallel()
	tesseract := FindTesseract()
	if tesseract == nil {
		if os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
			t.Fatal("tesseract is required and is not on PATH")
		}
		fmt.Fprintln(os.Stderr, "\n*** SKIPPED: no tesseract on PATH, so text recognition is not tested ***")
		t.SkipNow()
	}
	doc := fpdf.New("L", "mm", "A5", "")
	doc.AddPage()
	doc.SetFont("Helvetica", "", 28)
	doc.MultiCell(0, 14, "The tide keeps its appointments", "", "L", false)
	var body bytes.Buffer
	if err := doc.Output(&body); err != nil {
		t.Fatal(err)
	}
	x := New(Config{Recognizer: fixedRecognizer("not asked"), FindRecognizer: func() Recognizer { return tesseract }})
	got := extractText(t, x, Source{Body: renderPage(t, body.Bytes())})
	if got.ContentType != "image" || !strings.Contains(got.Content, "The tide keeps its appointments") {
		t.Errorf("got %+v", got)
	}
	if _, err := x.Text(t.Context(), Source{Body: drawPicture(t)}); err.(*Failure).
		Code != model.ProcessingErrorCodeNoText {
		t.Errorf("an empty picture: %v", err)
	}
	if _, err := x.Text(t.Context(), Source{Body: drawPicture(t)[:60]}); err.(*Failure).
		Code != model.ProcessingErrorCodeUnsupportedContent {
		t.Errorf("a cut picture: %v", err)
	}
}

// renderPage renders the first page of a PDF.
func renderPage(t *testing.T, body []byte) []byte {
	t.Helper()
	pool, err := pdfEngine()
	if err != nil {
		t.Fatal(err)
	}
	instance, err := pool.GetInstanceWithContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	file, err := openPDF(instance, body)
	if err != nil {
		t.Fatal(err)
	}
	out, err := file.renderPage(0)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// newProvider starts a server that implements /chat/completions and /audio/transcriptions.
func newProvider(t *testing.T, status int) Provider {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer key" || status != http.StatusOK {
			w.WriteHeader(max(status, http.StatusUnauthorized))
			return
		}
		switch r.URL.Path {
		case "/v1/chat/completions":
			var ask struct {
				Model    string
				Messages []struct{ Content json.RawMessage }
			}
			if json.NewDecoder(r.Body).Decode(&ask) != nil ||
				!bytes.Contains(ask.Messages[0].Content, []byte("data:image/png;base64,")) {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			fmt.Fprintf(w, `{"id":"1","object":"chat.completion","model":%q,"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Read by %s"}}],"usage":{"prompt_tokens":8,"completion_tokens":2,"total_tokens":10}}`, ask.Model, ask.Model)
		case "/v1/audio/transcriptions":
			file, head, err := r.FormFile("file")
			if err != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			file.Close()
			fmt.Fprintf(w, `{"text":"Said in %s to %s.","usage":{"type":"tokens","input_tokens":9,"output_tokens":4,"total_tokens":13}}`, head.Filename, r.FormValue("model"))
		}
	}))
	t.Cleanup(server.Close)
	return Provider{BaseURL: server.URL + "/v1", Key: "key", Model: "m"}
}

func TestText_vision_and_transcription(t *testing.T) {
	t.Parallel()
	sound := append([]byte("RIFF\x24\x00\x00\x00WAVEfmt "), make([]byte, 40)...)
	var records []*model.ModelCall
	record := func(_ context.Context, call *model.ModelCall) { records = append(records, call) }
	p := newProvider(t, http.StatusOK)
	p.Record, p.Price = record, llm.Price{Prompt: new(1.0), Answer: new(2.0)}
	x := New(Config{Recognizer: NewVision(p), Transcriber: NewTranscription(p)})
	if got := extractText(t, x, Source{Body: drawPicture(t)}); got.Content != "Read by m" {
		t.Errorf("got %+v", got)
	}
	if got := extractText(t, x, Source{Body: sound,
		URL: "https://example.com/call.wav?x=1"}); got.Content != "Said in call.wav to m." ||
		got.ContentType != "audio" || got.Title != "call" {
		t.Errorf("got %+v", got)
	}
	down := newProvider(t, http.StatusServiceUnavailable)
	down.Record = record
	_, err := New(Config{Transcriber: NewTranscription(down)}).Text(t.Context(), Source{Body: sound})
	if failure := err.(*Failure); !failure.Retryable || failure.Code != model.ProcessingErrorCodeInternal {
		t.Errorf("a provider that is unavailable: %v", err)
	}
	var got []string
	for _, r := range records {
		got = append(got, fmt.Sprintf("%s %s %s %d %d %v %s", r.Task, r.Provider, r.Model, r.PromptTokens,
			r.AnswerTokens, optional.ValueOr(r.CostNanos, -1), r.Outcome))
	}
	want := []string{
		"ingest.vision 127.0.0.1 m 8 2 12000 ok", "ingest.transcription 127.0.0.1 m 9 4 17000 ok",
		"ingest.transcription 127.0.0.1 m 0 0 -1 failed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the records are %q", got)
	}
	wantCode(t, Source{Body: sound}, model.ProcessingErrorCodeNoTranscriber)
	wantCode(t, Source{Body: drawPicture(t)}, model.ProcessingErrorCodeNoOcr)
}

func TestText_returns_the_cause_of_a_canceled_context(t *testing.T) {
	t.Parallel()
	canceled := errors.New("canceled by a user")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(canceled)
	x := New(Config{HTTP: &http.Client{}})
	if _, err := x.Text(ctx, Source{URL: "https://youtu.be/abcdefghijk"}); !errors.Is(err, canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"<html><body><table><tr><td><p>a<br><br>b", "# a\n```", "%PDF-1.7\n%%EOF",
		"PK\x03\x04", "\xff\xfea\x00", "{", "<?xml version='1.0'?><html xmlns='a'>",
		"<script type='application/ld+json'>[[[{]]]</script><p>x</p>"} {
		f.Add([]byte(seed), "text/html; charset=shift_jis")
	}
	f.Fuzz(func(t *testing.T, body []byte, media string) {
		result, err := New(Config{}).Text(context.Background(), Source{Body: body, MediaType: media})
		if (result == nil) == (err == nil) {
			t.Fatalf("got %v and %v", result, err)
		}
		if failure := (*Failure)(nil); err != nil &&
			(!errors.As(err, &failure) || strings.Contains(failure.Error(), "panic")) {
			t.Fatalf("got %v", err)
		}
	})
}
