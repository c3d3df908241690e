package app

import (
	"fmt"
	"io"
	"log/slog"
)

// logFormat is how log lines are written.
type logFormat string

// The values of logFormat; an empty value means text.
const (
	logText logFormat = "text"
	logJSON logFormat = "json"
)

// UnmarshalText parses the setting. It returns an error for an unknown value.
func (f *logFormat) UnmarshalText(text []byte) error {
	switch given := logFormat(text); given {
	case logText, logJSON:
		*f = given
		return nil
	}
	return fmt.Errorf("%q is neither text nor json", text)
}

// newHandler returns the handler of log lines.
func (f logFormat) newHandler(out io.Writer) slog.Handler {
	if f == logJSON {
		return slog.NewJSONHandler(out, nil)
	}
	return slog.NewTextHandler(out, nil)
}
