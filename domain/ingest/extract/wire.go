package extract

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"rostrum/model"
)

// A frame is the lengths of its header and its body, four bytes each in network order, the header
// as JSON, and the body.
const (
	maxHeader = 1 << 20
	maxBody   = 256 << 20
)

var errFrameSize = errors.New("a frame is too large")

// taskHeader is the header of a task; the body is the file.
type taskHeader struct {
	URL, MediaType, Filename string
	Declared                 model.IngestContentType
	Draw                     int
	Unpack                   bool
	Limits                   taskLimits
}

// outputHeader is the header of an output; the body is the text, the picture, or the files one after
// another.
type outputHeader struct {
	Result  *Result
	Scanned int
	Packed  []wireFile
	Failure *wireFailure
	Panic   string
	Last    bool // the process ends and takes no further task
}

// wireFailure is a Failure whose cause is text.
type wireFailure struct {
	Code      model.ProcessingErrorCode
	Message   string
	Retryable bool
	Cause     string
}

// wireFile is a PackedFile without its bytes.
type wireFile struct {
	Name    string
	Size    int
	Hidden  bool
	Failure *wireFailure
}

func packFailure(f *Failure) *wireFailure {
	if f == nil {
		return nil
	}
	out := &wireFailure{Code: f.Code, Message: f.Message, Retryable: f.Retryable}
	if f.Cause != nil {
		out.Cause = f.Cause.Error()
	}
	return out
}

func (f *wireFailure) unpack() *Failure {
	if f == nil {
		return nil
	}
	out := &Failure{Code: f.Code, Message: f.Message, Retryable: f.Retryable}
	if f.Cause != "" {
		out.Cause = errors.New(f.Cause)
	}
	return out
}

func writeFrame(w io.Writer, header any, body []byte) error {
	head, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if len(head) > maxHeader || len(body) > maxBody {
		return errFrameSize
	}
	var sizes [8]byte
	binary.BigEndian.PutUint32(sizes[:4], uint32(len(head))) // limited above
	binary.BigEndian.PutUint32(sizes[4:], uint32(len(body))) // limited above
	if _, err := w.Write(append(sizes[:], head...)); err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

// readFrame decodes the next frame's header and returns its body. It returns io.EOF at the end of
// the stream.
func readFrame(r io.Reader, header any) ([]byte, error) {
	var sizes [8]byte
	if _, err := io.ReadFull(r, sizes[:]); err != nil {
		return nil, err
	}
	headSize, bodySize := binary.BigEndian.Uint32(sizes[:4]), binary.BigEndian.Uint32(sizes[4:])
	if headSize > maxHeader || bodySize > maxBody {
		return nil, errFrameSize
	}
	head, body := make([]byte, headSize), make([]byte, bodySize)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	return body, json.Unmarshal(head, header)
}

func writeTask(w io.Writer, task fileTask, limits taskLimits) error {
	s := task.Source
	return writeFrame(w, taskHeader{s.URL, s.MediaType, s.Filename, s.Declared, task.Draw, task.Unpack, limits}, s.Body)
}

func readTask(r io.Reader) (fileTask, taskLimits, error) {
	var h taskHeader
	body, err := readFrame(r, &h)
	source := Source{Body: body, URL: h.URL, MediaType: h.MediaType, Declared: h.Declared, Filename: h.Filename}
	return fileTask{source, h.Draw, h.Unpack}, h.Limits, err
}

// writeOutput writes an output. It reports a text that is too large for a frame as a failure.
func writeOutput(w io.Writer, o *taskOutput, last bool) error {
	header, body := outputHeader{Scanned: o.Scanned, Panic: o.Panic, Last: last}, o.Picture
	if o.Result != nil {
		without := *o.Result
		without.Content = ""
		header.Result, body = &without, []byte(o.Result.Content)
	}
	if len(body) > maxBody {
		o, body, header.Result = &taskOutput{Failure: newFailure(model.ProcessingErrorCodeTooLarge,
			"the source has too much text")}, nil, nil
	}
	for _, file := range o.Packed {
		header.Packed = append(header.Packed, wireFile{file.Name, len(file.Body), file.Hidden, packFailure(file.Failure)})
		body = append(body, file.Body...)
	}
	header.Failure = packFailure(o.Failure)
	return writeFrame(w, header, body)
}

func readOutput(r io.Reader) (o *taskOutput, last bool, err error) {
	var h outputHeader
	body, err := readFrame(r, &h)
	if err != nil {
		return nil, false, err
	}
	o = &taskOutput{Result: h.Result, Scanned: h.Scanned, Panic: h.Panic}
	o.Failure = h.Failure.unpack()
	switch {
	case h.Result != nil:
		h.Result.Content = string(body)
	case len(h.Packed) > 0:
		o.Packed, err = cutPacked(h.Packed, body)
	case len(body) > 0:
		o.Picture = body
	}
	return o, h.Last, err
}

// cutPacked returns the files whose bytes follow one another.
func cutPacked(files []wireFile, body []byte) ([]PackedFile, error) {
	out := make([]PackedFile, len(files))
	for i, f := range files {
		if f.Size < 0 || f.Size > len(body) {
			return nil, errFrameSize
		}
		out[i] = PackedFile{Name: f.Name, Body: body[:f.Size:f.Size], Hidden: f.Hidden, Failure: f.Failure.unpack()}
		body = body[f.Size:]
	}
	return out, nil
}
