package speaker

// attributeHeaded attributes the quotations below a heading that names their speaker: "Quotes
// attributable to the Minister for Transport, X".
func (r *Reading) attributeHeaded() {
	for i := range r.blocks {
		by := r.headingSpeaker(r.blocks[i])
		if by == nil {
			continue
		}
		r.setVoice(r.blocks[i].from, r.blocks[i].to, silentVoice)
		for k := i + 1; k < len(r.blocks) && r.quoteOf[r.blocks[k].from] > 0; k++ {
			for at := r.blocks[k].from; at < r.blocks[k].to; at++ {
				if r.voices[at] == noVoice || r.voices[at] == unknownVoice {
					r.voices[at] = by
				}
			}
		}
	}
}

// headingSpeaker returns the voice of the name that ends such a heading; nil for other blocks.
func (r *cast) headingSpeaker(b block) *voice {
	at := b.from + trimmedMarks(r.tokens[b.from:b.to])
	n := r.match(kindAttributable, at, b.to)
	end := b.to
	for end > at && r.tokens[end-1].is("*_:") {
		end--
	}
	for from := end - fullName; n > 0 && from >= max(at+n, end-longestRun); from-- {
		if isFirstName(r.tokens[from]) && r.nameAt(from, end) == end-from {
			return r.nameVoice(from, end, Quotation)
		}
	}
	return nil
}

// signedQuotations is the number of quotations with a name below each that make the names
// signatures, and no labels.
const signedQuotations = 2

// findSignatures reports whether the names on lines of their own are below quotations, which they
// sign: every line with a name is below one.
func (r *layout) findSignatures() bool {
	signed := 0
	for i := 1; i < len(r.blocks); i++ {
		if r.blocks[i].kind != nameLine {
			continue
		}
		if !r.isQuotedHeadline(r.blocks[i-1]) {
			return false
		}
		signed++
	}
	return signed >= signedQuotations
}
