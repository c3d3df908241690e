package main

import (
	"context"
	"errors"
	"path"

	"rostrum/domain/ingest/extract"
	"rostrum/model"
	"rostrum/test/bench/quality"
)

// extractor has neither text recognition nor transcription: the set contains pages only.
var extractor = extract.New(extract.Config{})

// extraction passes a page to the ingestion's extractor as a fetch would.
func extraction(page quality.Page) quality.Extraction {
	result, err := extractor.Text(context.Background(), extract.Source{
		Body:      page.Raw,
		URL:       page.URL,
		MediaType: page.MediaType,
		Filename:  path.Base(page.URL),
	})
	if err != nil {
		return quality.Extraction{Reason: reasonOf(err)}
	}
	got := quality.Extraction{
		Title:    result.Title,
		Author:   result.Author,
		Language: result.Language,
		Content:  result.Content,
	}
	if result.Published != nil {
		got.Published = result.Published.UTC().Format("2006-01-02")
	}
	return got
}

func reasonOf(err error) model.ProcessingErrorCode {
	var failure *extract.Failure
	if errors.As(err, &failure) {
		return failure.Code
	}
	return model.ProcessingErrorCodeInternal
}
