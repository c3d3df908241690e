package link

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// maxVariants is the largest number of variants of a split test; the smallest is 2.
const maxVariants = 20

// newLink returns the link and variants that the input describes. It does not read the file's
// content, and leaves the password out. It returns errs.ValidationFailed naming every invalid field.
func newLink(p principal.Principal, in api.CreateLinkInput, file *graphql.Upload, now time.Time) (*model.Link,
	[]*model.LinkVariant, error) {
	made := model.Now()
	link := &model.Link{
		ID: model.NewID(model.LinkPrefix), WorkspaceID: p.WorkspaceID, Kind: kindOf(in, file),
		IsActive: optional.ValueOr(in.IsActive.Value(), true),
		Slug:     strings.TrimSpace(optional.ValueOr(in.Slug.Value(), "")), DestinationURL: in.DestinationURL.Value(),
		Form:      formOf(in.Form.Value()),
		CreatedBy: p.Actor(), CreatedAt: made, UpdatedAt: made,
		Version: model.NewID(model.VersionPrefix),
	}
	var invalid errs.FieldErrors
	if in.Slug.Value() == nil {
		link.Slug = newSlug()
	} else if msg := CheckSlug(link.Slug); msg != "" {
		invalid.Body("value_error", msg, "slug")
	}
	if body := in.Body.Value(); body != nil {
		link.Body = new(page.Clean(*body))
	}
	setEnd(&invalid, link, in.ExpiresAt, now)
	setMaxOpens(link, in.MaxOpens)
	variants := variantsFrom(link, in.Variants.Value())
	matchVariants(&invalid, nil, variants, in.Variants.Value())
	checkKind(&invalid, link, variants, file != nil)
	link.Title = strings.TrimSpace(optional.ValueOr(in.Title.Value(), ""))
	if link.Title == "" {
		link.Title = defaultTitle(&invalid, link, variants, file)
	}
	return link, variants, invalid.Err()
}

func kindOf(in api.CreateLinkInput, file *graphql.Upload) model.LinkKind {
	if kind := in.Kind.Value(); kind != nil && (file == nil || *kind != model.LinkKindRedirect) {
		return *kind
	}
	if file != nil {
		return model.LinkKindFile
	}
	return model.LinkKindRedirect
}

// checkKind adds errors for fields that the link's kind requires or does not allow.
func checkKind(invalid *errs.FieldErrors, link *model.Link, variants []*model.LinkVariant, file bool) {
	redirect, hosted := link.Kind == model.LinkKindRedirect, link.Kind == model.LinkKindPage
	checkApplicable(invalid, redirect, link.DestinationURL != nil, redirect && len(variants) == 0, link.Kind,
		"destinationUrl")
	checkApplicable(invalid, redirect, len(variants) > 0, false, link.Kind, "variants")
	checkApplicable(invalid, hosted, link.Body != nil, hosted, link.Kind, "body")
	checkApplicable(invalid, hosted, link.Form != nil, false, link.Kind, "form")
	checkApplicable(invalid, link.Kind == model.LinkKindFile, file, link.Kind == model.LinkKindFile, link.Kind, "file")
	if redirect && link.DestinationURL != nil {
		checkDestination(invalid, *link.DestinationURL, "destinationUrl")
	}
	checkVariants(invalid, variants)
	if link.Form != nil {
		checkForm(invalid, link.Form)
	}
}

func checkApplicable(invalid *errs.FieldErrors, allowed, given, needed bool, kind model.LinkKind, name string) {
	switch {
	case given && !allowed:
		invalid.Body("value_error", "is not allowed for a link of kind "+string(kind), name)
	case needed && !given:
		invalid.Body("missing", "is required for a link of kind "+string(kind), name)
	}
}

// checkDestination adds an error for a URL that is not http or https. Private addresses are
// allowed, because the viewer's browser requests them and not this server.
func checkDestination(invalid *errs.FieldErrors, address string, at ...any) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		invalid.Body("url_parsing", "must be an absolute http or https address", at...)
	case u.Scheme != "http" && u.Scheme != "https":
		invalid.Body("url_scheme", "must begin with http:// or https://", at...)
	}
}

func checkVariants(invalid *errs.FieldErrors, variants []*model.LinkVariant) {
	if n := len(variants); n == 1 || n > maxVariants {
		invalid.Body("value_error", "a split test has 2 to 20 variants", "variants")
	}
	total, seen := 0, map[string]bool{}
	for i, v := range variants {
		checkDestination(invalid, v.DestinationURL, "variants", i, "destinationUrl")
		if seen[v.DestinationURL] {
			invalid.Body("value_error", "is the URL of another variant", "variants", i, "destinationUrl")
		}
		seen[v.DestinationURL] = true
		total += v.Weight
	}
	if len(variants) > 0 && total == 0 {
		invalid.Body("value_error", "at least one variant needs a weight above 0", "variants")
	}
}

func checkForm(invalid *errs.FieldErrors, form *model.LinkForm) {
	if err := page.CheckForm(pageForm(form)); err != nil {
		*invalid = append(*invalid, errs.From(err).Fields...)
	}
}

// defaultTitle returns a title from the file name or destination; a page requires a title.
func defaultTitle(invalid *errs.FieldErrors, link *model.Link, variants []*model.LinkVariant,
	file *graphql.Upload) string {
	switch {
	case link.Kind == model.LinkKindPage:
		invalid.Body("missing", "is required for a link of kind page", "title")
	case file != nil:
		return fileName(file.Filename)
	case link.DestinationURL != nil:
		return addressTitle(*link.DestinationURL)
	case len(variants) > 0:
		return addressTitle(variants[0].DestinationURL)
	}
	return ""
}

// addressTitle returns the host and path of a URL.
func addressTitle(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return text.FirstRunes(page.StorableText(strings.TrimSuffix(u.Host+u.Path, "/")), 300)
}

func fileName(given string) string {
	name := path.Base(strings.ReplaceAll(page.StorableText(given), `\`, "/"))
	if name == "." || name == "/" {
		name = "file"
	}
	return text.FirstRunes(name, 200)
}

func variantsFrom(link *model.Link, given []*api.LinkVariantInput) []*model.LinkVariant {
	variants := make([]*model.LinkVariant, len(given))
	for i, v := range given {
		variants[i] = &model.LinkVariant{
			ID: model.NewID(model.VariantPrefix), WorkspaceID: link.WorkspaceID, LinkID: link.ID, Position: i,
			DestinationURL: v.DestinationURL, Weight: optional.ValueOr(v.Weight.Value(), 1),
		}
	}
	return variants
}

func formOf(in *api.LinkFormInput) *model.LinkForm {
	if in == nil {
		return nil
	}
	form := &model.LinkForm{Fields: make([]*model.LinkFormField, len(in.Fields)),
		Thanks: strings.TrimSpace(optional.ValueOr(in.Thanks.Value(), ""))}
	for i, f := range in.Fields {
		form.Fields[i] = &model.LinkFormField{
			Name: f.Name, Label: optional.ValueOr(f.Label.Value(), f.Name),
			Type:     optional.ValueOr(f.Type.Value(), model.FormFieldTypeText),
			Required: optional.ValueOr(f.Required.Value(), false),
		}
	}
	return form
}

// pageForm converts a form to the type of package page.
func pageForm(form *model.LinkForm) page.Form {
	out := page.Form{Fields: make([]page.Field, len(form.Fields))}
	for i, f := range form.Fields {
		out.Fields[i] = page.Field{Name: f.Name, Label: f.Label, Type: string(f.Type), Required: f.Required}
	}
	return out
}

// applyPatch changes the link and returns its new variants. A variant that matches a stored one
// keeps its id. It returns errs.ValidationFailed naming every invalid field.
func applyPatch(link *model.Link, stored []*model.LinkVariant, in api.UpdateLinkInput,
	now time.Time) ([]*model.LinkVariant, error) {
	if !in.Title.IsSet() && !in.DestinationURL.IsSet() && !in.Variants.IsSet() && !in.Body.IsSet() &&
		!in.Form.IsSet() && !in.IsActive.IsSet() && !in.ExpiresAt.IsSet() && !in.MaxOpens.IsSet() && !in.Password.IsSet() &&
		!in.Tags.IsSet() {
		return nil, errs.Invalid(errs.BodyField("missing", "give at least one field to change"))
	}
	var invalid errs.FieldErrors
	before := *link
	if title := in.Title.Value(); title != nil {
		if link.Title = strings.TrimSpace(*title); link.Title == "" {
			invalid.Body("string_too_short", "must have 1 or more characters", "title")
		}
	}
	if in.DestinationURL.IsSet() {
		link.DestinationURL = in.DestinationURL.Value()
	}
	if body := in.Body.Value(); body != nil {
		link.Body = new(page.Clean(*body))
	}
	if in.Form.IsSet() {
		link.Form = formOf(in.Form.Value())
	}
	link.IsActive = optional.ValueOr(in.IsActive.Value(), link.IsActive)
	setEnd(&invalid, link, in.ExpiresAt, now)
	setMaxOpens(link, in.MaxOpens)
	variants := stored
	if in.Variants.IsSet() {
		variants = variantsFrom(link, in.Variants.Value())
		matchVariants(&invalid, stored, variants, in.Variants.Value())
	}
	checkKind(&invalid, link, variants, link.File != nil)
	checkDraftPage(&invalid, &before, link)
	return variants, invalid.Err()
}

// matchVariants copies the id and counts of stored variants to the wanted ones. An input with an id
// matches by id, any other by URL. It adds an error for an unknown or repeated id.
func matchVariants(invalid *errs.FieldErrors, stored, wanted []*model.LinkVariant, given []*api.LinkVariantInput) {
	matched := map[string]bool{}
	keepRow := func(w, old *model.LinkVariant) {
		w.ID, w.OpenCount, w.ConversionCount = old.ID, old.OpenCount, old.ConversionCount
		matched[old.ID] = true
	}
	for i, v := range given {
		id := v.ID.Value()
		if id == nil {
			continue
		}
		n := slices.IndexFunc(stored, func(old *model.LinkVariant) bool { return old.ID == *id })
		switch {
		case n < 0:
			invalid.Body("unknown_id", "is not the id of a variant of this link", "variants", i, "id")
		case matched[*id]:
			invalid.Body("value_error", "is the id of an earlier variant", "variants", i, "id")
		default:
			keepRow(wanted[i], stored[n])
		}
	}
	for i, w := range wanted {
		n := slices.IndexFunc(stored, func(old *model.LinkVariant) bool {
			return !matched[old.ID] && old.DestinationURL == w.DestinationURL
		})
		if n >= 0 && given[i].ID.Value() == nil {
			keepRow(w, stored[n])
		}
	}
}
