package notice

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/platform/principal"
)

const (
	maxLines  = 50  // of a mail
	maxEvents = 500 // that a mail reads
	maxTitle  = 150 // characters of a title
)

//go:embed mail.tmpl
var mailFiles embed.FS

var mailTexts = template.Must(template.ParseFS(mailFiles, "mail.tmpl"))

// languages are the languages that mails are written in.
var languages = []string{"en", "de"}

// languageOf returns the language in which mails to a reader of a language are written.
func languageOf(tag string) string {
	for _, language := range languages {
		if tag == language || strings.HasPrefix(tag, language+"-") {
			return language
		}
	}
	return languages[0]
}

// line is a line of a mail: what happened, to what, how often, and where the console shows it.
type line struct {
	Name, What, URL string
	Count           int
}

// reader is whom a mail is composed for.
type reader struct {
	*model.MailSettings
	role      model.Role
	User      *model.User
	Workspace *model.Workspace
	language  string
}

// readerOf returns whom a mail is for, and the context of what they may read; nil if they are no
// member any more or get no mails.
func (s *Service) readerOf(ctx context.Context, mail *model.Mail) (*reader, context.Context, error) {
	p, err := s.Accounts.Principal(ctx, mail.WorkspaceID, "", mail.SubjectID)
	if errs.Is(err, errs.WorkspaceMismatch) {
		return nil, ctx, nil
	}
	if err != nil {
		return nil, ctx, err
	}
	ctx = principal.With(ctx, p)
	settings, err := s.find(ctx, s.DB, mail.WorkspaceID, mail.SubjectID)
	if err != nil || settings == nil || mail.Detail == nil {
		return nil, ctx, err
	}
	users, err := s.Accounts.UsersByID(ctx, mail.WorkspaceID, []string{mail.SubjectID}, "id", "name")
	if err != nil || len(users) == 0 {
		return nil, ctx, err
	}
	w, err := s.Accounts.Workspace(ctx)
	return &reader{settings, p.Role, users[0], w, languageOf(settings.Language)}, ctx, err
}

// ComposeAlert returns an alert, or nil if there is nothing left to be told.
func (s *Service) ComposeAlert(ctx context.Context, mail *model.Mail, _ string) (*model.MailText, error) {
	to, ctx, err := s.readerOf(ctx, mail)
	if err != nil || to == nil || len(to.Alerts) == 0 {
		return nil, wrap(err)
	}
	events, total, err := s.Events.Range(ctx, mail.WorkspaceID, *mail.Detail, model.Names(to.Alerts), maxEvents)
	if err != nil {
		return nil, wrap(err)
	}
	lines, err := s.linesOf(ctx, to, events)
	if err != nil || len(lines) == 0 {
		return nil, wrap(err)
	}
	told := 0
	for _, one := range lines[:min(len(lines), maxLines)] {
		told += one.Count
	}
	left := total - len(events)
	for _, one := range lines[min(len(lines), maxLines):] {
		left += one.Count
	}
	return s.write("alert", to, map[string]any{"Lines": lines[:min(len(lines), maxLines)], "More": left, "All": told + left})
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("compose a mail: %w", err)
}

// write returns a text in the reader's language: the first line of the template is the subject.
func (s *Service) write(name string, to *reader, values map[string]any) (*model.MailText, error) {
	stop := s.PublicURL + "/console/account"
	values["Name"], values["Workspace"], values["Stop"] = to.User.Name, oneLine(to.Workspace.Name), stop
	values["Console"] = s.PublicURL + "/console/"
	written, err := execute(name+"."+to.language, values)
	if err != nil {
		return nil, err
	}
	subject, body, _ := strings.Cut(written, "\n\n")
	return &model.MailText{Subject: subject, Body: body + "\n", Stop: stop}, nil
}

// execute returns a text of mail.tmpl without white space around it.
func execute(name string, values any) (string, error) {
	var out bytes.Buffer
	if err := mailTexts.ExecuteTemplate(&out, name, values); err != nil {
		return "", fmt.Errorf("compose a mail: %w", err)
	}
	return strings.TrimSpace(out.String()), nil
}

// oneLine returns a text on one line, shortened to maxTitle.
func oneLine(given string) string {
	return text.FirstRunes(strings.Join(strings.Fields(given), " "), maxTitle)
}

// eventData are the members of events' data that mails show.
type eventData struct {
	Search   *eventdata.Search    `json:"search"`
	Document *eventdata.Document  `json:"document"`
	Job      *eventdata.Job       `json:"job"`
	Draft    *eventdata.Reference `json:"draft"`
	Comment  *eventdata.Reference `json:"comment"`
	Source   *eventdata.Reference `json:"source"`
	Webhook  *eventdata.Reference `json:"webhook"`
	Budget   *eventdata.Budget    `json:"budget"`
	Summary  *eventdata.Reference `json:"summary"`
}

// linesOf returns a line for each kind of event and object, in the order of the first events. It
// leaves out what the mail must not tell.
func (s *Service) linesOf(ctx context.Context, to *reader, events []*model.Event) ([]line, error) {
	datas, ids := make([]eventData, len(events)), []string{}
	for i, e := range events {
		if len(e.Data) > 0 {
			if err := json.Unmarshal(e.Data, &datas[i]); err != nil {
				return nil, fmt.Errorf("read the data of %s: %w", e.ID, err)
			}
		}
		if datas[i].Document != nil {
			ids = append(ids, datas[i].Document.ID)
		}
	}
	titles, err := s.titles(ctx, to, ids)
	if err != nil {
		return nil, err
	}
	var lines []line
	places := map[line]int{}
	for i, e := range events {
		one := s.lineOf(e, datas[i])
		if datas[i].Document != nil {
			title, mayBeTold := titles[datas[i].Document.ID]
			if !mayBeTold {
				continue
			}
			one.What = join(one.What, title)
		}
		if one.Name, err = execute(e.Event+"."+to.language, nil); err != nil {
			return nil, err
		}
		place, known := places[one]
		if !known {
			place, places[one], lines = len(lines), len(lines), append(lines, one)
		}
		lines[place].Count++
	}
	return lines, nil
}

// lineOf returns the line of an event without its name and its document's title.
func (s *Service) lineOf(e *model.Event, data eventData) line {
	console := s.PublicURL + "/console"
	switch {
	case e.LinkID != nil && e.Link != nil:
		return line{What: oneLine(e.Link.Title), URL: console + "/links/" + *e.LinkID}
	case data.Comment != nil:
		return line{URL: data.Comment.URL}
	case data.Draft != nil:
		return line{URL: data.Draft.URL}
	case data.Source != nil:
		return line{URL: data.Source.URL}
	case data.Webhook != nil:
		return line{URL: data.Webhook.URL}
	case data.Budget != nil:
		return line{What: fmt.Sprintf("%d %%, %d/%d", data.Budget.Percent, data.Budget.Used, data.Budget.Limit), URL: data.Budget.URL}
	case data.Summary != nil:
		return line{URL: data.Summary.URL}
	case data.Job != nil:
		return line{What: data.Job.Type, URL: data.Job.URL}
	case data.Search != nil && data.Document != nil:
		return line{What: oneLine(data.Search.Name), URL: data.Document.URL}
	case data.Document != nil:
		return line{URL: data.Document.URL}
	}
	return line{URL: console + "/"}
}

// join joins what a line says of a search and of a document.
func join(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + ": " + second
}

// titles returns the titles of the documents that a mail may tell of: nothing for an internal one.
// One under embargo and a deleted one are absent.
func (s *Service) titles(ctx context.Context, to *reader, ids []string) (map[string]string, error) {
	titles := map[string]string{}
	if len(ids) == 0 {
		return titles, nil
	}
	docs, err := s.Documents.ByIDs(model.WithReads(ctx, nil), to.WorkspaceID, ids, "id", "title", "visibility", "embargoed_until")
	if err != nil {
		return nil, err
	}
	for i, visibility := range s.Documents.Visibilities(docs) {
		switch visibility {
		case model.VisibilityPublic:
			titles[docs[i].ID] = oneLine(docs[i].Title)
		case model.VisibilityInternal:
			titles[docs[i].ID] = ""
		}
	}
	return titles, nil
}
