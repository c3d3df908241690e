package main

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// nestedBody is a document with edges, in the shape of the graph.
type nestedBody struct {
	ID          string          `json:"id"`
	WorkspaceID string          `json:"workspaceId"`
	Title       string          `json:"title"`
	AutoTags    []nestedTagBody `json:"autoTags"`
	Reactions   struct {
		Nodes []nestedReactionBody `json:"nodes"`
	} `json:"reactions"`
}

type nestedTagBody struct {
	Name           string `json:"name"`
	ExtractedValue string `json:"extractedValue"`
	AutoTag        struct {
		Name    string `json:"name"`
		TagType string `json:"tagType"`
	} `json:"autoTag"`
}

type nestedReactionBody struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Persona struct {
		Name string `json:"name"`
	} `json:"persona"`
}

// nested returns a page of documents with their edges, with one statement for each level.
func (h handWritten) nested(ctx context.Context, workspace string, page int) ([]*nestedBody, error) {
	found, err := h.pool.Query(ctx, "SELECT id, workspace_id, title FROM document WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
		workspace, nestedSize, (page-1)*nestedSize)
	if err != nil {
		return nil, err
	}
	docs, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (*nestedBody, error) {
		doc := &nestedBody{AutoTags: []nestedTagBody{}}
		doc.Reactions.Nodes = []nestedReactionBody{}
		return doc, row.Scan(&doc.ID, &doc.WorkspaceID, &doc.Title)
	})
	if err != nil {
		return nil, err
	}
	ids, byID := make([]string, len(docs)), make(map[string]*nestedBody, len(docs))
	for i, d := range docs {
		ids[i], byID[d.ID] = d.ID, d
	}
	if err := h.nestedTags(ctx, workspace, ids, byID); err != nil {
		return nil, err
	}
	return docs, h.nestedReactions(ctx, workspace, ids, byID)
}

func (h handWritten) nestedTags(ctx context.Context, workspace string, ids []string,
	byID map[string]*nestedBody) error {
	found, err := h.pool.Query(ctx, `SELECT a.document_id, a.name, a.extracted_value, t.name, t.tag_type FROM document_auto_tag AS a
		JOIN auto_tag AS t ON t.id = a.auto_tag_id WHERE a.workspace_id = $1 AND a.document_id = ANY($2) ORDER BY a.applied_at, a.id`, workspace, ids)
	if err != nil {
		return err
	}
	var id string
	var tag nestedTagBody
	_, err = pgx.ForEachRow(found, []any{&id, &tag.Name, &tag.ExtractedValue, &tag.AutoTag.Name, &tag.AutoTag.TagType},
		func() error {
			byID[id].AutoTags = append(byID[id].AutoTags, tag)
			return nil
		})
	return err
}

func (h handWritten) nestedReactions(ctx context.Context, workspace string, ids []string,
	byID map[string]*nestedBody) error {
	found, err := h.pool.Query(ctx, `SELECT d.id, r.id, r.text, p.name FROM unnest($2::text[]) AS d (id) CROSS JOIN LATERAL (
		SELECT id, text, persona_id, created_at FROM reaction WHERE workspace_id = $1 AND document_id = d.id ORDER BY created_at DESC, id DESC LIMIT $3
		) AS r JOIN persona AS p ON p.id = r.persona_id ORDER BY d.id, r.created_at DESC, r.id DESC`, workspace, ids, nestedReactions)
	if err != nil {
		return err
	}
	var id string
	var reaction nestedReactionBody
	_, err = pgx.ForEachRow(found, []any{&id, &reaction.ID, &reaction.Text, &reaction.Persona.Name}, func() error {
		byID[id].Reactions.Nodes = append(byID[id].Reactions.Nodes, reaction)
		return nil
	})
	return err
}
