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
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

const (
	mediaURL  = "application/x-www-form-urlencoded"
	mediaText = "text/plain" // the type of a text that navigator.sendBeacon sends
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
	slug := []*openapi3.Parameter{{Name: "slug", In: stored.InPath, Required: true, Description: "The link's slug.",
		Schema: openapi.Text("")}}
	fails := []int{400, 404, 413, 415, 422}
	const base = "/api/public/links/{slug}/"
	return []*handlerRoute{
		{serve: a.recordView, Handler: openapi.Handler{
			Method: http.MethodPost, Path: base + "views", Name: "viewLink", Tag: "links",
			Summary:    "Report that a person sees a hosted page",
			Details:    "Starts the viewer session that the page was served with. Repeated requests change nothing.",
			Status:     http.StatusNoContent,
			Parameters: slug, Request: viewSchema(), Media: []string{mediaURL, mediaText}, Fails: fails,
		}},
		{serve: a.recordConversion, Handler: openapi.Handler{
			Method: http.MethodPost, Path: base + "conversions", Name: "convertLink", Tag: "links",
			Summary:    "Report a conversion",
			Details:    "The same type and value count once per session. Repeated requests are accepted and change nothing.",
			Status:     http.StatusAccepted,
			Parameters: slug, Request: conversionSchema(), Media: []string{mediaURL, mediaText}, Fails: fails,
		}},
		{serve: a.submitForm, Handler: openapi.Handler{
			Method: http.MethodPost, Path: base + "submissions", Name: "submitLink", Tag: "links",
			Summary: "Submit the form of a hosted page",
			Details: "The form's fields by name, and `session_id`. A browser that submits the form without a script receives a page.",
			Status:  http.StatusCreated, Parameters: slug, Request: submissionSchema(),
			Media:    []string{mediaURL, stored.MediaForm},
			Response: openapi.Object(openapi3.Schemas{"id": openapi.Text("The submission's typed id.")}),
			Pages:    []int{http.StatusCreated, http.StatusUnprocessableEntity},
			Fails:    fails,
		}},
	}
}

func viewSchema() *openapi3.Schema {
	s := openapi.Object(openapi3.Schemas{"session_id": openapi.Text("The value of the page's `rostrum-session`.")})
	s.Properties["referrer"] = openapi.Text("The page that linked to this one.")
	s.Properties["query"] = openapi.Text("The query of the page's address, whose `utm_` parameters name a campaign.")
	return s
}

func conversionSchema() *openapi3.Schema {
	kinds := make([]any, len(model.ConversionTypes))
	for i, kind := range model.ConversionTypes {
		kinds[i] = string(kind)
	}
	s := openapi.Object(openapi3.Schemas{"session_id": openapi.Text("The value of the page's `rostrum-session`."),
		"type": openapi.Enum("What the viewer did.", kinds...)})
	s.Properties["value"] = openapi.Text("Details such as a button's label, up to 500 characters.")
	s.Properties["variant_id"] = openapi.Text("The variant of the split test; the session's variant by default.")
	for _, name := range []string{"value", "variant_id"} {
		s.Properties[name].Value.Type = stored.OrNull(s.Properties[name].Value.Type, true)
	}
	return s
}

func submissionSchema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Properties = openapi3.Schemas{"session_id": openapi.Text("The value of the page's `rostrum-session`; optional.")}
	s.WithAnyAdditionalProperties() // the form's fields
	return s
}

func (a *Adapter) recordView(w http.ResponseWriter, r *http.Request) error {
	in, err := readReport(w, r, viewSchema())
	if err != nil {
		return err
	}
	if err := a.config.Links.View(r, chi.URLParam(r, "slug"),
		link.View{SessionID: in["session_id"], Referrer: in["referrer"], Query: in["query"]}); err != nil {
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
	w.Header().Set("Content-Type", stored.MediaJSON)
	w.WriteHeader(http.StatusCreated)
	a.writeBody(w, r, text)
	return nil
}

// wantsPage reports whether a browser submitted the form without a script.
func wantsPage(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	accept := web.ParseAccept(r.Header)
	return err == nil && (media == mediaURL || media == stored.MediaForm) &&
		accept.Quality(openapi.MediaPage) > accept.Quality(stored.MediaJSON)
}

// readReport reads a small object of strings from JSON or a form, whatever Content-Type the page
// sends it with. Null and absent members are the same. It returns an error with every invalid
// field.
func readReport(w http.ResponseWriter, r *http.Request, schema *openapi3.Schema) (map[string]string, error) {
	value, err := decodeReport(w, r)
	if err != nil {
		return nil, err
	}
	if bad := stored.Validate(schema, value, errs.BodyField); len(bad) > 0 {
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
		return nil, errs.New(errs.UnsupportedMediaType, "send the body as %s or %s", stored.MediaJSON, mediaURL)
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
