package graph

import (
	"context"
	"slices"
	"strings"
	"testing"

	"rostrum/model"
)

// typeColumns are the columns of the types with rows that are read by the selection.
var typeColumns = map[string]Columns{
	"ApiKey": keyColumns, "AppliedAutoTag": appliedColumns, "AudienceSummary": summaryColumns,
	"AuditEntry": auditColumns, "AutoTag": autoTagColumns,
	"AutoTagReview": reviewColumns, "CommsFilterExample": exampleColumns, "CommsFilterTag": filterTagColumns,
	"Company":    companyColumns,
	"Comparison": comparisonColumns, "Delivery": deliveryColumns, "Document": documentColumns,
	"DocumentAutoTag": valueColumns, "DocumentVersion": versionColumns,
	"DeletedDocument": deletedColumns, "Draft": draftColumns, "DraftVersion": draftVersionColumns,
	"DraftStateChange": stateChangeColumns, "DraftComment": draftCommentColumns,
	"Event": eventColumns, "Executive": executiveColumns, "ExecutiveVoice": voiceColumns,
	"FilterTagValue": countedColumns, "Job": jobColumns,
	"Link": linkColumns, "LinkConversion": linkConversionColumns, "LinkSession": linkSessionColumns,
	"LinkSubmission": linkSubmissionColumns,
	"LinkVariant":    linkVariantColumns, "Invite": inviteColumns, "Member": memberColumns, "ModelCall": callColumns, "Persona": personaColumns,
	"PersonaInteraction": interactionColumns, "Reaction": reactionColumns, "RunReservation": runColumns,
	"Signal": signalColumns, "User": userColumns,
	"AppVersion": appVersionColumns, "RegisteredOperation": operationColumns,
	"HouseRule":   houseRuleColumns,
	"SavedSearch": savedSearchColumns, "Source": sourceColumns,
	"Webhook": webhookColumns,
}

// unreadFields are fields that are set without a column of their own.
var unreadFields = []string{
	"AudienceSummary.isStale", // computed from columns that are always read
	"Webhook.signingSecret",   // only in the response of the mutation that creates it
}

// TestColumns_of_every_field checks that each field that is a part of its row reads a column.
func TestColumns_of_every_field(t *testing.T) {
	t.Parallel()
	schema, resolved := FullSchema(), resolvedFields()
	for name, columns := range typeColumns {
		def := schema.Types[name]
		if def == nil {
			t.Errorf("there is no type %s", name)
			continue
		}
		for _, field := range def.Fields {
			hasResolver := slices.ContainsFunc(resolved[name],
				func(method string) bool { return strings.EqualFold(method, field.Name) })
			if hasResolver || slices.Contains(unreadFields, name+"."+field.Name) {
				continue
			}
			isRead := func(column string) bool { return slices.Contains(columns.all, column) }
			if !slices.ContainsFunc(columns.byName[strings.ToLower(field.Name)], isRead) {
				t.Errorf("%s.%s reads no column", name, field.Name)
			}
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	companies := ColumnsOf[model.Company]("id")
	documents := ColumnsOf[model.Document]("id", "created_at").Reading("companyName", "company").
		Joining("company", "party", companies)
	for _, c := range []struct {
		name, query string
		paths       []string
		want        []string
	}{
		{"an object", `{ document(id: "doc_a") { title sourceUrl } }`, nil,
			[]string{"id", "title", "source_url", "created_at"}},
		{"aliases and __typename", `{ document(id: "doc_a") { title: companyName __typename } }`, nil,
			[]string{"id", "company", "created_at"}},
		{"nodes and edges together", `{ documents { nodes { url } edges { cursor node { wordCount } } } }`,
			[]string{"nodes", "edges.node"},
			[]string{"id", "url", "word_count", "created_at"}},
		{"neither nodes nor edges", `{ documents { totalCount pageInfo { hasNextPage } } }`,
			[]string{"nodes", "edges.node"}, []string{"id", "created_at"}},
		{"fragments", `{ documents { ...P } } fragment P on DocumentConnection { nodes { ... on Document { tags } ... { language } } }`, []string{"nodes"},
			[]string{"id", "language", "tags", "created_at"}},
		{"conditions", `query($no: Boolean = false, $yes: Boolean = true) { document(id: "doc_a") { title @include(if: $no) author @skip(if: $yes) companyName @include(if: $yes) } }`, nil,
			[]string{"id", "company", "created_at"}},
		{"objects in a column", `{ document(id: "doc_a") { processingError { message } } }`, nil,
			[]string{"id", "processing_error", "created_at"}},
		{"a field with a resolver", `{ document(id: "doc_a") { autoTags { name } } }`, nil,
			[]string{"id", "created_at"}},
		{"a joined row", `{ documents { nodes { company { name } again: company { ...C } } } } fragment C on Company { id createdAt }`, []string{"nodes"},
			[]string{"id", "created_at", "party.id", "party.name", "party.created_at"}},
		{"the id of a joined row", `{ documents { nodes { company { id __typename } } } }`, []string{"nodes"},
			[]string{"id", "company", "created_at"}},
		{"the same field twice", `{ documents { nodes { title } nodes { companyName } } }`, []string{"nodes"},
			[]string{"id", "title", "company", "created_at"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t)
			var got []string
			b.columns = func(ctx context.Context) { got = documents.Selected(ctx, c.paths...) }
			b.post(t, readKey, c.query).want(t, 200)
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
	t.Run("a method reads the whole row", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		var got []string
		workspaces := ColumnsOf[model.Workspace]("id")
		b.columns = func(ctx context.Context) { got = workspaces.Selected(ctx) }
		b.post(t, readKey, `{ workspace { name } }`).want(t, 200)
		if !slices.Equal(got, []string{"id", "name"}) {
			t.Errorf("got %v", got)
		}
		b.post(t, readKey, `{ workspace { runBudget { used } } }`).want(t, 200)
		if !slices.Contains(got, "runs_used") || len(got) < 10 {
			t.Errorf("got %v", got)
		}
	})
}
