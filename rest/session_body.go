package rest

import (
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/model"
)

// credentials are what R05 is sent: email and password, or an identity token.
type credentials struct{ Email, Password, IDToken string }

func credentialsSchema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Description = "Either `email` and `password`, or `id_token`."
	s.Properties = openapi3.Schemas{
		"email": text("The user's email."), "password": text("Their password."),
		"id_token": text("An identity token that the configured OpenID Connect issuer made for this server."),
	}
	return s
}

// readCredentials reads the body and names what is missing.
func readCredentials(w http.ResponseWriter, r *http.Request) (c credentials, err error) {
	raw, err := readAll(w, r)
	if err != nil {
		return c, err
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return c, errs.New(errs.UnsupportedMediaType, "send the body as %s", mediaJSON)
	}
	value, err := decodeJSON(raw)
	if err != nil {
		return c, err
	}
	at := place(inBody, "")
	if bad := check(credentialsSchema(), value, at); len(bad) > 0 {
		return c, errs.Invalid(bad...)
	}
	members, _ := value.(map[string]any)
	c.Email, _ = members["email"].(string)
	c.Password, _ = members["password"].(string)
	c.IDToken, _ = members["id_token"].(string)
	if c.IDToken != "" {
		return c, nil
	}
	var bad []errs.Field
	for _, required := range []struct{ name, value string }{{"email", c.Email}, {"password", c.Password}} {
		if required.value == "" {
			bad = append(bad, at("missing", "is required", required.name))
		}
	}
	if len(bad) > 0 {
		return c, errs.Invalid(bad...)
	}
	return c, nil
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
	until.Description = "When the session ends by itself."
	return object(openapi3.Schemas{
		"user":       object(openapi3.Schemas{"id": text("The typed id."), "email": text("In lower case."), "name": text("Their name.")}).NewRef(),
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
	body := workspaceBody{ID: own.ID, Name: own.Name, Role: own.Role, Plan: own.Plan, Keys: make([]keyBody, len(own.Keys))}
	for i, key := range own.Keys {
		body.Keys[i] = keyBody{key.ID, key.Prefix, key.Name}
	}
	return body
}

func workspacesSchema() *openapi3.Schema {
	key := object(openapi3.Schemas{
		"id": text("The typed id."), "prefix": text("The secret's first characters, to recognise it by."), "name": text("What it is for."),
	})
	workspace := object(openapi3.Schemas{
		"id": text("The typed id."), "name": text("Its name."),
		"role": words("What the user is in it.", string(model.RoleOwner), string(model.RoleMember)),
		"plan": words("What it has contracted.", string(model.PlanFree), string(model.PlanPro), string(model.PlanTeam)),
		"keys": list("Its keys that work, newest first; never their secrets.", key),
	})
	return object(openapi3.Schemas{"workspaces": list("In the order in which the user joined them.", workspace)})
}

// sessionOnly is the security of what a signed-in user does.
var sessionOnly = openapi3.NewSecurityRequirement().Authenticate("SessionCookie")

// sessionHandlers are the routes of sessions, which are not the graph's: they deal in cookies.
func (a *Adapter) sessionHandlers() []*handler {
	return []*handler{
		{
			method: http.MethodPost, path: sessionPath, name: "signIn", tag: "account", summary: "Sign in", status: http.StatusOK,
			details: "Begins a session, in a cookie, and ends the one that the browser had.",
			request: credentialsSchema(), response: sessionSchema(), serve: a.signIn,
			fails: []int{400, 401, 403, 413, 415, 422, 429},
		},
		{
			method: http.MethodDelete, path: sessionPath, name: "signOut", tag: "account", summary: "Sign out", status: http.StatusNoContent,
			details: "Ends the session on every process; without one nothing changes.", serve: a.signOut, fails: []int{403},
		},
		{
			method: http.MethodGet, path: "/api/public/auth/workspaces", name: "myWorkspaces", tag: "account", summary: "The signed-in user's workspaces",
			details: "Each with the user's role and its keys, without their secrets.", status: http.StatusOK,
			response: workspacesSchema(), security: sessionOnly, serve: a.ownWorkspaces, fails: []int{401},
		},
		{
			method: http.MethodGet, path: oidcPath, name: "signInByIssuer", tag: "account", summary: "Sign in by OpenID Connect", status: http.StatusSeeOther,
			details: "Sends the browser to the configured issuer; 404 when there is none.", serve: a.leave, fails: []int{404},
		},
		{
			method: http.MethodGet, path: CallbackPath, name: "signInByIssuerReturn", tag: "account", summary: "Come back from the issuer", status: http.StatusSeeOther,
			details: "Begins a session for who the issuer vouches for and goes on to the playground.", serve: a.comeBack,
			parameters: []*openapi3.Parameter{
				{Name: "state", In: inQuery, Description: "As it was sent.", Schema: text("")},
				{Name: "code", In: inQuery, Description: "What the identity token is fetched with.", Schema: text("")},
				{Name: "error", In: inQuery, Description: "Why the issuer refused.", Schema: text("")},
			},
			fails: []int{401, 404, 429},
		},
	}
}
