package cli

import (
	"context"
	"slices"
	"strings"
)

type askCommand struct {
	access
	Persona  string   `arg:"" help:"The persona's id or exact name."`
	Question []string `arg:"" help:"The question."`
	Document string   `help:"The id of a document that the persona reads."`
}

// reply is what a persona answers.
type reply struct {
	OutputContent string `json:"output_content"`
	Warning       string
	Grounded      *struct {
		Items []source
	} `json:"grounded_context_selection"`
}

// source is a part of a document that a reply is based on.
type source struct {
	DocumentID string `json:"document_id"`
	Title      string
}

func (c askCommand) Run(ctx context.Context, streams Streams) error {
	connection, err := c.Connect()
	if err != nil {
		return err
	}
	body := map[string]string{"persona_id": c.Persona, "input_content": strings.Join(c.Question, " ")}
	if c.Document != "" {
		body["document_id"] = c.Document
	}
	var got reply
	answer, err := connection.post(ctx, "/api/v1/personas/interact", body, &got)
	if err != nil {
		return err
	}
	if c.JSON {
		return printAnswer(streams.Out, answer)
	}
	return got.print(streams)
}

func (r reply) print(streams Streams) error {
	if r.Warning != "" {
		if err := printText(streams.Err, "%s\n", r.Warning); err != nil {
			return err
		}
	}
	if err := printText(streams.Out, "%s\n", r.OutputContent); err != nil {
		return err
	}
	if r.Grounded == nil || len(r.Grounded.Items) == 0 {
		return nil
	}
	var told []source
	text := "\nSources:\n"
	for _, item := range r.Grounded.Items {
		if !slices.Contains(told, item) {
			told = append(told, item)
			text += item.DocumentID + "\t" + oneLine(item.Title) + "\n"
		}
	}
	return printText(streams.Out, "%s", text)
}
