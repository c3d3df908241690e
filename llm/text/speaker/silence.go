package speaker

// markCapitals marks the words in capital letters after a colon within a sentence, which are those
// of a sign: "A sign said: NO ENTRY."
func (r *Reading) markCapitals() {
	for i := 1; i+1 < len(r.tokens); i++ {
		if !r.tokens[i].is(":") || r.voices[i] == silentVoice || r.quoteOf[i] > 0 || r.tokens[i-1].upper {
			continue
		}
		end := i + 1
		for end < len(r.tokens) && r.blockOf[end] == r.blockOf[i] &&
			(r.tokens[end].upper || !r.tokens[end].word && !r.isStop(end)) {
			end++
		}
		for k := i + 1; r.wordsIn(i+1, end) > 1 && k < end; k++ {
			r.repeated[k] = true
		}
	}
}

// silenceLabels marks the labels of turns as no statements.
func (r *Reading) silenceLabels() {
	for _, t := range r.turns {
		for i := r.blocks[t.block].from; i < t.end; i++ {
			r.voices[i] = silentVoice
		}
	}
}

// disownCopies leaves what a text copies from another message to nobody: lines that begin with ">",
// and the text below the head of a forwarded or an answered message. Quotations and labels inside
// it keep their speakers. A text of marked lines only is its author's.
func (r *Reading) disownCopies() {
	marked, below := r.markedBlocks(), r.copiedFrom()
	for i, b := range r.blocks {
		if i < below && !marked[i] {
			continue
		}
		for t := b.from; t < b.to; t++ {
			v := r.voices[t]
			isOwn := v != nil && (v.proof == Quotation || v.proof == Report || v.proof == Label &&
				v.where.Start >= r.copyStart(i, below))
			if r.outer[t] = nil; !isOwn && v != silentVoice && v != clauseVoice {
				r.voices[t] = unknownVoice
			}
		}
	}
}

// silenceBlocks marks the tokens that are no statements: headings, tables, names on lines of their
// own, and datelines.
func (r *Reading) silenceBlocks() {
	for _, b := range r.blocks {
		if b.kind != prose {
			r.setVoice(b.from, b.to, silentVoice)
			continue
		}
		r.setVoice(b.from, b.from+r.dateline(r.tokens[b.from:b.to]), silentVoice)
	}
}

// silenceHandOvers marks the sentences that only introduce the next speaker.
func (r *Reading) silenceHandOvers() {
	for _, s := range r.sentences {
		if !r.contains(kindHandOver, s.from, s.to) {
			continue
		}
		for i := s.from; i < s.to; i++ {
			r.voices[i] = silentVoice
		}
	}
}

// silenceNotes marks the notes of a transcript in brackets between the sentences of a turn:
// "(Laughter.)".
func (r *Reading) silenceNotes() {
	if len(r.turns) < transcriptTurns {
		return
	}
	for i := range r.tokens {
		if end := r.parenthesisEnd(i); end > i && r.beginsSentence(i) && !r.isFirstPerson(i, end) {
			for k := i; k < end; k++ {
				r.voices[k] = silentVoice
			}
		}
	}
}
