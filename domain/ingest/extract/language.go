package extract

import (
	"github.com/RadhiFadlillah/whatlanggo"
	bcp47 "golang.org/x/text/language"
)

// enoughToTell is the length in weighted letters from which the detected language overrides the
// declared language.
const enoughToTell = 300

// detectLanguage returns the language of a text as a BCP-47 tag, from its declaration and its
// content.
func detectLanguage(declared, text string) string {
	tag, err := bcp47.Parse(declared)
	if err != nil || declared == "" || tag == bcp47.Und {
		tag = bcp47.Und
	}
	text = truncateText(text, 1500)
	found, weight := whatlanggo.Detect(text), weighLetters(text)
	spoken := bcp47.Und
	if found.Confidence > 0.5 || tag == bcp47.Und && weight >= enoughToTell {
		spoken = bcp47.Make(found.Lang.Iso6391())
	}
	if spoken == bcp47.Und || weight < enoughToTell && tag != bcp47.Und {
		return tagName(tag)
	}
	if weight < 40 {
		return tagName(tag)
	}
	declaredBase, _ := tag.Base()
	spokenBase, _ := spoken.Base()
	if tag != bcp47.Und && (declaredBase == spokenBase || !found.IsReliable()) {
		return tagName(tag)
	}
	return tagName(spoken)
}

func tagName(tag bcp47.Tag) string {
	if tag == bcp47.Und {
		return ""
	}
	return tag.String()
}
