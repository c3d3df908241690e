package rest

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"

	"rostrum/domain/link"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
)

const (
	mediaURL  = "application/x-www-form-urlencoded"
	mediaText = "text/plain" // the type of a text that navigator.sendBeacon sends
	mediaPage = "text/html"
)

// Links records the reports that hosted pages send about their viewers; domain/link implements it.
// No key or cookie is needed: the session in the request authorizes it.
type Links interface {
	View(r *http.Request, slug string, in link.View) error
	Convert(r *http.Request, slug string, in link.Conversion) error
	Submit(w http.ResponseWriter, r *http.Request, slug string) (link.Receipt, error)
	ShowForm(w http.ResponseWriter, r *http.Request, slug string, receipt link.Receipt, failure error) error
}

// linkHandlers returns the routes that hosted pages report to. They need no key and are not part of
// the graph.
func (a *Adapter) linkHandlers() []*handlerRoute {
	slug := []*openapi3.Parameter{{Name: "slug", In: inPath, Required: true, Description: "The link's slug.",
		Schema: textSchema("")}}
	fails := []int{400, 404, 413, 415, 422}
	const base = "/api/public/links/{slug}/"
	return []*handlerRoute{
		{
			method: http.MethodPost, path: base + "views", name: "viewLink", tag: "links",
			summary:    "Report that a person sees a hosted page",
			details:    "Starts the viewer session that the page was served with. Repeated requests change nothing.",
			status:     http.StatusNoContent,
			parameters: slug, request: viewSchema(), media: []string{mediaURL, mediaText}, fails: fails,
			serve: a.recordView,
		},
		{
			method: http.MethodPost, path: base + "conversions", name: "convertLink", tag: "links",
			summary: "Report a conversion",
			details: "The same type and value count once per session. Repeated requests are accepted and change nothing.", status: http.StatusAccepted,
			parameters: slug, request: conversionSchema(), media: []string{mediaURL, mediaText}, fails: fails,
			serve: a.recordConversion,
		},
		{
			method: http.MethodPost, path: base + "submissions", name: "submitLink", tag: "links",
			summary: "Submit the form of a hosted page",
			details: "The form's fields by name, and `session_id`. A browser that submits the form without a script receives a page.",
			status:  http.StatusCreated, parameters: slug, request: submissionSchema(),
			media:    []string{mediaURL, mediaForm},
			response: objectSchema(openapi3.Schemas{"id": textSchema("The submission's typed id.")}), page: true,
			fails: fails, serve: a.submitForm,
		},
	}
}

func viewSchema() *openapi3.Schema {
	s := objectSchema(openapi3.Schemas{"session_id": textSchema("The value of the page's `rostrum-session`.")})
	s.Properties["referrer"] = textSchema("The page that linked to this one.")
	return s
}

func conversionSchema() *openapi3.Schema {
	kinds := make([]any, len(model.ConversionTypes))
	for i, kind := range model.ConversionTypes {
		kinds[i] = string(kind)
	}
	s := objectSchema(openapi3.Schemas{"session_id": textSchema("The value of the page's `rostrum-session`."),
		"type": enumSchema("What the viewer did.", kinds...)})
	s.Properties["value"] = textSchema("Details such as a button's label, up to 500 characters.")
	s.Properties["variant_id"] = textSchema("The variant of the split test; the session's variant by default.")
	for _, name := range []string{"value", "variant_id"} {
		s.Properties[name].Value.Type = orNull(s.Properties[name].Value.Type, true)
	}
	return s
}

func submissionSchema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Properties = openapi3.Schemas{"session_id": textSchema("The value of the page's `rostrum-session`; optional.")}
	return s
}

func (a *Adapter) recordView(w http.ResponseWriter, r *http.Request) error {
	in, err := readReport(w, r, viewSchema())
	if err != nil {
		return err
	}
	if err := a.config.Links.View(r, chi.URLParam(r, "slug"),
		link.View{SessionID: in["session_id"], Referrer: in["referrer"]}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *Adapter) recordConversion(w http.ResponseWriter, r *http.Request) error {
	in, err := readReport(w, r, conversionSchema())
	if err != nil {
		return err
	}
	conversion := link.Conversion{SessionID: in["session_id"], Type: in["type"], Value: in["value"],
		VariantID: in["variant_id"]}
	if err := a.config.Links.Convert(r, chi.URLParam(r, "slug"), conversion); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}

func (a *Adapter) submitForm(w http.ResponseWriter, r *http.Request) error {
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
	a.writeBody(w, r, text)
	return nil
}

// wantsPage reports whether a browser submitted the form without a script.
func wantsPage(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	accept := web.ParseAccept(r.Header)
	return err == nil && (media == mediaURL || media == mediaForm) &&
		accept.Quality(mediaPage) > accept.Quality(mediaJSON)
}

// readReport reads a small object of strings from JSON or a form, whatever Content-Type the page
// sends it with. Null and absent members are the same. It returns an error with every invalid
// field.
func readReport(w http.ResponseWriter, r *http.Request, schema *openapi3.Schema) (map[string]string, error) {
	value, err := decodeReport(w, r)
	if err != nil {
		return nil, err
	}
	at := fieldAt(inBody, "")
	if bad := append(validateValue(schema, value, at), nulErrors(value, at, nil)...); len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	members, _ := value.(map[string]any)
	out := make(map[string]string, len(members))
	for name := range schema.Properties {
		out[name], _ = members[name].(string)
	}
	return out, nil
}

func decodeReport(w http.ResponseWriter, r *http.Request) (any, error) {
	given := r.Header.Get("Content-Type")
	media, _, _ := strings.Cut(given, ";")
	media = strings.TrimSpace(media)
	if media != mediaURL && media != mediaText && !isJSON(given) {
		return nil, errs.New(errs.UnsupportedMediaType, "send the body as %s or %s", mediaJSON, mediaURL)
	}
	raw, err := web.ReadBody(w, r, maxPublicBody)
	if err != nil {
		return nil, err
	}
	if media != mediaURL {
		return decodeJSON(raw)
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, errs.Wrap(err, errs.BadRequest, "the form is not urlencoded")
	}
	members := map[string]any{}
	for name, values := range form {
		members[name] = values[0]
	}
	return members, nil
}
