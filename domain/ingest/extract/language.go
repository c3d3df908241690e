package extract

import (
	"github.com/RadhiFadlillah/whatlanggo"
	bcp47 "golang.org/x/text/language"
)

// enoughToTell is the length in weighted letters from which a text's own language is believed over what its page declares.
const enoughToTell = 300

// language settles the language of a text between what was declared and what the text is written in, as a BCP-47 tag.
func language(declared, text string) string {
	tag, err := bcp47.Parse(declared)
	if err != nil || declared == "" || tag == bcp47.Und {
		tag = bcp47.Und
	}
	found := whatlanggo.Detect(shorten(text, 4000))
	spoken := bcp47.Und
	if found.Confidence > 0.5 || tag == bcp47.Und && letters(text) >= enoughToTell {
		spoken = bcp47.Make(found.Lang.Iso6391())
	}
	if spoken == bcp47.Und || letters(text) < enoughToTell && tag != bcp47.Und {
		return name(tag)
	}
	if letters(text) < 40 {
		return name(tag)
	}
	declaredBase, _ := tag.Base()
	spokenBase, _ := spoken.Base()
	if tag != bcp47.Und && (declaredBase == spokenBase || !found.IsReliable()) {
		return name(tag)
	}
	return name(spoken)
}

func name(tag bcp47.Tag) string {
	if tag == bcp47.Und {
		return ""
	}
	return tag.String()
}
