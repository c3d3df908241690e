package content

import (
	"errors"
	"fmt"
	"strings"

	"rostrum/llm/text"
	"rostrum/llm/text/fact"
	"rostrum/llm/text/proof"
)

// checkWording returns a new wording without invisible characters and with the old one's
// surrounding white space. It returns an error if the wording loses facts of old, adds facts that are
// neither in old nor in allowed, or says something else; see proof.Rewritten.
func checkWording(old, wording string, allowed ...string) (string, error) {
	sources := append([]string{old}, allowed...)
	lead := old[:len(old)-len(strings.TrimLeft(old, " \t\r\n"))]
	tail := old[len(strings.TrimRight(old, " \t\r\n")):]
	wording = strings.TrimSpace(fact.Clean(wording, sources...))
	switch missing := fact.Missing(old, wording); {
	case wording == "" && strings.TrimSpace(old) != "":
		return "", fmt.Errorf("it is empty")
	case len(missing) > 0:
		return "", fmt.Errorf("it leaves out %s", strings.Join(missing, ", "))
	case fact.MixedScriptWord(wording, sources...) != "":
		return "", fmt.Errorf("it mixes scripts in the word %s", fact.MixedScriptWord(wording, sources...))
	}
	if fresh := fact.Added(wording, sources...); len(fresh) > 0 {
		return "", fmt.Errorf("it adds %s", strings.Join(fresh, ", "))
	}
	if strings.TrimSpace(old) == "" {
		return old, nil
	}
	if fault := proof.Rewritten(old, wording, allowed...); fault != "" {
		return "", errors.New(fault)
	}
	return lead + wording + tail, nil
}

// quotePart returns a part shortened and quoted for a warning.
func quotePart(part string) string {
	return "“" + text.Truncate(strings.Join(strings.Fields(part), " "), 60) + "”"
}
