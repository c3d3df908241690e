package rest

import (
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// signInBody is the request of sign-in: email and password, or an identity token.
type signInBody struct{ Email, Password, Code, IDToken string }

// codeText describes the member that proves a second factor.
const codeText = "The present code of the user's authenticator app, or a recovery code; only for a user with a second factor."

func credentialsSchema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Description = "Either `email` and `password`, or `id_token`."
	s.Properties = openapi3.Schemas{
		"email": openapi.Text("The user's email."), "password": openapi.Text("Their password."),
		"code":     openapi.Text(codeText),
		"id_token": openapi.Text("An identity token of the configured OpenID Connect issuer for this server."),
	}
	return s
}

// readCredentials parses the body. It returns an error with the missing fields.
func readCredentials(w http.ResponseWriter, r *http.Request) (c signInBody, err error) {
	members, err := readMembers(w, r, credentialsSchema())
	if err != nil {
		return c, err
	}
	c = signInBody{members["email"], members["password"], members["code"], members["id_token"]}
	if c.IDToken != "" {
		return c, nil
	}
	return c, requireMembers(members, "email", "password")
}

// readMembers returns the texts of a body that is an object with the schema. It returns an error
// for another body; members that are unknown are named in the header Ignored-Members.
func readMembers(w http.ResponseWriter, r *http.Request, schema *openapi3.Schema) (map[string]string, error) {
	raw, err := web.ReadBody(w, r, maxPublicBody)
	if err != nil {
		return nil, err
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, errs.New(errs.UnsupportedMediaType, "send the body as %s", stored.MediaJSON)
	}
	value, err := decodeJSON(raw)
	if err != nil {
		return nil, err
	}
	if bad := stored.Validate(schema, value, errs.BodyField); len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	members, _ := value.(map[string]any)
	if err := setIgnoredMembers(w.Header(), unknownMembers(schema, members), r); err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(members))
	for name, member := range members {
		texts[name], _ = member.(string)
	}
	return texts, nil
}

// requireMembers returns an error with the names whose text is empty.
func requireMembers(members map[string]string, names ...string) error {
	var bad []errs.Field
	for _, name := range names {
		if members[name] == "" {
			bad = append(bad, errs.BodyField("missing", "is required", name))
		}
	}
	if len(bad) > 0 {
		return errs.Invalid(bad...)
	}
	return nil
}

type userBody struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

func newUserBody(u *model.User) userBody { return userBody{u.ID, u.Email, u.Name} }

type sessionBody struct {
	User      userBody  `json:"user"`
	ExpiresAt time.Time `json:"expires_at"`
}

func sessionSchema() *openapi3.Schema {
	until := openapi3.NewDateTimeSchema()
	until.Description = "When the session expires."
	return openapi.Object(openapi3.Schemas{
		"user": openapi.Object(openapi3.Schemas{"id": openapi.Text("The typed id."),
			"email": openapi.Text("In lower case."), "name": openapi.Text("Their name.")}).NewRef(),
		"expires_at": until.NewRef(),
	})
}

type keyBody struct {
	ID     string `json:"id"`
	Prefix string `json:"prefix"`
	Name   string `json:"name"`
}

type workspaceBody struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Role model.Role `json:"role"`
	Plan model.Plan `json:"plan"`
	Keys []keyBody  `json:"keys"`
}

type workspacesBody struct {
	Workspaces []workspaceBody `json:"workspaces"`
}

func newWorkspaceBody(own *model.OwnWorkspace) workspaceBody {
	body := workspaceBody{ID: own.ID, Name: own.Name, Role: own.Role.Current(), Plan: own.Plan,
		Keys: make([]keyBody, len(own.Keys))}
	for i, key := range own.Keys {
		body.Keys[i] = keyBody{key.ID, key.Prefix, key.Name}
	}
	return body
}

func roleNames() []any {
	names := make([]any, len(model.Roles))
	for i, role := range model.Roles {
		names[i] = string(role)
	}
	return names
}

func workspacesSchema() *openapi3.Schema {
	key := openapi.Object(openapi3.Schemas{
		"id": openapi.Text("The typed id."), "prefix": openapi.Text("The secret's first characters, to recognise it by."),
		"name": openapi.Text("What it is for."),
	})
	workspace := openapi.Object(openapi3.Schemas{
		"id": openapi.Text("The typed id."), "name": openapi.Text("Its name."),
		"role": openapi.Enum("What the user is in it.", roleNames()...),
		"plan": openapi.Enum("What it has contracted.", string(model.PlanFree), string(model.PlanPro),
			string(model.PlanTeam)),
		"keys": openapi.List("Its keys that work, newest first; never their secrets.", key),
	})
	return openapi.Object(openapi3.Schemas{"workspaces": openapi.List("In the order in which the user joined them.",
		workspace)})
}

// sessionHandlers returns the routes of sessions. They are not part of the graph because they set
// cookies.
func (a *Adapter) sessionHandlers() []*handlerRoute {
	return []*handlerRoute{
		{serve: a.signIn, Handler: openapi.Handler{
			Method: http.MethodPost, Path: sessionPath, Name: "signIn", Tag: "account", Summary: "Sign in",
			Status:  http.StatusOK,
			Details: "Creates a session in a cookie and ends the browser's previous session.",
			Request: credentialsSchema(), Response: sessionSchema(),
			Fails: []int{400, 401, 403, 413, 415, 422},
		}},
		{serve: a.signOut, Handler: openapi.Handler{
			Method: http.MethodDelete, Path: sessionPath, Name: "signOut", Tag: "account", Summary: "Sign out",
			Status:  http.StatusNoContent,
			Details: "Ends the session on every process. Without a session nothing changes.",
			Fails:   []int{403},
		}},
		{serve: a.ownWorkspaces, Handler: openapi.Handler{
			Method: http.MethodGet, Path: "/api/public/auth/workspaces", Name: "myWorkspaces", Tag: "account",
			Summary: "List the signed-in user's workspaces",
			Details: "Each with the user's role and its keys without secrets.", Status: http.StatusOK,
			Response: workspacesSchema(), Security: openapi3.SecurityRequirements{openapi.SessionOnly}, Fails: []int{401},
		}},
		{serve: a.redirectToIssuer, fail: a.failOIDC, Handler: openapi.Handler{
			Method: http.MethodGet, Path: oidcPath, Name: "signInByIssuer", Tag: "account",
			Summary: "Sign in by OpenID Connect", Status: http.StatusSeeOther,
			Details: "Redirects the browser to the configured issuer; 404 without one.",
			Fails:   []int{404}, Pages: failedSignIns,
		}},
		{serve: a.completeOIDC, fail: a.failOIDC, Handler: openapi.Handler{
			Method: http.MethodGet, Path: CallbackPath, Name: "signInByIssuerReturn", Tag: "account",
			Summary: "Complete the sign-in by OpenID Connect", Status: http.StatusSeeOther,
			Details: "Creates a session for the user that the issuer authenticated and redirects to the console.",
			Parameters: []*openapi3.Parameter{
				{Name: "state", In: stored.InQuery, Description: "The state that was sent to the issuer.",
					Schema: openapi.Text("")},
				{Name: "code", In: stored.InQuery, Description: "The code to exchange for the identity token.",
					Schema: openapi.Text("")},
				{Name: "error", In: stored.InQuery, Description: "Why the issuer refused.", Schema: openapi.Text("")},
			},
			Fails: []int{401, 404}, Pages: append([]int{401}, failedSignIns...),
		}},
	}
}

// failedSignIns are the statuses of a sign-in at the issuer that browsers receive as a page.
var failedSignIns = []int{404, 429, 500, 503}
