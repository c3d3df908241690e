package model

import (
	"time"

	"github.com/uptrace/bun"
)

// SecondFactor is the authenticator app of a user, which asks for nothing before it is confirmed.
type SecondFactor struct {
	bun.BaseModel `bun:"table:second_factor"`

	UserID      string     `bun:"user_id,pk"`
	Secret      []byte     `bun:"secret"`       // encrypted; nil before it is confirmed
	Pending     []byte     `bun:"pending"`      // the encrypted secret that a code must confirm
	ConfirmedAt *time.Time `bun:"confirmed_at"` // nil: it is not on
	LastStep    int64      `bun:"last_step"`    // the 30 seconds of the last code, which works once

	RecoveryCodesLeft int `bun:"codes_left,scanonly"`
}
