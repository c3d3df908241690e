package rest

import (
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/web"
)

// signInBody is the request of sign-in (R05): email and password, or an identity token.
type signInBody struct{ Email, Password, IDToken string }

func credentialsSchema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Description = "Either `email` and `password`, or `id_token`."
	s.Properties = openapi3.Schemas{
		"email": textSchema("The user's email."), "password": textSchema("Their password."),
		"id_token": textSchema("An identity token of the configured OpenID Connect issuer for this server."),
	}
	return s
}

// readCredentials parses the body. It returns an error with the missing fields.
func readCredentials(w http.ResponseWriter, r *http.Request) (c signInBody, err error) {
	raw, err := web.ReadBody(w, r, maxPublicBody)
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
	at := fieldAt(inBody, "")
	if bad := append(validateValue(credentialsSchema(), value, at), nulErrors(value, at, nil)...); len(bad) > 0 {
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
	until.Description = "When the session expires."
	return objectSchema(openapi3.Schemas{
		"user": objectSchema(openapi3.Schemas{"id": textSchema("The typed id."),
			"email": textSchema("In lower case."), "name": textSchema("Their name.")}).NewRef(),
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
	body := workspaceBody{ID: own.ID, Name: own.Name, Role: own.Role, Plan: own.Plan,
		Keys: make([]keyBody, len(own.Keys))}
	for i, key := range own.Keys {
		body.Keys[i] = keyBody{key.ID, key.Prefix, key.Name}
	}
	return body
}

func workspacesSchema() *openapi3.Schema {
	key := objectSchema(openapi3.Schemas{
		"id": textSchema("The typed id."), "prefix": textSchema("The secret's first characters, to recognise it by."),
		"name": textSchema("What it is for."),
	})
	workspace := objectSchema(openapi3.Schemas{
		"id": textSchema("The typed id."), "name": textSchema("Its name."),
		"role": enumSchema("What the user is in it.", string(model.RoleOwner), string(model.RoleMember)),
		"plan": enumSchema("What it has contracted.", string(model.PlanFree), string(model.PlanPro),
			string(model.PlanTeam)),
		"keys": listSchema("Its keys that work, newest first; never their secrets.", key),
	})
	return objectSchema(openapi3.Schemas{"workspaces": listSchema("In the order in which the user joined them.",
		workspace)})
}

// sessionOnly is the OpenAPI security of routes for signed-in users.
var sessionOnly = openapi3.NewSecurityRequirement().Authenticate("SessionCookie")

// sessionHandlers returns the routes of sessions. They are not part of the graph because they set
// cookies.
func (a *Adapter) sessionHandlers() []*handlerRoute {
	return []*handlerRoute{
		{
			method: http.MethodPost, path: sessionPath, name: "signIn", tag: "account", summary: "Sign in",
			status:  http.StatusOK,
			details: "Creates a session in a cookie and ends the browser's previous session.",
			request: credentialsSchema(), response: sessionSchema(), serve: a.signIn,
			fails: []int{400, 401, 403, 413, 415, 422},
		},
		{
			method: http.MethodDelete, path: sessionPath, name: "signOut", tag: "account", summary: "Sign out",
			status:  http.StatusNoContent,
			details: "Ends the session on every process. Without a session nothing changes.", serve: a.signOut,
			fails: []int{403},
		},
		{
			method: http.MethodGet, path: "/api/public/auth/workspaces", name: "myWorkspaces", tag: "account",
			summary: "List the signed-in user's workspaces",
			details: "Each with the user's role and its keys without secrets.", status: http.StatusOK,
			response: workspacesSchema(), security: sessionOnly, serve: a.ownWorkspaces, fails: []int{401},
		},
		{
			method: http.MethodGet, path: oidcPath, name: "signInByIssuer", tag: "account",
			summary: "Sign in by OpenID Connect", status: http.StatusSeeOther,
			details: "Redirects the browser to the configured issuer; 404 without one.", serve: a.redirectToIssuer,
			fails: []int{404},
		},
		{
			method: http.MethodGet, path: CallbackPath, name: "signInByIssuerReturn", tag: "account",
			summary: "Complete the sign-in by OpenID Connect", status: http.StatusSeeOther,
			details: "Creates a session for the user that the issuer authenticated and redirects to the console.",
			serve:   a.completeOIDC,
			parameters: []*openapi3.Parameter{
				{Name: "state", In: inQuery, Description: "The state that was sent to the issuer.",
					Schema: textSchema("")},
				{Name: "code", In: inQuery, Description: "The code to exchange for the identity token.",
					Schema: textSchema("")},
				{Name: "error", In: inQuery, Description: "Why the issuer refused.", Schema: textSchema("")},
			},
			fails: []int{401, 404},
		},
	}
}
