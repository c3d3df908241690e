package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/tidwall/gjson"
)

// wireStatements are the statements of a response that is copied from the protocol's bytes. They
// are independent and are sent as one batch: the auto-tags select their documents themselves, in
// the documents' order.
type wireStatements struct{ documents, withText, tags string }

const (
	oneDocument = ` FROM document WHERE workspace_id = $1 AND id = $2`
	onePage     = ` FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`
	countAll    = `SELECT count(*) FROM document WHERE workspace_id = $1`
	wiredTags   = `SELECT document_id, name, extracted_value, applied_at, confidence_score, tag_type FROM document_auto_tag AS a`
)

var (
	oneWired = wireStatements{
		documents: "SELECT " + lightColumns + oneDocument, withText: "SELECT " + lightColumns + ", content" +
			oneDocument,
		tags: wiredTags + ` WHERE workspace_id = $1 AND document_id = $2 ORDER BY applied_at, id`,
	}
	listWired = wireStatements{
		documents: "SELECT " + lightColumns + onePage, withText: "SELECT " + lightColumns + ", content" + onePage,
		tags: wiredTags + ` JOIN (SELECT id, created_at` + onePage + `) AS d ON a.workspace_id = $1 AND a.document_id = d.id
 ORDER BY d.created_at DESC, d.id DESC, applied_at, a.id`,
	}
)

// wireAnswer builds a response.
type wireAnswer struct {
	text []byte
	tags []byte // comma-separated objects, those of all documents in sequence
	runs []tagRange
	raw  error
}

// tagRange is the range of a document's auto-tags in tags.
type tagRange struct {
	document    []byte
	first, last int
}

var wireAnswers = sync.Pool{New: func() any { return new(wireAnswer) }}

// wire responds with the bytes of pgx's rows, appended to JSON without structs.
func (h handWritten) wire(w http.ResponseWriter, r *http.Request, s wireStatements, page int, args ...any) {
	a := wireAnswers.Get().(*wireAnswer)
	defer wireAnswers.Put(a)
	a.text, a.tags, a.runs, a.raw = a.text[:0], a.tags[:0], a.runs[:0], nil
	query, batch := r.URL.Query(), &pgx.Batch{}
	tags, documents := query.Has("tags"), s.documents
	if query.Has("text") {
		documents = s.withText
	}
	if tags {
		batch.Queue(s.tags, args...).Query(a.readTags)
	}
	batch.Queue(documents, args...).Query(func(rows pgx.Rows) error { return a.readDocuments(rows, page == 0, tags) })
	if query.Has("total") {
		batch.Queue(countAll, args[0]).QueryRow(func(row pgx.Row) error { return a.readTotal(row, page) })
	}
	if err := h.pool.SendBatch(r.Context(), batch).Close(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	a.text = append(a.text, '}')
	answerText(w, a.text)
}

// readTags stores the auto-tags until all documents are read.
func (a *wireAnswer) readTags(rows pgx.Rows) error {
	fields := rows.FieldDescriptions()
	for rows.Next() {
		raw := rows.RawValues()
		n := len(a.runs)
		if n > 0 && bytes.Equal(a.runs[n-1].document, raw[0]) {
			n--
			a.tags = append(a.tags, ',')
		} else {
			a.runs = slices.Grow(a.runs, 1)[:n+1] // reuses the buffer of an earlier response
			a.runs[n].document, a.runs[n].first = append(a.runs[n].document[:0], raw[0]...), len(a.tags)
		}
		a.tags = append(a.object(a.tags, fields[1:], raw[1:]), '}')
		a.runs[n].last = len(a.tags)
	}
	return a.raw
}

func (a *wireAnswer) readDocuments(rows pgx.Rows, one, tags bool) error {
	opening := `{"documents":[`
	if one {
		opening = `{"document":`
	}
	a.text = append(a.text, opening...)
	fields, next := rows.FieldDescriptions(), 0
	for n := 0; rows.Next(); n++ {
		if n > 0 {
			a.text = append(a.text, ',')
		}
		raw := rows.RawValues()
		a.text = a.object(a.text, fields, raw)
		if tags {
			a.text = append(a.text, `,"auto_tags":[`...)
			if next < len(a.runs) && bytes.Equal(a.runs[next].document, raw[0]) {
				a.text = append(a.text, a.tags[a.runs[next].first:a.runs[next].last]...)
				next++
			}
			a.text = append(a.text, ']')
		}
		a.text = append(a.text, '}')
	}
	if !one {
		a.text = append(a.text, ']')
	}
	return a.raw
}

func (a *wireAnswer) readTotal(row pgx.Row, page int) error {
	var total int
	if err := row.Scan(&total); err != nil {
		return err
	}
	a.text = fmt.Appendf(a.text, `,"pagination":{"page":%d,"per_page":%d,"total_count":%d,"total_pages":%d}`, page,
		listSize, total, (total+listSize-1)/listSize)
	return nil
}

// object appends a row as an object without its closing brace.
func (a *wireAnswer) object(text []byte, fields []pgconn.FieldDescription, raw [][]byte) []byte {
	for i := range fields {
		mark := byte(',')
		if i == 0 {
			mark = '{'
		}
		text = append(append(append(text, mark, '"'), fields[i].Name...), '"', ':')
		text = a.value(text, &fields[i], raw[i])
	}
	return text
}

// sinceUnix is the offset of Postgres's time epoch from the Unix epoch, in microseconds.
var sinceUnix = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// value appends a column in the format that pgx requests for its type.
func (a *wireAnswer) value(text []byte, field *pgconn.FieldDescription, raw []byte) []byte {
	if raw == nil {
		return append(text, "null"...)
	}
	switch {
	case field.DataTypeOID == pgtype.TextOID:
		return appendQuoted(text, raw)
	case field.DataTypeOID == pgtype.JSONBOID && field.Format == pgtype.TextFormatCode:
		return append(text, raw...)
	case field.Format != pgtype.BinaryFormatCode:
	case field.DataTypeOID == pgtype.TimestamptzOID:
		at := time.UnixMicro(int64(binary.BigEndian.Uint64(raw)) + sinceUnix).UTC() //nolint:gosec // the wire's bits are signed
		return append(at.AppendFormat(append(text, '"'), time.RFC3339Nano), '"')
	case field.DataTypeOID == pgtype.Int4OID:
		return strconv.AppendInt(text, int64(int32(binary.BigEndian.Uint32(raw))), 10) //nolint:gosec // the wire's bits are signed
	case field.DataTypeOID == pgtype.BoolOID:
		return strconv.AppendBool(text, raw[0] == 1)
	case field.DataTypeOID == pgtype.Float8OID:
		return strconv.AppendFloat(text, math.Float64frombits(binary.BigEndian.Uint64(raw)), 'f', -1, 64)
	}
	a.raw = fmt.Errorf("column %s has type %d in format %d, which is not supported", field.Name, field.DataTypeOID,
		field.Format)
	return text
}

// appendQuoted copies text that needs no escaping unchanged.
func appendQuoted(text, raw []byte) []byte {
	if slices.ContainsFunc(raw, func(c byte) bool { return c < ' ' || c == '"' || c == '\\' }) {
		return gjson.AppendJSONString(text, string(raw))
	}
	return append(append(append(text, '"'), raw...), '"')
}
