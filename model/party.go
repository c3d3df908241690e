package model

import (
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// PartyKind is the kind of a party: what documents and signals are attributed to.
type PartyKind string

// The values of PartyKind. They are the names of the columns with the names of the parties.
const (
	PartyKindCompany   PartyKind = "company"
	PartyKindExecutive PartyKind = "executive"
)

// PartyKinds lists the kinds of parties.
var PartyKinds = []PartyKind{PartyKindCompany, PartyKindExecutive}

// Prefix returns the prefix of the kind's ids.
func (k PartyKind) Prefix() string {
	if k == PartyKindCompany {
		return CompanyPrefix
	}
	return ExecutivePrefix
}

// Party is a company or an executive, as rows that are attributed to it name it.
type Party struct {
	ID   string `bun:"id"`
	Name string `bun:"name"`
}

// NameKey returns the form in which names are compared: without case, compatibility forms of
// letters, and repeated spaces. For example, "Ana Lima" gives "ana lima". It is empty for a blank
// name.
func NameKey(name string) string {
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return strings.Join(strings.Fields(strings.ReplaceAll(folded, "’", "'")), " ")
}

// Company is a company to which documents and signals are attributed.
type Company struct {
	bun.BaseModel `bun:"table:company"`

	ID          string    `bun:"id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	Name        string    `bun:"name"`
	NameKey     string    `bun:"name_key"`
	IsOwn       bool      `bun:"is_own"` // it is one of the workspace's own companies
	CreatedAt   time.Time `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*Company) IsNode() {}

// CompanyConnection is one page of companies.
type CompanyConnection = Connection[Company]

// CompanyEdge is a company and its cursor.
type CompanyEdge = Edge[Company]

// Executive is a person to whom documents and signals are attributed.
type Executive struct {
	bun.BaseModel `bun:"table:executive"`

	ID                string     `bun:"id,pk"`
	WorkspaceID       string     `bun:"workspace_id"`
	Name              string     `bun:"name"`
	NameKey           string     `bun:"name_key"`
	CreatedAt         time.Time  `bun:"created_at"`
	TotalDocuments    int        `bun:"total_documents,scanonly"`    // only in lists
	LastCommunication *time.Time `bun:"last_communication,scanonly"` // only in lists
}

// IsNode marks the type as a Node.
func (*Executive) IsNode() {}

// ExecutiveConnection is one page of executives.
type ExecutiveConnection = Connection[Executive]

// ExecutiveEdge is an executive and its cursor.
type ExecutiveEdge = Edge[Executive]

// PartyAlias is a name by which a party is known; its own name is one too.
type PartyAlias struct {
	WorkspaceID string      `bun:"workspace_id"`
	NameKey     string      `bun:"name_key"`
	PartyID     string      `bun:"party_id"`
	Name        string      `bun:"name"`
	Source      AliasSource `bun:"source"`
	CreatedAt   time.Time   `bun:"created_at"`
}

// AliasSource is the origin of an alias.
type AliasSource string

// The values of AliasSource.
const (
	AliasSourceOwn    AliasSource = "own"    // it is or was the party's name
	AliasSourcePerson AliasSource = "person" // a person added it
	AliasSourceText   AliasSource = "text"   // a document introduces it with the full name
)
