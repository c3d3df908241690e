package persona

import (
	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
)

// Profile holds the main fields of a new persona, for callers without a GraphQL request.
type Profile struct {
	Name, Category, Description, Interests, Concerns, CommunicationStyle string
}

// Input returns the input of Create with every field set.
func (p Profile) Input() api.CreatePersonaInput {
	return api.CreatePersonaInput{
		Name: p.Name, Category: graphql.OmittableOf(&p.Category), Description: graphql.OmittableOf(&p.Description),
		Interests: graphql.OmittableOf(&p.Interests), Concerns: graphql.OmittableOf(&p.Concerns),
		CommunicationStyle: graphql.OmittableOf(&p.CommunicationStyle),
	}
}
