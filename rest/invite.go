package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/rest/openapi"
)

const (
	invitePath = "/api/public/auth/invite"
	resetPath  = "/api/public/auth/password"
	forgetPath = resetPath + "/forgotten"
	setupPath  = "/api/public/setup"
)

// Entries are the ways in of people who have no session: invites, links that set a password, and
// the first start. domain/account implements it.
type Entries interface {
	ReadInvite(ctx context.Context, secret string) (*model.OpenInvite, error)
	AcceptInvite(ctx context.Context, in account.AcceptInvite, v account.SignInOrigin) (*model.Session, error)
	SetPasswordByLink(ctx context.Context, secret, password string, v account.SignInOrigin) (*model.Session, error)
	ForgetPassword(ctx context.Context, email string) error
	NeedsSetup(ctx context.Context) (bool, error)
	SetUp(ctx context.Context, in account.Setup, v account.SignInOrigin) (*model.Session, error)
}

// entryBody is the body of a request without a session, whose secret is not in an address, because
// addresses are logged.
type entryBody struct {
	description string
	members     openapi3.Schemas
	required    []string
}

func (b entryBody) schema() *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Description, s.Properties = b.description, b.members
	return s
}

// read checks the origin, counts the attempt and reads the body.
func (b entryBody) read(a *Adapter, w http.ResponseWriter, r *http.Request) (map[string]string, error) {
	if err := CheckOrigin(r); err != nil {
		return nil, err
	}
	if err := a.config.Sessions.CountAttempt(r.Context(), a.newVisit(r)); err != nil {
		return nil, err
	}
	members, err := readMembers(w, r, b.schema())
	if err != nil {
		return nil, err
	}
	return members, requireMembers(members, b.required...)
}

var (
	inviteBody = entryBody{description: "The secret of an invite's link.", required: []string{"secret"},
		members: openapi3.Schemas{"secret": openapi.Text("The part of the link after #.")}}
	acceptBody = entryBody{description: "The secret of an invite's link and who accepts.", required: []string{"secret"},
		members: openapi3.Schemas{
			"secret":   openapi.Text("The part of the link after #."),
			"name":     openapi.Text("The name of a new user; by default the one in the invite."),
			"password": openapi.Text("What a new user will sign in with, of 8 to 256 characters, or the password of the account that has the email already. Not needed by who is signed in as that user."),
			"code":     openapi.Text(codeText),
		}}
	passwordBody = entryBody{description: "The secret of a link that an owner made, and the new password.",
		required: []string{"secret", "password"},
		members: openapi3.Schemas{
			"secret":   openapi.Text("The part of the link after #."),
			"password": openapi.Text("The new password, of 8 to 256 characters."),
			"code":     openapi.Text(codeText),
		}}
	forgetBody = entryBody{description: "Whose password is forgotten.", required: []string{"email"},
		members: openapi3.Schemas{"email": openapi.Text("The address that they sign in with.")}}
	setupBody = entryBody{description: "The first owner and their workspace.",
		required: []string{"token", "workspace", "email", "password"},
		members: openapi3.Schemas{
			"token":     openapi.Text("The token that the server printed at its start; also in setup.token in its data directory."),
			"workspace": openapi.Text("The workspace's name."),
			"name":      openapi.Text("The owner's name; by default the email's part before the @."),
			"email":     openapi.Text("The owner's email."),
			"password":  openapi.Text("What the owner will sign in with, of 8 to 256 characters."),
		}}
)

type openInviteBody struct {
	WorkspaceID string     `json:"workspace_id"`
	Workspace   string     `json:"workspace"`
	Email       string     `json:"email"`
	Name        string     `json:"name"`
	Role        model.Role `json:"role"`
	HasAccount  bool       `json:"has_account"`
	ExpiresAt   time.Time  `json:"expires_at"`
}

func openInviteSchema() *openapi3.Schema {
	until := openapi3.NewDateTimeSchema()
	until.Description = "When the link stops working."
	hasAccount := openapi3.NewBoolSchema()
	hasAccount.Description = "Whether a user has this email already, and so accepts with their password."
	return openapi.Object(openapi3.Schemas{
		"workspace_id": openapi.Text("The workspace's id."), "workspace": openapi.Text("The workspace's name."),
		"email": openapi.Text("The email that was invited."),
		"name":  openapi.Text("The name that was proposed; may be empty."),
		"role":  openapi.Enum("The role that they will have.", roleNames()...), "has_account": hasAccount.NewRef(),
		"expires_at": until.NewRef(),
	})
}

// readInvite shows an invite to the person who has its link.
func (a *Adapter) readInvite(w http.ResponseWriter, r *http.Request) error {
	in, err := inviteBody.read(a, w, r)
	if err != nil {
		return err
	}
	found, err := a.config.Entries.ReadInvite(r.Context(), in["secret"])
	if err != nil {
		return err
	}
	return a.sendJSON(w, r, openInviteBody{found.WorkspaceID, found.WorkspaceName, found.Email, found.Name, found.Role.Current(),
		found.HasAccount, found.ExpiresAt.UTC()})
}

func (a *Adapter) acceptInvite(w http.ResponseWriter, r *http.Request) error {
	in, err := acceptBody.read(a, w, r)
	if err != nil {
		return err
	}
	visit := a.newVisit(r)
	visit.Code = in["code"]
	session, err := a.config.Entries.AcceptInvite(r.Context(),
		account.AcceptInvite{Secret: in["secret"], Name: in["name"], Password: in["password"]}, visit)
	return a.sendSession(w, r, session, err)
}

// setPassword sets a password by a link that an owner made.
func (a *Adapter) setPassword(w http.ResponseWriter, r *http.Request) error {
	in, err := passwordBody.read(a, w, r)
	if err != nil {
		return err
	}
	visit := a.newVisit(r)
	visit.Code = in["code"]
	session, err := a.config.Entries.SetPasswordByLink(r.Context(), in["secret"], in["password"], visit)
	return a.sendSession(w, r, session, err)
}

// forgetPassword mails a link for a new password. The answer is the same whether there is such a user.
func (a *Adapter) forgetPassword(w http.ResponseWriter, r *http.Request) error {
	in, err := forgetBody.read(a, w, r)
	if err != nil {
		return err
	}
	if err := a.config.Entries.ForgetPassword(r.Context(), in["email"]); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}

type needsSetupBody struct {
	Needed bool `json:"needed"`
}

func needsSetupSchema() *openapi3.Schema {
	needed := openapi3.NewBoolSchema()
	needed.Description = "Whether there is no user, and no workspace but the demo."
	return openapi.Object(openapi3.Schemas{"needed": needed.NewRef()})
}

func (a *Adapter) needsSetup(w http.ResponseWriter, r *http.Request) error {
	needed, err := a.config.Entries.NeedsSetup(r.Context())
	if err != nil {
		return err
	}
	return a.sendJSON(w, r, needsSetupBody{needed})
}

// setUp creates the first workspace and its owner.
func (a *Adapter) setUp(w http.ResponseWriter, r *http.Request) error {
	in, err := setupBody.read(a, w, r)
	if err != nil {
		return err
	}
	session, err := a.config.Entries.SetUp(r.Context(), account.Setup{Token: in["token"], Workspace: in["workspace"],
		Name: in["name"], Email: in["email"], Password: in["password"]}, a.newVisit(r))
	return a.sendSession(w, r, session, err)
}

// entryHandlers returns the routes of people who have no session yet. They are not part of the
// graph because they set cookies.
func (a *Adapter) entryHandlers() []*handlerRoute {
	return []*handlerRoute{
		{serve: a.readInvite, Handler: openapi.Handler{
			Method: http.MethodPost, Path: invitePath, Name: "readInvite", Tag: "account", Summary: "Show an invite",
			Status: http.StatusOK, Details: "What the person who has the link may know.",
			Request: inviteBody.schema(), Response: openInviteSchema(), Fails: []int{400, 403, 404, 413, 415, 422},
		}},
		{serve: a.acceptInvite, Handler: openapi.Handler{
			Method: http.MethodPost, Path: invitePath + "/accept", Name: "acceptInvite", Tag: "account",
			Summary: "Accept an invite", Status: http.StatusOK,
			Details: "Makes the person a member and creates a session in a cookie. Who has an account already proves it by its password or session.",
			Request: acceptBody.schema(), Response: sessionSchema(), Fails: []int{400, 401, 403, 404, 409, 413, 415, 422},
		}},
		{serve: a.setPassword, Handler: openapi.Handler{
			Method: http.MethodPost, Path: resetPath, Name: "setPasswordByLink", Tag: "account",
			Summary: "Set a password by a link", Status: http.StatusOK,
			Details: "Ends the user's sessions and creates one in a cookie. The link works once.",
			Request: passwordBody.schema(), Response: sessionSchema(), Fails: []int{400, 401, 403, 404, 409, 413, 415, 422},
		}},
		{serve: a.forgetPassword, Handler: openapi.Handler{
			Method: http.MethodPost, Path: forgetPath, Name: "forgetPassword", Tag: "account",
			Summary: "Mail a link for a forgotten password", Status: http.StatusAccepted,
			Details: "The link works once and for a day. The answer is the same whether a user with a password has this email. A server without a mail server answers 409.",
			Request: forgetBody.schema(), Fails: []int{400, 403, 409, 413, 415, 422},
		}},
		{serve: a.needsSetup, Handler: openapi.Handler{
			Method: http.MethodGet, Path: setupPath, Name: "needsSetup", Tag: "account",
			Summary: "Tell whether the first workspace is missing", Status: http.StatusOK,
			Details: "Until then the console asks for it.", Response: needsSetupSchema(),
		}},
		{serve: a.setUp, Handler: openapi.Handler{
			Method: http.MethodPost, Path: setupPath, Name: "setUp", Tag: "account", Summary: "Create the first workspace",
			Status: http.StatusOK, Details: "Creates it with its owner, and a session in a cookie. The token works once.",
			Request: setupBody.schema(), Response: sessionSchema(), Fails: []int{400, 403, 409, 413, 415, 422},
		}},
	}
}
