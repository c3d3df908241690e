package webhook

import "rostrum/domain/webhook/message"

// Kind says what webhooks send for one kind of events.
type Kind = message.Kind

// Kinds returns all kinds of events that webhooks receive.
func Kinds() []Kind { return message.Kinds }
