package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Brand is what readers see of a workspace on its hosted pages. A workspace that has set nothing has
// no row.
type Brand struct {
	bun.BaseModel `bun:"table:brand"`

	WorkspaceID string     `bun:"workspace_id,pk"`
	Name        *string    `bun:"name"`         // of the publisher
	AccentColor *string    `bun:"accent_color"` // #rrggbb in lower case
	Logo        *BrandLogo `bun:"logo,type:jsonb"`
	Imprint     *string    `bun:"imprint"` // Markdown
	ImprintURL  *string    `bun:"imprint_url"`
	PrivacyURL  *string    `bun:"privacy_url"`
	// NewsroomSlug is the last part of the newsroom's address, as chosen; unique over all workspaces,
	// in either case. Without it there is no newsroom.
	NewsroomSlug *string   `bun:"newsroom_slug"`
	UpdatedAt    time.Time `bun:"updated_at"`
}

// BrandLogo is the logo of a brand. Its bytes are in the table brand_logo.
type BrandLogo struct {
	ID        string `json:"id"`
	MediaType string `json:"media_type"` // image/png or image/jpeg
	Width     int    `json:"width"`      // pixels
	Height    int    `json:"height"`     // pixels
	Size      int    `json:"size"`       // bytes
}

// LogoPath is the path of the logos of all brands.
const LogoPath = "/brand/logo/"

// Path returns the path of the logo. Another logo has another path.
func (l *BrandLogo) Path() string { return LogoPath + l.ID }

// NewsroomPath is the path of the newsrooms of all workspaces.
const NewsroomPath = "/newsroom/"
