package llmtest

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// EmbeddingTask is the task of a call for vectors. Only answers with this task match it; without
// one the server sends the vectors.
const EmbeddingTask = "embedding"

// vectorSize is the number of dimensions of the vectors.
const vectorSize = 64

// Synonyms maps words in lower case to the words that they are embedded as.
func (m *Server) Synonyms(words map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.synonyms = maps.Clone(words)
}

// WordVector returns the vector of a text before the server's client normalizes it; see CountWords.
func (m *Server) WordVector(text string) []float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return CountWords(text, vectorSize, m.synonyms)
}

// CountWords returns the number of a text's words in each dimension, which is the hash of the word
// in lower case, or of its synonym. A text without words is counted as a word.
func CountWords(text string, dimensions uint32, synonyms map[string]string) []float64 {
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if len(words) == 0 {
		words = []string{text}
	}
	vector := make([]float64, dimensions)
	for _, word := range words {
		sum := fnv.New32a()
		_, _ = io.WriteString(sum, cmp.Or(synonyms[word], word))
		vector[sum.Sum32()%dimensions]++
	}
	return vector
}

// serveVectors sends the vectors of the texts of a request in reverse order, as a client has to
// read their index. The prompt of the call has a text in each line.
func (m *Server) serveVectors(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil || len(body.Input) == 0 || body.Model == "" {
		m.t.Errorf("the request does not follow the protocol: %s, %v", text, err)
		sendFailure(w, http.StatusBadRequest, "not the protocol")
		return
	}
	answer, _ := m.matchAnswer(Call{
		Task: r.Header.Get("X-Task"), Model: body.Model, Authorization: r.Header.Get("Authorization"),
		Prompt: strings.Join(body.Input, "\n"),
	})
	if answer.sendScriptedFailure(w, r, sendFailure) {
		return
	}
	vectors := []vectorEntry{}
	for i := len(body.Input) - 1; i >= 0; i-- {
		entry := vectorEntry{Object: "embedding", Index: i}
		for _, value := range m.WordVector(body.Input[i]) {
			entry.Values = append(entry.Values, &value)
		}
		vectors = append(vectors, entry)
	}
	m.countAnswer(answer)
	sendVectors(w, body.Model, vectors, answer)
}

// vectorEntry is a vector of a response.
type vectorEntry struct {
	Object string     `json:"object"`
	Index  int        `json:"index"`
	Values []*float64 `json:"embedding"`
}

// sendVectors sends the vectors of an answer, or an unusable form of it: one vector less ("count"),
// an index twice ("index"), a value that is null ("null"), a vector of zeros ("zero"), one
// dimension less ("dimensions"), or NaN, which JSON does not have ("syntax").
func sendVectors(w http.ResponseWriter, modelName string, vectors []vectorEntry, a Answer) {
	first := &vectors[0]
	switch a.Malformed {
	case "count":
		vectors = vectors[1:]
	case "index":
		first.Index = vectors[len(vectors)-1].Index
	case "null":
		first.Values[0] = nil
	case "zero":
		first.Values = slices.Repeat([]*float64{new(0.0)}, len(first.Values))
	case "dimensions":
		first.Values = first.Values[1:]
	}
	body, _ := json.Marshal(map[string]any{
		"object": "list", "model": modelName, "data": vectors,
		"usage": map[string]int{"prompt_tokens": PromptTokens, "total_tokens": PromptTokens},
	})
	if a.Malformed == "syntax" {
		body = []byte(strings.Replace(string(body), `"embedding":[`, `"embedding":[NaN,`, 1))
	}
	sendBody(w, body, a.Cut)
}
