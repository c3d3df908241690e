// Command tour uses all of the client against the gateway that test/e2e starts, and prints what it
// got as lines of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	rostrum "rostrum/clients/go"
	"rostrum/clients/go/graph"
)

var address, word, source = os.Getenv("ROSTRUM_URL"), os.Getenv("WORD"), os.Getenv("SOURCE")

func main() {
	client := rostrum.New(address, os.Getenv("ROSTRUM_KEY"))
	for _, step := range []func(context.Context, *rostrum.Client) error{ingest, upload, list, refuse} {
		if err := step(context.Background(), client); err != nil {
			log.Fatal(err)
		}
	}
}

func show(step string, values map[string]any) {
	values["step"] = step
	_ = json.NewEncoder(os.Stdout).Encode(values)
}

func ingest(ctx context.Context, client *rostrum.Client) error {
	after, err := client.EventCursor(ctx)
	if err != nil {
		return err
	}
	named := rostrum.WithIdempotencyKey(ctx, "tour-"+word)
	made, err := client.Ingest(named, graph.IngestDocumentInput{SourceUrl: source})
	if err != nil {
		return err
	}
	again, err := client.Ingest(named, graph.IngestDocumentInput{SourceUrl: source})
	if err != nil {
		return err
	}
	show("ingest", map[string]any{"id": made.DocumentId, "same": *made.JobId == *again.JobId})
	for event, err := range client.WatchJob(ctx, *made.JobId) {
		if err != nil {
			return err
		}
		show("event", map[string]any{"position": event.Position, "kind": event.Kind, "status": event.State.Status})
	}
	for change, err := range client.DocumentChanges(ctx, &graph.DocumentFilter{Q: &word}, after) {
		if err != nil {
			return err
		}
		if change.Document != nil && change.Document.Id == made.DocumentId {
			show("change", map[string]any{"id": made.DocumentId})
			break
		}
	}
	return nil
}

func upload(ctx context.Context, client *rostrum.Client) error {
	note := fmt.Sprintf("A note on %s by a colleague.", word)
	file := rostrum.File{Name: "note.txt", Content: strings.NewReader(note)}
	made, err := client.Upload(ctx, graph.CreateDocumentsInput{}, file)
	if err != nil {
		return err
	}
	state, err := client.AwaitJob(ctx, *made.Files[0].JobId)
	show("upload", map[string]any{"id": made.Files[0].DocumentId, "status": state.Status})
	return err
}

func list(ctx context.Context, client *rostrum.Client) error {
	options := rostrum.DocumentsOptions{Filter: &graph.DocumentFilter{Q: &word}, PageSize: 1}
	for document, err := range client.Documents(ctx, options) {
		if err != nil {
			return err
		}
		full, err := client.Document(ctx, document.Id)
		if err != nil {
			return err
		}
		show("document", map[string]any{"id": document.Id, "words": strings.Contains(*full.Content, word)})
	}
	return nil
}

func refuse(ctx context.Context, client *rostrum.Client) error {
	var refused *rostrum.Error
	_, err := client.Ingest(ctx, graph.IngestDocumentInput{SourceUrl: ""})
	if !errors.As(err, &refused) || len(refused.Fields) == 0 {
		return fmt.Errorf("ingest a wrong address: %w", err)
	}
	show("error", map[string]any{"code": refused.Code, "pointer": refused.Fields[0].Pointer})
	for _, err := range rostrum.New(address, "rsk_wrong").WatchJob(ctx, "job_x") {
		if !errors.As(err, &refused) {
			return fmt.Errorf("watch with a wrong key: %w", err)
		}
	}
	show("refusal", map[string]any{"code": refused.Code})
	return nil
}
