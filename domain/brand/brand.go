package brand

import (
	"context"
	"fmt"
	"net/url"
	"reflect"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/color"
	"rostrum/platform/principal"
)

// Accounts knows workspaces.
type Accounts interface {
	// LockWorkspace returns a workspace and locks it until the transaction ends.
	LockWorkspace(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error)
	// Audit writes an entry of the workspace's audit log in the transaction of the change.
	Audit(ctx context.Context, tx dbx.Tx, workspaceID, action, subjectID string, details map[string]any) error
	// TakeStorage counts the bytes that a workspace is about to store, and returns errs.TooLarge
	// above its plan's limit.
	TakeStorage(ctx context.Context, workspaceID string, bytes int) error
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	DB       *dbx.DB
	Accounts Accounts
	// PublicURL is the base URL of logos and newsrooms, without a slash at its end.
	PublicURL string
	// CheckSlug returns the reason why the slug of a newsroom is invalid, or an empty string.
	CheckSlug func(slug string) string
	// Changed is called after the brand of a workspace has changed, so that no page shows the
	// former one.
	Changed func(ctx context.Context)
}

// Service implements the use cases of brands.
type Service struct{ Config }

// New returns a Service.
func New(c Config) *Service { return &Service{c} }

// Update changes the brand of the caller's workspace; the file is its new logo. It returns
// errs.ValidationFailed that names every invalid field, errs.TooLarge and errs.UnsupportedMediaType
// for a logo, and errs.Conflict for the slug of another workspace's newsroom.
func (s *Service) Update(ctx context.Context, in api.UpdateBrandInput, file *graphql.Upload) (*api.UpdateBrandPayload,
	error) {
	logo, err := s.readLogo(ctx, in, file)
	if err != nil {
		return nil, err
	}
	workspaceID := principal.Must(ctx).WorkspaceID
	var brand *model.Brand
	err = s.DB.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err = s.Accounts.LockWorkspace(ctx, tx, workspaceID); err != nil {
			return err
		}
		if brand, err = findBrand(ctx, tx, workspaceID); err != nil {
			return err
		}
		before := *brand
		if err = s.apply(brand, in, logo); err != nil || reflect.DeepEqual(before, *brand) {
			return err
		}
		brand.UpdatedAt = model.Now()
		if err = saveBrand(ctx, tx, brand, logo); err != nil {
			return err
		}
		tx.AfterCommit(func() { s.Changed(ctx) })
		return s.Accounts.Audit(ctx, tx, workspaceID, "brand.updated", workspaceID, details(brand))
	})
	if err != nil {
		return nil, fmt.Errorf("update brand: %w", err)
	}
	return &api.UpdateBrandPayload{Brand: brand}, nil
}

// details returns what an entry of the audit log says of a brand.
func details(b *model.Brand) map[string]any {
	out := map[string]any{"name": b.Name, "accent_color": b.AccentColor, "imprint": b.Imprint,
		"imprint_url": b.ImprintURL, "privacy_url": b.PrivacyURL, "newsroom_slug": b.NewsroomSlug, "logo": nil}
	if b.Logo != nil {
		out["logo"] = b.Logo.ID
	}
	return out
}

// apply changes the brand. It returns errs.ValidationFailed that names every invalid field.
func (s *Service) apply(b *model.Brand, in api.UpdateBrandInput, logo *storedLogo) error {
	var invalid errs.FieldErrors
	setText(&b.Name, in.Name)
	setText(&b.Imprint, in.Imprint)
	setAddress(&invalid, &b.ImprintURL, in.ImprintURL, "imprintUrl")
	setAddress(&invalid, &b.PrivacyURL, in.PrivacyURL, "privacyUrl")
	setAccent(&invalid, b, in.AccentColor)
	s.setSlug(&invalid, b, in.NewsroomSlug)
	switch {
	case logo != nil:
		b.Logo = &logo.BrandLogo
	case optional.ValueOr(in.RemoveLogo.Value(), false):
		b.Logo = nil
	}
	if b.Name == nil && (b.Logo != nil || b.NewsroomSlug != nil) {
		invalid.Body("missing", "is needed with a logo, which it describes, and with a newsroom, whose title it is", "name")
	}
	return invalid.Err()
}

// setText sets a text if it is given; a blank one is none.
func setText(to **string, given graphql.Omittable[*string]) {
	if given.IsSet() {
		*to = optional.Trimmed(given.Value())
	}
}

// setAddress sets an address if it is given. It adds an error for another one than https.
func setAddress(invalid *errs.FieldErrors, to **string, given graphql.Omittable[*string], field string) {
	setText(to, given)
	if *to == nil || !given.IsSet() {
		return
	}
	if u, err := url.Parse(**to); err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		invalid.Body("url_scheme", "must be an address that begins with https://", field)
	}
}

// setAccent sets the accent colour if it is given. It adds an error for a colour that is not readable.
func setAccent(invalid *errs.FieldErrors, b *model.Brand, given graphql.Omittable[*string]) {
	setText(&b.AccentColor, given)
	if b.AccentColor == nil || !given.IsSet() {
		return
	}
	accent, ok := color.Parse(*b.AccentColor)
	if !ok {
		invalid.Body("value_error", "must be a colour such as #1d4ed8", "accentColor")
		return
	}
	b.AccentColor = new(accent.String())
	if ratio := color.Contrast(accent, color.White); ratio < color.Readable {
		invalid.Body("contrast", fmt.Sprintf("has a contrast of %s : 1 to white, and text needs %.1f : 1: choose a darker colour",
			roundedDown(ratio), color.Readable), "accentColor")
	}
}

// roundedDown writes a ratio with two digits, so that one below the limit does not read as the limit.
func roundedDown(ratio float64) string { return fmt.Sprintf("%.2f", float64(int(ratio*100))/100) }

// setSlug sets the slug of the newsroom if it is given.
func (s *Service) setSlug(invalid *errs.FieldErrors, b *model.Brand, given graphql.Omittable[*string]) {
	setText(&b.NewsroomSlug, given)
	if b.NewsroomSlug == nil || !given.IsSet() {
		return
	}
	if problem := s.CheckSlug(*b.NewsroomSlug); problem != "" {
		invalid.Body("value_error", problem, "newsroomSlug")
	}
}

// NewsroomURL returns the address of the newsroom of the caller's workspace, or nil if it has none.
func (s *Service) NewsroomURL(ctx context.Context) (*string, error) {
	b, err := s.Get(ctx)
	if err != nil {
		return nil, err
	}
	return s.newsroomURL(b), nil
}

func (s *Service) newsroomURL(b *model.Brand) *string {
	if b.NewsroomSlug == nil {
		return nil
	}
	return new(s.PublicURL + model.NewsroomPath + *b.NewsroomSlug)
}

// NewsroomURLs returns the address of the newsroom of each brand, or nil.
func (s *Service) NewsroomURLs(brands []*model.Brand) []*string {
	out := make([]*string, len(brands))
	for i, b := range brands {
		out[i] = s.newsroomURL(b)
	}
	return out
}

// LogoURLs returns the address of each logo.
func (s *Service) LogoURLs(logos []*model.BrandLogo) []string {
	out := make([]string, len(logos))
	for i, l := range logos {
		out[i] = s.PublicURL + l.Path()
	}
	return out
}
