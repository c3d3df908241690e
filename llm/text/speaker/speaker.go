package speaker

import (
	"slices"
	"sort"
	"strings"

	"rostrum/llm/text"
)

// Proof is the kind of evidence for a speaker.
type Proof string

// The kinds of evidence.
const (
	NoProof     Proof = ""             // the words of the document
	Unknown     Proof = "unknown"      // the words of somebody whom the text does not name, or of several people
	Label       Proof = "label"        // the label of a transcript's turn
	Quotation   Proof = "quotation"    // a quotation with a verb of saying and a name
	Report      Proof = "report"       // indirect speech with a verb of saying and a name
	FirstPerson Proof = "first_person" // the first person of an author
	Interview   Proof = "interview"    // a question or an answer of an interview
)

// Source is a text with its metadata. Author may be the writer of the text; Executive is a person's
// name, of whom the text may report.
type Source struct {
	Title, Author, Executive, Text string
}

// Statement is a sentence of a text, and the speaker that the text proves.
type Statement struct {
	text.Span
	Speaker string    // the fullest name in the text; empty if unknown
	Name    text.Span // the name that proves the speaker; Start is -1 if it is in the title or the metadata
	Proof   Proof
	Strong  bool // the proof is direct, so that the statement may be attributed to the person
}

// Certainty tells how well a text shows whose words a statement is.
type Certainty int

// The certainties, from none to a proof.
const (
	OwnWords Certainty = iota // the document's
	Unnamed                   // of somebody whom the text does not name, or of several people
	Probable                  // of the speaker, by a proof that is not direct
	Proved                    // of the speaker, by a direct proof
)

// Certainty returns how well the text shows the statement's speaker.
func (s Statement) Certainty() Certainty {
	switch {
	case s.Strong:
		return Proved
	case s.Speaker != "":
		return Probable
	case s.Proof != NoProof:
		return Unnamed
	}
	return OwnWords
}

// voice is the speaker of tokens. Several tokens share a voice.
type voice struct {
	name     string
	where    text.Span
	proof    Proof
	of       *person // nil for labels that name no person
	direct   bool    // the proof names the person beside the verb, as the label, or as the author
	declared bool    // the text is called the remarks of the person
}

// weakened returns the same voice without a direct proof.
func (v *voice) weakened() *voice {
	weak := *v
	weak.direct = false
	return &weak
}

// as returns the voice of the same person by another proof, which is not direct.
func (v *voice) as(proof Proof) *voice {
	return &voice{name: v.name, of: v.of, where: v.where, proof: proof}
}

// The values of tokens without a voice.
var (
	noVoice      *voice                   // the document's
	clauseVoice  = &voice{}               // "said X": belongs to its quotation
	silentVoice  = &voice{}               // headings, labels, hand-overs: no statements
	unknownVoice = &voice{proof: Unknown} // spoken by somebody whom the text does not name
)

// Reading is a text with the speaker of each word: what the pass over the evidence makes.
type Reading struct {
	script
	voices       []*voice
	outer        []*voice // the speaker who quotes the words of another voice
	hasQuestions bool     // the text has the form of an interview without labels
}

// Read finds the speakers of a text's statements, in passes of which each makes a struct from the
// one in front of it: words, blocks, quotations, people, turns, and the evidence for a speaker.
func Read(source Source) *Reading {
	return findEvidence(findTurns(findPeople(findQuotes(splitBlocks(readWords(source))))))
}

// findEvidence finds the voice of each word: that of a quotation, of a report, of a turn, of an
// answer or of the author.
func findEvidence(s script) *Reading {
	r := &Reading{script: s, voices: make([]*voice, len(s.tokens)), outer: make([]*voice, len(s.tokens))}
	r.blocks, r.quotes, r.repeated = slices.Clone(s.blocks), slices.Clone(s.quotes), slices.Clone(s.repeated)
	r.mentionOf = slices.Clone(s.mentionOf)
	r.silenceLabels()
	r.silenceBlocks()
	r.markCapitals()
	r.attributeSpeech()
	r.attributeAnswers()
	r.attributeAuthor()
	r.silenceHandOvers()
	r.silenceNotes()
	r.disownCopies()
	return r
}

// Statements returns the text's statements in order.
func (r *Reading) Statements() []Statement {
	var all []Statement
	for _, sentence := range text.Sentences(string(r.runes)) {
		for _, part := range r.splitSentence(sentence) {
			if said, ok := r.Find(part.Start, part.End); ok {
				all = append(all, said)
			}
		}
	}
	return all
}

// splitSentence returns a sentence without a label or a dateline at its start.
func (r *Reading) splitSentence(sentence text.Span) []text.Span {
	first, last := r.tokensIn(sentence.Start, sentence.End)
	from := first
	for from < last && (r.voices[from] == silentVoice || from > first && r.tokens[from].is(":*_")) {
		from++
	}
	if from == first || from == last {
		return []text.Span{sentence}
	}
	start := r.tokens[from].start
	return []text.Span{{Text: string(r.runes[start:sentence.End]), Start: start, End: sentence.End}}
}

// Find returns the statement of a passage, and false if it has no statement. Its speaker is unknown
// if the passage has words of several.
func (r *Reading) Find(start, end int) (Statement, bool) {
	start, end = max(0, start), min(end, len(r.runes))
	if start >= end {
		return Statement{}, false
	}
	said := Statement{Span: text.Span{Text: string(r.runes[start:end]), Start: start, End: end}}
	first, last := r.tokensIn(start, end)
	found, shared, ok := r.voiceIn(first, last)
	if !ok {
		return said, false
	}
	if outer := r.outerVoice(first, last); outer != nil && (shared || found == unknownVoice) {
		found, shared = outer, false
	}
	switch {
	case shared, found != noVoice && r.isRepeated(found, first, last), found == noVoice && r.mayBeSaid(first, last):
		said.Proof = Unknown
	case found != noVoice:
		said.Speaker, said.Name, said.Proof = found.name, found.where, found.proof
		said.Strong = r.isStrong(found, first, last)
	}
	return said, true
}

// voiceIn returns the voice of the last spoken word of a range, and whether the range has several;
// ok is false if no word is spoken.
func (r *Reading) voiceIn(first, last int) (found *voice, shared, ok bool) {
	for i := first; i < last; i++ {
		v := r.voices[i]
		if !r.tokens[i].word || v == clauseVoice || v == silentVoice {
			continue
		}
		shared = shared || ok && !sameVoice(v, found)
		found, ok = v, true
	}
	return found, shared, ok
}

// mayBeSaid reports whether words without a voice may be those of somebody whom no rule finds: in a
// transcript, an interview, minutes, and a sentence with a verb of saying that is not the author's.
func (r *Reading) mayBeSaid(first, last int) bool {
	if len(r.turns) >= transcriptTurns || r.hasQuestions || r.isMinutes() {
		return true
	}
	at := sort.Search(len(r.sentences), func(i int) bool { return r.sentences[i].to > first })
	for _, s := range r.sentences[at:] {
		if s.from >= last {
			break
		}
		if r.saysSomething(s) {
			return true
		}
	}
	return false
}

// saysSomething reports whether a sentence has a verb of saying whose subject is not the first
// person, a source, or a verb in the subjunctive of indirect speech.
func (r *Reading) saysSomething(s tokenRange) bool {
	for at, n := r.findNestedVerb(s.from, s.to); at >= 0; at, n = r.findNestedVerb(at+n, s.to) {
		if r.quoteOf[at] == 0 && !r.isOwnVerb(s.from, at, at+n, s.to) {
			return true
		}
	}
	return r.contains(kindAccording, s.from, s.to) || r.german && r.hasSubjunctive(s)
}

// outerVoice returns the speaker of a turn or a speech who quotes somebody without a name in a
// passage; nil if the passage is no more than the quotation, or has words of somebody else.
func (r *Reading) outerVoice(first, last int) *voice {
	var found *voice
	own := false
	for i := first; i < last; i++ {
		v, outer := r.voices[i], r.outer[i]
		if !r.tokens[i].word || v == silentVoice {
			continue
		}
		if v != unknownVoice && v != clauseVoice {
			outer = v
		}
		own = own || v != unknownVoice
		if outer == nil || outer.name == "" || found != nil && outer != found {
			return nil
		}
		found = outer
	}
	if !own {
		return nil
	}
	return found
}

func sameVoice(a, b *voice) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || a.name != "" && a.name == b.name
}

// tokensIn returns the range of the tokens of a passage.
func (r *page) tokensIn(start, end int) (first, last int) {
	first, _ = slices.BinarySearchFunc(r.tokens, start, func(t token, at int) int { return t.start - at })
	last, _ = slices.BinarySearchFunc(r.tokens, end, func(t token, at int) int { return t.start - at })
	return first, last
}

// setVoice sets the voice of the tokens that have none.
func (r *Reading) setVoice(from, to int, v *voice) {
	for i := from; i < to; i++ {
		if r.voices[i] == noVoice {
			r.voices[i] = v
		}
	}
}

// setOuterVoice sets the voice of the tokens that have none, and the outer voice of those that
// have.
func (r *Reading) setOuterVoice(from, to int, v *voice) {
	r.setVoice(from, to, v)
	for i := from; i < to; i++ {
		r.outer[i] = v
	}
}

// textOf returns the text of tokens.
func (r *page) textOf(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.Join(strings.Fields(string(r.runes[r.tokens[from].start:r.tokens[to-1].end])), " ")
}

// spanOf returns the span of tokens.
func (r *page) spanOf(from, to int) text.Span {
	start, end := r.tokens[from].start, r.tokens[to-1].end
	return text.Span{Text: string(r.runes[start:end]), Start: start, End: end}
}
