package model

// The names of the events of links (link-webhooks.md, "Events").
const (
	EventLinkOpened    = "link.opened"
	EventConversion    = "conversion"
	EventFormSubmitted = "form.submitted"
)

// EventNames lists every event that the feed may carry.
var EventNames = []string{EventLinkOpened, EventConversion, EventFormSubmitted}
