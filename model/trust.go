package model

import (
	"fmt"
)

// TrustedDocuments is the policy for GraphQL operations that are not stored operations.
type TrustedDocuments string

// The values of TrustedDocuments; an empty value means off.
const (
	TrustedDocumentsOff     TrustedDocuments = "off"
	TrustedDocumentsLog     TrustedDocuments = "log"
	TrustedDocumentsEnforce TrustedDocuments = "enforce"
)

// UnmarshalText parses a setting. It returns an error for an unknown value.
func (v *TrustedDocuments) UnmarshalText(text []byte) error {
	switch given := TrustedDocuments(text); given {
	case TrustedDocumentsOff, TrustedDocumentsLog, TrustedDocumentsEnforce:
		*v = given
		return nil
	}
	return fmt.Errorf("%q is none of off, log and enforce", text)
}
