package text

// Overlap is how much of what two texts are about is the same: 0 nothing, 1 all (Dice's coefficient of their stems).
func Overlap(a, b string) float64 {
	language := Language(a + "\n" + b)
	one, other := members(Stems(a, orEnglish(language))), members(Stems(b, orEnglish(language)))
	if len(one)+len(other) == 0 {
		return 0
	}
	return 2 * float64(shared(one, other)) / float64(len(one)+len(other))
}

// Covered is how much of what a part is about the whole is about too: 0 nothing, 1 all of it. The whole may be about more.
func Covered(part, whole string) float64 {
	language := Language(part + "\n" + whole)
	wanted := members(Stems(part, orEnglish(language)))
	if len(wanted) == 0 {
		return 0
	}
	return float64(shared(wanted, members(Stems(whole, orEnglish(language))))) / float64(len(wanted))
}

// orEnglish settles a language that is not known, so that two texts are stemmed alike.
func orEnglish(language string) string {
	if language == "" {
		return "en"
	}
	return language
}

func members(stems []string) map[string]bool {
	found := make(map[string]bool, len(stems))
	for _, stem := range stems {
		found[stem] = true
	}
	return found
}

func shared(a, b map[string]bool) int {
	count := 0
	for stem := range a {
		if b[stem] {
			count++
		}
	}
	return count
}

// Nearest is the example that a text is most like, and how like it is: the cosine of their TF-IDF vectors, 0 to 1. Without an example that
// shares a word with it the index is -1.
func Nearest(text string, examples []string) (index int, similarity float64) {
	return NewIndex(examples).Nearest(text)
}
