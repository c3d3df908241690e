package rest

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"

	"rostrum/domain/link"
	"rostrum/errs"
	"rostrum/model"
)

const (
	mediaURL  = "application/x-www-form-urlencoded"
	mediaText = "text/plain" // what browsers call a text that a page sends while it is left
	mediaPage = "text/html"
	// maxReport bounds what a page may report at once (shared/spec/operations.md, "Sizes").
	maxReport = 256 << 10
)

// Links hears what hosted pages report of their viewers, as domain/link does. No key or cookie gives these requests a right: what they
// may do is said by the session that they name.
type Links interface {
	View(r *http.Request, slug string, in link.View) error
	Convert(r *http.Request, slug string, in link.Conversion) error
	Submit(w http.ResponseWriter, r *http.Request, slug string) (link.Receipt, error)
	ShowForm(w http.ResponseWriter, r *http.Request, slug string, receipt link.Receipt, failure error) error
}

// linkHandlers are the routes that hosted pages report to. They are not the graph's: nobody has to have a key.
func (a *Adapter) linkHandlers() []*handler {
	slug := []*openapi3.Parameter{{Name: "slug", In: inPath, Required: true, Description: "The link's slug.", Schema: text("")}}
	fails := []int{400, 404, 413, 415, 422, 429}
	const base = "/api/public/links/{slug}/"
	return []*handler{
		{
			method: http.MethodPost, path: base + "views", name: "viewLink", tag: "links", summary: "Say that a person sees a hosted page",
			details: "Begins the viewer session that the page was shown with; again it changes nothing.", status: http.StatusNoContent,
			parameters: slug, request: viewSchema(), media: []string{mediaURL, mediaText}, limited: true, fails: fails, serve: a.view,
		},
		{
			method: http.MethodPost, path: base + "conversions", name: "convertLink", tag: "links", summary: "Report a conversion",
			details: "The same type and value of a session count once; again it is accepted and changes nothing.", status: http.StatusAccepted,
			parameters: slug, request: conversionSchema(), media: []string{mediaURL, mediaText}, limited: true, fails: fails, serve: a.convert,
		},
		{
			method: http.MethodPost, path: base + "submissions", name: "submitLink", tag: "links", summary: "Submit the form of a hosted page",
			details: "The form's fields by their names, and `session_id`. A browser that sends the form itself gets a page.",
			status:  http.StatusCreated, parameters: slug, request: submissionSchema(), media: []string{mediaURL, mediaForm},
			response: object(openapi3.Schemas{"id": text("The submission's typed id.")}), page: true, limited: true, fails: fails, serve: a.submit,
		},
	}
}

func viewSchema() *openapi3.Schema {
	s := object(openapi3.Schemas{"session_id": text("As the page's `rostrum-session` says.")})
	s.Properties["referrer"] = text("The page that led to this one.")
	return s
}

func conversionSchema() *openapi3.Schema {
	kinds := make([]any, len(model.ConversionTypes))
	for i, kind := range model.ConversionTypes {
		kinds[i] = string(kind)
	}
	s := object(openapi3.Schemas{"session_id": text("As the page's `rostrum-session` says."), "type": words("What the viewer did.", kinds...)})
	s.Properties["value"] = text("More about it, such as a button's label, up to 500 characters.")
	s.Properties["variant_id"] = text("The side of the split test; the session's own when not given.")
	for _, name := range []string{"value", "variant_id"} {
		s.Properties[name].Value.Type = orNull(s.Properties[name].Value.Type, true)
	}
	return s
}

func submissionSchema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Properties = openapi3.Schemas{"session_id": text("As the page's `rostrum-session` says; may be left out.")}
	return s
}

func (a *Adapter) view(w http.ResponseWriter, r *http.Request) error {
	in, err := report(w, r, viewSchema())
	if err != nil {
		return err
	}
	if err := a.config.Links.View(r, chi.URLParam(r, "slug"), link.View{SessionID: in["session_id"], Referrer: in["referrer"]}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *Adapter) convert(w http.ResponseWriter, r *http.Request) error {
	in, err := report(w, r, conversionSchema())
	if err != nil {
		return err
	}
	conversion := link.Conversion{SessionID: in["session_id"], Type: in["type"], Value: in["value"], VariantID: in["variant_id"]}
	if err := a.config.Links.Convert(r, chi.URLParam(r, "slug"), conversion); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}

func (a *Adapter) submit(w http.ResponseWriter, r *http.Request) error {
	slug := chi.URLParam(r, "slug")
	receipt, err := a.config.Links.Submit(w, r, slug)
	if wantsPage(r) {
		return a.config.Links.ShowForm(w, r, slug, receipt, err)
	}
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]string{"id": receipt.ID})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaJSON)
	w.WriteHeader(http.StatusCreated)
	a.write(w, r, text)
	return nil
}

// wantsPage reports whether a browser sent the form itself, without a script.
func wantsPage(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	accept := r.Header.Get("Accept")
	return err == nil && (media == mediaURL || media == mediaForm) && accept != "" && quality(accept, mediaPage) > quality(accept, mediaJSON)
}

// report reads a small object of texts: JSON, whatever a page's way to send it makes of the type, or a form. Null and absent are the same.
func report(w http.ResponseWriter, r *http.Request, schema *openapi3.Schema) (map[string]string, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxReport)
	value, err := reported(r)
	if err != nil {
		return nil, err
	}
	at := place(inBody, "")
	if bad := append(check(schema, value, at), nulTexts(value, at, nil)...); len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	members, _ := value.(map[string]any)
	out := make(map[string]string, len(members))
	for name := range schema.Properties {
		out[name], _ = members[name].(string)
	}
	return out, nil
}

func reported(r *http.Request) (any, error) {
	given := r.Header.Get("Content-Type")
	media, _, _ := strings.Cut(given, ";")
	switch media = strings.TrimSpace(media); {
	case media == mediaURL:
		if err := r.ParseForm(); err != nil {
			return nil, tooLong(err)
		}
		members := map[string]any{}
		for name, values := range r.PostForm {
			members[name] = values[0]
		}
		return members, nil
	case isJSON(given) || media == mediaText:
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, tooLong(err)
		}
		return decodeJSON(raw)
	}
	return nil, errs.New(errs.UnsupportedMediaType, "send the body as %s or %s", mediaJSON, mediaURL)
}

// tooLong names the limit of a report where that is what failed.
func tooLong(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errs.Wrap(err, errs.TooLarge, "the body is over 256 KB")
	}
	return errs.Wrap(err, errs.BadRequest, "the body could not be read")
}
