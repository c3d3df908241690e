package agent

import "rostrum/rest/stored"

// ofUsers names the operations that concern the sign-in of a user, which a key does not have.
var ofUsers = map[string]bool{
	"changePassword": true, "endSession": true, "listSessions": true, "getSecondFactor": true, "startSecondFactor": true,
	"confirmSecondFactor": true, "renewRecoveryCodes": true, "removeSecondFactor": true, "getMailSettings": true, "updateMailSettings": true,
}

// LeftOut returns why an operation is no tool, or an empty string if it is one.
func LeftOut(op *stored.Operation) string {
	switch {
	case op.MediaType() == stored.MediaStream:
		return "it is a stream of events; an agent reads the list of events or the job"
	case op.IsFile():
		return "it sends a file; an agent reads texts"
	case op.File != nil && op.File.Required:
		return "it needs the bytes of a file; an agent sends texts and addresses"
	case ofUsers[op.Name]:
		return "it is for signed-in users; an agent has a key"
	}
	return ""
}
