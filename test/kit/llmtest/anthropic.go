package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// readMessageCall parses a request of Anthropic's Messages API. The format of a call with a tool
// that the model has to use is "tool".
func readMessageCall(r *http.Request) (Call, error) {
	var body struct {
		Model     string `json:"model"`
		Stream    bool   `json:"stream"`
		MaxTokens int    `json:"max_tokens"`
		System    []struct{ Text string }
		Messages  []struct {
			Role    string
			Content []struct{ Type, Text string }
		}
		Tools []struct {
			Name   string         `json:"name"`
			Schema map[string]any `json:"input_schema"`
		}
		Choice struct{ Type, Name string } `json:"tool_choice"`
	}
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	call := Call{
		Task: r.Header.Get("X-Task"), Model: body.Model, Authorization: r.Header.Get("X-Api-Key"), Stream: body.Stream,
		MaxTokens: body.MaxTokens,
	}
	for _, block := range body.System {
		call.System += block.Text
	}
	for _, message := range body.Messages {
		for _, block := range message.Content {
			call.Prompt += block.Text
		}
		if message.Role != "user" {
			err = cmp.Or(err, fmt.Errorf("a message of role %q", message.Role))
		}
	}
	if len(body.Tools) > 0 {
		call.Format = "tool"
		if body.Choice.Type != "tool" || body.Choice.Name != body.Tools[0].Name ||
			body.Tools[0].Schema["type"] != "object" {
			err = cmp.Or(err, fmt.Errorf("a tool that need not be used, or without a schema: %s", text))
		}
	}
	if call.MaxTokens == 0 || r.Header.Get("Anthropic-Version") == "" {
		err = cmp.Or(err, fmt.Errorf("no max_tokens or no version: %s", text))
	}
	return call, err
}

func sendMessageFailure(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	kind := "api_error"
	if status == http.StatusTooManyRequests {
		kind = "rate_limit_error"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "error",
		"error": map[string]any{"type": kind, "message": message}})
}

func (a Answer) stopReason(call Call) string {
	switch {
	case a.Truncated:
		return "max_tokens"
	case a.Declined:
		return "refusal"
	case call.Format == "tool":
		return "tool_use"
	}
	return "end_turn"
}

// block returns the content block of an answer: the input of the tool if the text is JSON and a
// tool has to be used.
func (a Answer) block(call Call) map[string]any {
	if call.Format == "tool" && json.Valid([]byte(a.Text)) {
		return map[string]any{"type": "tool_use", "id": "toolu_1", "name": "answer", "input": json.RawMessage(a.Text)}
	}
	return map[string]any{"type": "text", "text": a.Text}
}

func messageOf(content []any, reason any, answered int) map[string]any {
	return map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": ScriptedModel, "content": content,
		"stop_reason": reason, "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": PromptTokens, "output_tokens": answered},
	}
}

func sendMessage(w http.ResponseWriter, call Call, a Answer) {
	body, _ := json.Marshal(messageOf([]any{a.block(call)}, a.stopReason(call), AnswerTokens))
	sendBody(w, body, a.Cut)
}

// streamMessage sends the text one word in each event.
func streamMessage(w http.ResponseWriter, call Call, a Answer) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	event := func(name string, members map[string]any) {
		members["type"] = name
		body, _ := json.Marshal(members)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, body)
		_ = out.Flush()
	}
	event("message_start", map[string]any{"message": messageOf([]any{}, nil, 1)})
	event("content_block_start", map[string]any{"index": 0,
		"content_block": map[string]any{"type": "text", "text": ""}})
	words := strings.SplitAfter(a.Text, " ")
	for i, word := range words {
		if a.Cut && i >= len(words)/2 {
			panic(http.ErrAbortHandler)
		}
		event("content_block_delta", map[string]any{"index": 0,
			"delta": map[string]any{"type": "text_delta", "text": word}})
	}
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": a.stopReason(call), "stop_sequence": nil},
		"usage": map[string]int{"output_tokens": AnswerTokens},
	})
	event("message_stop", map[string]any{})
}
