package link

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/model"
)

// maxVariants is how many sides a split test may have; two are the fewest.
const maxVariants = 20

// problems collects every bad field of an input.
type problems []errs.Field

func (p *problems) add(kind, msg string, at ...any) {
	*p = append(*p, errs.BodyField(kind, msg, at...))
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return errs.Invalid(p...)
}

// draft makes the link that the input asks for, and its variants; the file's bytes are not looked at.
func draft(p model.Principal, in model.CreateLinkInput, file *graphql.Upload) (*model.Link, []*model.LinkVariant, error) {
	now := model.Now()
	link := &model.Link{
		ID: model.NewID(model.LinkPrefix), WorkspaceID: p.WorkspaceID, Kind: kindOf(in, file), IsActive: model.ValueOr(in.IsActive.Value(), true),
		Slug: strings.TrimSpace(model.ValueOr(in.Slug.Value(), "")), DestinationURL: in.DestinationURL.Value(), Form: formOf(in.Form.Value()),
		CreatedBy: p.Actor(), CreatedAt: now, UpdatedAt: now,
	}
	var bad problems
	if in.Slug.Value() == nil {
		link.Slug = newSlug()
	} else if msg := checkSlug(link.Slug); msg != "" {
		bad.add("value_error", msg, "slug")
	}
	if body := in.Body.Value(); body != nil {
		link.Body = ptr(page.Clean(*body))
	}
	variants := variantsFrom(link, in.Variants.Value())
	bad.kind(link, variants, file != nil)
	link.Title = strings.TrimSpace(model.ValueOr(in.Title.Value(), ""))
	if link.Title == "" {
		link.Title = bad.title(link, variants, file)
	}
	return link, variants, bad.err()
}

func kindOf(in model.CreateLinkInput, file *graphql.Upload) model.LinkKind {
	if kind := in.Kind.Value(); kind != nil && (file == nil || *kind != model.LinkKindRedirect) {
		return *kind
	}
	if file != nil {
		return model.LinkKindFile
	}
	return model.LinkKindRedirect
}

// kind names what a link of its kind lacks or cannot have.
func (p *problems) kind(link *model.Link, variants []*model.LinkVariant, file bool) {
	redirect, hosted := link.Kind == model.LinkKindRedirect, link.Kind == model.LinkKindPage
	p.fits(redirect, link.DestinationURL != nil, redirect && len(variants) == 0, link.Kind, "destinationUrl")
	p.fits(redirect, len(variants) > 0, false, link.Kind, "variants")
	p.fits(hosted, link.Body != nil, hosted, link.Kind, "body")
	p.fits(hosted, link.Form != nil, false, link.Kind, "form")
	p.fits(link.Kind == model.LinkKindFile, file, link.Kind == model.LinkKindFile, link.Kind, "file")
	if redirect && link.DestinationURL != nil {
		p.destination(*link.DestinationURL, "destinationUrl")
	}
	p.split(variants)
	if link.Form != nil {
		p.form(link.Form)
	}
}

func (p *problems) fits(allowed, given, needed bool, kind model.LinkKind, name string) {
	switch {
	case given && !allowed:
		p.add("value_error", "does not go with a link of kind "+string(kind), name)
	case needed && !given:
		p.add("missing", "is required for a link of kind "+string(kind), name)
	}
}

// destination refuses what a browser should not be sent to. Private addresses are good: the viewer goes there, not this server.
func (p *problems) destination(address string, at ...any) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		p.add("url_parsing", "must be an absolute http or https address", at...)
	case u.Scheme != "http" && u.Scheme != "https":
		p.add("url_scheme", "must begin with http:// or https://", at...)
	}
}

func (p *problems) split(variants []*model.LinkVariant) {
	if n := len(variants); n == 1 || n > maxVariants {
		p.add("value_error", "a split test has 2 to 20 sides", "variants")
	}
	total, seen := 0, map[string]bool{}
	for i, v := range variants {
		p.destination(v.DestinationURL, "variants", i, "destinationUrl")
		if seen[v.DestinationURL] {
			p.add("value_error", "is the address of another side", "variants", i, "destinationUrl")
		}
		seen[v.DestinationURL] = true
		total += v.Weight
	}
	if len(variants) > 0 && total == 0 {
		p.add("value_error", "at least one side needs a weight", "variants")
	}
}

func (p *problems) form(form *model.LinkForm) {
	if err := page.CheckForm(pageForm(form)); err != nil {
		*p = append(*p, errs.From(err).Fields...)
	}
}

// title makes up a title from what the link gives; a page has to have one.
func (p *problems) title(link *model.Link, variants []*model.LinkVariant, file *graphql.Upload) string {
	switch {
	case link.Kind == model.LinkKindPage:
		p.add("missing", "is required for a link of kind page", "title")
	case file != nil:
		return fileName(file.Filename)
	case link.DestinationURL != nil:
		return addressTitle(*link.DestinationURL)
	case len(variants) > 0:
		return addressTitle(variants[0].DestinationURL)
	}
	return ""
}

// addressTitle is the host and path of an address.
func addressTitle(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return shorten(strings.TrimSuffix(u.Host+u.Path, "/"), 300)
}

// shorten cuts a text to so many code points.
func shorten(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

func fileName(given string) string {
	name := path.Base(strings.ReplaceAll(given, `\`, "/"))
	if name == "." || name == "/" {
		name = "file"
	}
	return shorten(name, 200)
}

func variantsFrom(link *model.Link, given []*model.LinkVariantInput) []*model.LinkVariant {
	variants := make([]*model.LinkVariant, len(given))
	for i, v := range given {
		variants[i] = &model.LinkVariant{
			ID: model.NewID(model.VariantPrefix), WorkspaceID: link.WorkspaceID, LinkID: link.ID, Position: i,
			DestinationURL: v.DestinationURL, Weight: model.ValueOr(v.Weight.Value(), 1),
		}
	}
	return variants
}

func formOf(in *model.LinkFormInput) *model.LinkForm {
	if in == nil {
		return nil
	}
	form := &model.LinkForm{Fields: make([]*model.LinkFormField, len(in.Fields))}
	for i, f := range in.Fields {
		form.Fields[i] = &model.LinkFormField{
			Name: f.Name, Label: model.ValueOr(f.Label.Value(), f.Name), Type: model.ValueOr(f.Type.Value(), model.FormFieldTypeText), Required: model.ValueOr(f.Required.Value(), false),
		}
	}
	return form
}

// pageForm is the form as the page's maker knows it.
func pageForm(form *model.LinkForm) page.Form {
	out := page.Form{Fields: make([]page.Field, len(form.Fields))}
	for i, f := range form.Fields {
		out.Fields[i] = page.Field{Name: f.Name, Label: f.Label, Type: string(f.Type), Required: f.Required}
	}
	return out
}

// amend changes the link as the patch says and gives the variants that it has from now on; those that stay are the stored ones.
func amend(link *model.Link, stored []*model.LinkVariant, in model.UpdateLinkInput) ([]*model.LinkVariant, error) {
	if !in.Title.IsSet() && !in.DestinationURL.IsSet() && !in.Variants.IsSet() && !in.Body.IsSet() && !in.Form.IsSet() && !in.IsActive.IsSet() {
		return nil, errs.Invalid(errs.BodyField("missing", "give at least one field to change"))
	}
	var bad problems
	if title := in.Title.Value(); title != nil {
		if link.Title = strings.TrimSpace(*title); link.Title == "" {
			bad.add("string_too_short", "must have 1 or more characters", "title")
		}
	}
	if in.DestinationURL.IsSet() {
		link.DestinationURL = in.DestinationURL.Value()
	}
	if body := in.Body.Value(); body != nil {
		link.Body = ptr(page.Clean(*body))
	}
	if in.Form.IsSet() {
		link.Form = formOf(in.Form.Value())
	}
	link.IsActive = model.ValueOr(in.IsActive.Value(), link.IsActive)
	variants := stored
	if in.Variants.IsSet() {
		variants = matched(stored, variantsFrom(link, in.Variants.Value()))
	}
	bad.kind(link, variants, link.File != nil)
	return variants, bad.err()
}

// matched gives a wanted side the identity and figures of the stored one that leads to the same address.
func matched(stored, wanted []*model.LinkVariant) []*model.LinkVariant {
	for _, w := range wanted {
		for _, old := range stored {
			if old.DestinationURL == w.DestinationURL {
				w.ID, w.OpenCount, w.ConversionCount = old.ID, old.OpenCount, old.ConversionCount
			}
		}
	}
	return wanted
}

func ptr[T any](value T) *T { return &value }
