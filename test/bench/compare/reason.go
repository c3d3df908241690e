package compare

import (
	"regexp"
	"strings"
)

// reasonLength limits a reason in a table.
const reasonLength = 200

var (
	webAddress  = regexp.MustCompile(`https?://[^\s"',;]*[^\s"',;:.]`)
	machinePath = regexp.MustCompile(`(^|[\s"'(=])(/[A-Za-z0-9._@-]+){2,}/?`)
)

// plainReason returns the message of a program in one line, without addresses and paths of this
// machine.
func plainReason(message string) string {
	message = webAddress.ReplaceAllString(message, "(address)")
	message = machinePath.ReplaceAllString(message, "$1(path)")
	message = strings.Join(strings.Fields(message), " ")
	if runes := []rune(message); len(runes) > reasonLength {
		message = string(runes[:reasonLength]) + "…"
	}
	return message
}
