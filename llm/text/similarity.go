package text

// Overlap returns the similarity of two texts, 0 to 1 (Dice's coefficient of their stems).
func Overlap(a, b string) float64 {
	language := Language(a + "\n" + b)
	one, other := stemSet(Stems(a, orEnglish(language))), stemSet(Stems(b, orEnglish(language)))
	if len(one)+len(other) == 0 {
		return 0
	}
	return 2 * float64(countShared(one, other)) / float64(len(one)+len(other))
}

// Covered returns the share of a part's stems that the whole contains, 0 to 1.
func Covered(part, whole string) float64 {
	language := Language(part + "\n" + whole[:min(len(whole), sampleBytes)])
	wanted := stemSet(Stems(part, orEnglish(language)))
	if len(wanted) == 0 {
		return 0
	}
	found := 0
	for stem := range eachStem(whole, orEnglish(language)) {
		if isMissing := wanted[stem]; isMissing {
			wanted[stem], found = false, found+1
			if found == len(wanted) {
				break
			}
		}
	}
	return float64(found) / float64(len(wanted))
}

// orEnglish returns English for an unknown language, so that two texts use the same stemmer.
func orEnglish(language string) string {
	if language == "" {
		return "en"
	}
	return language
}

func stemSet(stems []string) map[string]bool {
	found := make(map[string]bool, len(stems))
	for _, stem := range stems {
		found[stem] = true
	}
	return found
}

func countShared(a, b map[string]bool) int {
	count := 0
	for stem := range a {
		if b[stem] {
			count++
		}
	}
	return count
}
