package page

import "io"

// PasswordField is the name of the field of the page that asks for a password.
const PasswordField = "password"

// PasswordProblem is why a password did not open a link.
type PasswordProblem string

// The problems: another password, too many attempts, and a server that cannot check it now.
const (
	WrongPassword       PasswordProblem = "wrong"
	TooManyAttempts     PasswordProblem = "too_many"
	PasswordUnavailable PasswordProblem = "unavailable"
)

// passwordView is the data of the templates about passwords.
type passwordView struct {
	headView
	Field, Problem string
	Words          passwordTexts
	Next           string // the address of the content
}

func newPasswordView(lang string) passwordView {
	head, texts := newHead("", lang, nil)
	head.Title = texts.Password.Title
	return passwordView{headView: head, Field: PasswordField, Words: texts.Password}
}

// RenderPassword writes the page that asks for a link's password and posts it to its own address. It
// shows nothing of the link. The problem is empty at the first request.
func RenderPassword(w io.Writer, lang string, problem PasswordProblem) error {
	v := newPasswordView(lang)
	v.Problem = map[PasswordProblem]string{WrongPassword: v.Words.Wrong, TooManyAttempts: v.Words.TooMany,
		PasswordUnavailable: v.Words.Unavailable}[problem]
	return writeTemplate(w, "password", v)
}

// RenderUnlocked writes a page that forwards to next. After a form, browsers follow no redirect to
// another site, because the policy of pages restricts where forms lead (form-action).
func RenderUnlocked(w io.Writer, lang, next string) error {
	v := newPasswordView(lang)
	v.Title, v.Next = v.Words.Right, next
	return writeTemplate(w, "unlocked", v)
}
