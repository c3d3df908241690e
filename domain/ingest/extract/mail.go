package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/mail"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/jhillyerd/enmime/v2"

	"rostrum/model"
)

// mailParser reads mails. A part that is malformed does not lose the others.
var mailParser = enmime.NewParser(enmime.SkipMalformedParts(true), enmime.MaxStoredPartErrors(10),
	enmime.DisableTextConversion(true))

func readMail(body []byte) (*enmime.Envelope, error) {
	if err := checkParts(body); err != nil {
		return nil, err
	}
	envelope, err := mailParser.ReadEnvelope(bytes.NewReader(body))
	if err != nil {
		return nil, unsupportedContent("the mail is malformed and could not be read", err)
	}
	if envelope.GetHeader("From") == "" && envelope.GetHeader("Subject") == "" && envelope.GetHeader("Date") == "" {
		return nil, unsupportedContent("the file is no mail: it has neither a sender nor a subject", nil)
	}
	return envelope, nil
}

// Limits of the parts of a mail.
const (
	// maxNestedParts is how deep they may be nested. Mail programs use about four levels; the parser's
	// time doubles with each level of parts that are not closed.
	maxNestedParts = 12
	// maxParts is the largest number of parts. The parser takes a third of a millisecond for each.
	maxParts = 1000
)

// multipartHeader matches the header of a part that has parts, with its boundary.
var multipartHeader = regexp.MustCompile(`(?i)content-type:\s*multipart/[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*`)

var boundaryParameter = regexp.MustCompile(`(?i)boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))`)

// checkParts refuses a mail whose parts are too many or nested too deeply. A part without its closing
// boundary goes on to the end.
func checkParts(body []byte) error {
	var ends []int // of the open parts, the innermost last
	parts := 0
	for _, at := range multipartHeader.FindAllIndex(body, -1) {
		for len(ends) > 0 && ends[len(ends)-1] <= at[0] {
			ends = ends[:len(ends)-1]
		}
		end := len(body)
		if m := boundaryParameter.FindSubmatch(body[at[0]:at[1]]); m != nil {
			opening := slices.Concat([]byte("\n--"), m[1], m[2])
			if found := bytes.Index(body[at[1]:], append(opening, "--"...)); found >= 0 {
				end = at[1] + found
			}
			parts += bytes.Count(body[at[1]:end], opening)
		}
		if ends = append(ends, end); len(ends) > maxNestedParts {
			return unsupportedContent(fmt.Sprintf("the parts of the mail are nested more than %d levels deep", maxNestedParts), nil)
		}
		if parts > maxParts {
			return tooLarge("the mail has more than 1,000 parts; send its attachments as files")
		}
	}
	return nil
}

// extractMail reads a mail (RFC 5322): its text as it is, or as that of a page if it has only HTML,
// with sender and recipients before it. Attachments are not read (unpackMail).
func extractMail(body []byte) (*Result, error) {
	envelope, err := readMail(body)
	if err != nil {
		return nil, err
	}
	text := envelope.Text
	for _, part := range envelope.OtherParts {
		if isUntypedText(part) && strings.TrimSpace(text) == "" {
			text = decodeText(part.Content, "", false)
		}
	}
	if strings.TrimSpace(text) == "" && envelope.HTML != "" {
		page, err := extractWebpage(Source{Body: []byte(envelope.HTML), MediaType: "text/html; charset=utf-8",
			Declared: model.IngestContentTypeWebpage, isOfMail: true})
		if err != nil {
			return nil, err
		}
		text = page.Content
	}
	if strings.TrimSpace(text) == "" {
		return nil, newFailure(model.ProcessingErrorCodeNoText, "the mail has no text; send its attachments as files")
	}
	subject := oneLine(envelope.GetHeader("Subject"))
	r := &Result{ContentType: Mail, Title: cmp.Or(subject, textTitle(text)), Author: senderName(envelope)}
	if date, err := envelope.Date(); err == nil {
		r.Published = &date
	}
	r.Content = joinParagraphLines(mailHead(envelope, subject), text)
	return r, nil
}

func joinParagraphLines(head, text string) string { return strings.TrimSpace(head + "\n\n" + text) }

// mailHead returns the lines that a mail program shows above a mail.
func mailHead(envelope *enmime.Envelope, subject string) string {
	var lines []string
	for _, name := range []string{"From", "To", "Cc"} {
		if value := oneLine(envelope.GetHeader(name)); value != "" {
			lines = append(lines, name+": "+truncateText(value, 1000))
		}
	}
	if subject != "" {
		lines = append(lines, "Subject: "+subject)
	}
	return strings.Join(lines, "\n")
}

// senderName returns the name of the person who sent a mail, or else the address.
func senderName(envelope *enmime.Envelope) string {
	list, err := envelope.AddressList("From")
	if err != nil || len(list) == 0 {
		return ""
	}
	return cmp.Or(nameOf(list[0]), list[0].Address)
}

func nameOf(address *mail.Address) string { return oneLine(strings.Trim(address.Name, `"' `)) }

// unpackMail returns the attachments of a mail. Pictures that stand in its text are left out.
func unpackMail(body []byte) ([]PackedFile, error) {
	envelope, err := readMail(body)
	if err != nil {
		return nil, err
	}
	p := &packer{left: MaxUnpacked}
	parts := append(envelope.Attachments, envelope.OtherParts...)
	for _, part := range envelope.Inlines {
		if !strings.HasPrefix(part.ContentType, "image/") {
			parts = append(parts, part)
		}
	}
	for _, part := range parts {
		if len(part.Content) == 0 || isUntypedText(part) {
			continue
		}
		if err := p.add(PackedFile{Name: attachmentName(part), Body: part.Content}); err != nil {
			return nil, err
		}
	}
	return p.files, nil
}

// attachmentName returns the name of an attachment. One without a name is named after its type.
func attachmentName(part *enmime.Part) string {
	_, parameters := disposition(part)
	name := path.Base(strings.ReplaceAll(cleanText(cmp.Or(part.FileName, parameters["filename"])), `\`, "/"))
	if name != "." && name != "/" {
		return name
	}
	if part.ContentType == "message/rfc822" {
		return "mail.eml"
	}
	extensions, _ := mime.ExtensionsByType(part.ContentType)
	return "attachment" + cmp.Or(append(extensions, "")...)
}

// disposition returns whether a part is an attachment, and its name. The library does not read them of
// a part without a type.
func disposition(part *enmime.Part) (kind string, parameters map[string]string) {
	kind, parameters, _ = mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	return kind, parameters
}

// isUntypedText reports whether a part without a type is a text, as RFC 2045 says, and no attachment.
func isUntypedText(part *enmime.Part) bool {
	kind, parameters := disposition(part)
	return part.ContentType == "" && kind != "attachment" && parameters["filename"] == ""
}
