package model

// AttributionOrigin is where a part of a document's attribution comes from.
type AttributionOrigin string

// The values of AttributionOrigin.
const (
	AttributionOriginGiven     AttributionOrigin = "given"
	AttributionOriginSource    AttributionOrigin = "source"
	AttributionOriginText      AttributionOrigin = "text"
	AttributionOriginCorrected AttributionOrigin = "corrected"
)

// AttributionOrigins has the origin of each part of a document's attribution. It is nil if the part
// is empty, unless a correction emptied it, or if the origin was not recorded.
type AttributionOrigins struct {
	Title             *AttributionOrigin `json:"title,omitempty"`
	Author            *AttributionOrigin `json:"author,omitempty"`
	ExtractedDate     *AttributionOrigin `json:"extracted_date,omitempty"`
	Company           *AttributionOrigin `json:"company,omitempty"`
	Executive         *AttributionOrigin `json:"executive,omitempty"`
	CommunicationType *AttributionOrigin `json:"communication_type,omitempty"`
	MediaProvenance   *AttributionOrigin `json:"media_provenance,omitempty"`
	Visibility        *AttributionOrigin `json:"visibility,omitempty"`
}

// IsOfText reports whether the part was found in the document's own text or title, which is no
// evidence beside them.
func (o *AttributionOrigin) IsOfText() bool { return o != nil && *o == AttributionOriginText }

// IsCorrected reports whether a person has set the part, so that a later ingestion keeps it.
func (o *AttributionOrigin) IsCorrected() bool { return o != nil && *o == AttributionOriginCorrected }

// SetPart sets a part of an attribution and its origin. It does nothing if the part has a value or
// was corrected, or the value is nil.
func SetPart[T any](part **T, of **AttributionOrigin, value *T, origin AttributionOrigin) {
	if *part != nil || value == nil || (*of).IsCorrected() {
		return
	}
	*part, *of = value, &origin
}

// CorrectPart sets a part of an attribution, possibly to nil, as a correction.
func CorrectPart[T any](part **T, of **AttributionOrigin, value *T) {
	corrected := AttributionOriginCorrected
	*part, *of = value, &corrected
}

// CopyCorrections sets the parts that were corrected in another document with the same source.
func (d *Document) CopyCorrections(from *Document) {
	if from.Origins.Title.IsCorrected() {
		d.Title, d.Origins.Title = from.Title, from.Origins.Title
	}
	copyCorrection(&d.Author, &d.Origins.Author, from.Author, from.Origins.Author)
	copyCorrection(&d.ExtractedDate, &d.Origins.ExtractedDate, from.ExtractedDate, from.Origins.ExtractedDate)
	copyCorrection(&d.Company, &d.Origins.Company, from.Company, from.Origins.Company)
	copyCorrection(&d.Executive, &d.Origins.Executive, from.Executive, from.Origins.Executive)
	copyCorrection(&d.CommunicationType, &d.Origins.CommunicationType, from.CommunicationType,
		from.Origins.CommunicationType)
	copyCorrection(&d.MediaProvenance, &d.Origins.MediaProvenance, from.MediaProvenance, from.Origins.MediaProvenance)
}

func copyCorrection[T any](part **T, of **AttributionOrigin, value *T, origin *AttributionOrigin) {
	if origin.IsCorrected() && *part == nil {
		CorrectPart(part, of, value)
	}
}
