package ingest

import (
	"fmt"
	"strings"
	"time"

	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/optional"
)

// keptWarning returns a warning that names the fields of a request which its document does not
// have, because the document existed already. It returns "" if there are none.
func (s *Service) keptWarning(doc *model.Document, r ingestRequest) string {
	var kept, changeable, ways []string
	if r.visibility != nil {
		stored := s.describeVisibility(doc.Visibility, doc.EmbargoedUntil)
		if stored != s.describeVisibility(*r.visibility, r.embargoedUntil) {
			kept = append(kept, "visibility ("+stored+")")
			changeable = append(changeable, "its visibility")
		}
	}
	if stored := optional.ValueOr(doc.MediaProvenance, "none"); r.provenance != nil && *r.provenance != stored {
		kept = append(kept, fmt.Sprintf("media provenance (%s)", stored))
		changeable = append(changeable, "its media provenance")
	}
	if stored := optional.ValueOr(doc.ContentType, "none"); r.declared != model.IngestContentTypeAuto &&
		string(r.declared) != stored {
		kept = append(kept, fmt.Sprintf("content type (%s)", stored))
	}
	if r.audioURL != "" && r.audioURL != optional.ValueOr(doc.URL, "") {
		kept = append(kept, "text, which was not read from the audio_url")
	}
	if len(kept) == 0 {
		return ""
	}
	if len(changeable) > 0 {
		ways = append(ways, "update the document to change "+strings.Join(changeable, " and "))
	}
	ways = append(ways, "ingest with force to make another document")
	return fmt.Sprintf("the document keeps its %s: %s", strings.Join(kept, " and its "), strings.Join(ways, ", or "))
}

// describeVisibility returns the present visibility of a text, with the end of its embargo.
func (s *Service) describeVisibility(stored model.Visibility, until *time.Time) string {
	current := visibility.Current(stored, until, s.db.Now())
	if current != model.VisibilityEmbargoed {
		return string(current)
	}
	return fmt.Sprintf("%s until %s", current, until.UTC().Format(time.RFC3339))
}
