package content

import (
	"fmt"
	"strings"

	"rostrum/domain/content/fact"
	"rostrum/llm/text"
)

// proven holds a new wording to what it came from. It gives the wording in the old one's white space and without characters that cannot be
// seen, or says what is wrong with it. Allowed are further texts that it may take facts from.
func proven(old, wording string, allowed ...string) (string, error) {
	sources := append([]string{old}, allowed...)
	lead := old[:len(old)-len(strings.TrimLeft(old, " \t\r\n"))]
	tail := old[len(strings.TrimRight(old, " \t\r\n")):]
	wording = strings.TrimSpace(fact.Clean(wording, sources...))
	switch missing := fact.Missing(old, wording); {
	case wording == "" && strings.TrimSpace(old) != "":
		return "", fmt.Errorf("it is empty")
	case len(missing) > 0:
		return "", fmt.Errorf("it leaves out %s", strings.Join(missing, ", "))
	case fact.Lookalike(wording, sources...) != "":
		return "", fmt.Errorf("it mixes scripts in the word %s", fact.Lookalike(wording, sources...))
	}
	if fresh := fact.New(wording, sources...); len(fresh) > 0 {
		return "", fmt.Errorf("it adds %s", strings.Join(fresh, ", "))
	}
	if strings.TrimSpace(old) == "" {
		return old, nil
	}
	return lead + wording + tail, nil
}

// quote names a part in a warning.
func quote(part string) string {
	return "“" + text.Truncate(strings.Join(strings.Fields(part), " "), 60) + "”"
}
