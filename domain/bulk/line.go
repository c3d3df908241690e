package bulk

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"rostrum/errs"
)

// lineWriter writes a node as a line.
type lineWriter struct {
	out  *bytes.Buffer
	from int // where the line begins
	// next returns the connection below a parent after a cursor.
	next func(list *pagedList, parentID, after string) (gjson.Result, error)
}

// errLongLine ends a job.
var errLongLine = errs.New(errs.LimitExceeded, "a line would have more than the %d bytes that a file's line may have: select less of the nested lists, or start a bulk query at them",
	MaxLine).With("limit", MaxLine)

// write writes a node and the end of its line.
func (w *lineWriter) write(of *shape, node gjson.Result) error {
	w.from = w.out.Len()
	if err := w.value(of, node, ""); err != nil {
		return err
	}
	if line := w.out.Bytes()[w.from:]; bytes.IndexByte(line, '\n') >= 0 { // in a value of a client's own JSON
		var compact bytes.Buffer
		if err := json.Compact(&compact, line); err != nil {
			return err
		}
		w.out.Truncate(w.from)
		w.out.Write(compact.Bytes())
	}
	w.out.WriteByte('\n')
	return nil
}

func (w *lineWriter) append(text string) error {
	w.out.WriteString(text)
	if w.out.Len()-w.from > MaxLine {
		return errLongLine
	}
	return nil
}

// value writes a value; parentID is the id of the object that it belongs to.
func (w *lineWriter) value(of *shape, v gjson.Result, parentID string) error {
	switch {
	case of == nil || !v.IsObject() && !v.IsArray():
		return w.append(v.Raw)
	case v.IsArray():
		w.out.WriteByte('[')
		if err := w.elements(of, v, true); err != nil {
			return err
		}
		w.out.WriteByte(']')
		return nil
	case of.paged != nil:
		return w.connection(of, v, parentID)
	}
	id := v.Get(idKey).String()
	return w.members(v, func(key string, member gjson.Result) error { return w.value(of.members[key], member, id) })
}

// elements writes the elements of a list; first is whether none was written before.
func (w *lineWriter) elements(of *shape, list gjson.Result, first bool) (err error) {
	list.ForEach(func(_, element gjson.Result) bool {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		err = w.value(of, element, "")
		return err == nil
	})
	return err
}

// members writes an object without what the job has added.
func (w *lineWriter) members(v gjson.Result, write func(key string, member gjson.Result) error) (err error) {
	w.out.WriteByte('{')
	first := true
	v.ForEach(func(key, member gjson.Result) bool {
		if strings.HasPrefix(key.Str, addedPrefix) {
			return true
		}
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		w.out.WriteString(key.Raw)
		w.out.WriteByte(':')
		err = write(key.Str, member)
		return err == nil
	})
	w.out.WriteByte('}')
	return err
}

// connection writes a nested connection with the rows of all of its pages.
func (w *lineWriter) connection(of *shape, v gjson.Result, parentID string) error {
	pages, size := []gjson.Result{v}, len(v.Raw)
	for after, more := following(v); more; after, more = following(pages[len(pages)-1]) {
		page, err := w.next(of.paged, parentID, after)
		if err != nil {
			return err
		}
		if size += len(page.Raw); size > MaxLine {
			return errLongLine
		}
		pages = append(pages, page)
	}
	return w.members(v, func(key string, member gjson.Result) error {
		if !slices.Contains(of.paged.lists, key) {
			return w.append(member.Raw)
		}
		w.out.WriteByte('[')
		isFirst := true
		for _, page := range pages {
			list := page.Get(key)
			if err := w.elements(of.members[key], list, isFirst); err != nil {
				return err
			}
			isFirst = isFirst && list.Get("#").Int() == 0
		}
		w.out.WriteByte(']')
		return nil
	})
}

// following returns the cursor of the next page, if there is one.
func following(connection gjson.Result) (after string, more bool) {
	place := connection.Get(pageKey)
	return place.Get("endCursor").String(), place.Get("hasNextPage").Bool()
}
