package agent

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"rostrum/errs"
	"rostrum/rest/stored"
)

// source is a kind of resource, which REST reads and lists.
type source struct {
	prefix, what    string
	read, parameter string // the operation, and its parameter with the id
	list, rows      string // the operation, and the member of its answer with the rows
	page            string // the arguments for the first page, without contents
}

// sources lists the kinds of resources. A list has the newest of each.
var sources = []source{
	{prefix: "rostrum://documents/", what: "document", read: "getDocument", parameter: "doc_id",
		list: "listDocuments", rows: "documents", page: `{"per_page": 50, "light": true}`},
	{prefix: "rostrum://drafts/", what: "draft", read: "getDraft", parameter: "draft_id",
		list: "listDrafts", rows: "drafts", page: `{"per_page": 50}`},
}

// addResources adds a template for each kind of resource.
func (s *Server) addResources(server *mcp.Server) {
	for _, kind := range sources {
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: kind.what, Title: "A " + kind.what + " of the workspace", URITemplate: kind.prefix + "{id}",
			MIMEType: stored.MediaJSON, Description: "The " + kind.what + " with its text, as " + ToolName(kind.read) +
				" returns it. " + untrusted,
		}, s.readResource(kind))
	}
}

// readResource returns the handler that reads resources of a kind.
func (s *Server) readResource(kind source) mcp.ResourceHandler {
	return func(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id, err := json.Marshal(map[string]string{kind.parameter: strings.TrimPrefix(request.Params.URI, kind.prefix)})
		if err != nil {
			return nil, s.protocolError(ctx, err)
		}
		answer := s.run(ctx, s.tools[ToolName(kind.read)].op, id)
		switch {
		case answer.status == http.StatusNotFound:
			return nil, mcp.ResourceNotFoundError(request.Params.URI)
		case answer.failed():
			return nil, answer.protocolError()
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: request.Params.URI, MIMEType: stored.MediaJSON, Text: answer.body.String()}}}, nil
	}
}

// listResources lists the newest resources of each kind.
func (s *Server) listResources(ctx context.Context) (*mcp.ListResourcesResult, error) {
	list := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
	keepPrivate(ctx, nil, &list.Cacheable)
	for _, kind := range sources {
		answer := s.run(ctx, s.tools[ToolName(kind.list)].op, json.RawMessage(kind.page))
		if answer.failed() {
			return nil, answer.protocolError()
		}
		for _, row := range gjson.GetBytes(answer.body.Bytes(), kind.rows).Array() {
			id := row.Get("id").String()
			list.Resources = append(list.Resources, &mcp.Resource{URI: kind.prefix + id, Name: id,
				Title: row.Get("title").String(), MIMEType: stored.MediaJSON})
		}
	}
	return list, nil
}

// protocolError returns the error of the protocol for a problem.
func (a *answer) protocolError() error {
	return newProtocolError(gjson.GetBytes(a.body.Bytes(), "detail").String(), a.body.Bytes())
}

// protocolError returns an error of the protocol with the problem document as its data.
func (s *Server) protocolError(ctx context.Context, err error) error {
	return newProtocolError(errs.From(err).Message, s.config.Problem(caller(ctx), err))
}
