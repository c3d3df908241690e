package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/server"
)

// modelServers is the JSON list of LLM_FALLBACKS.
type modelServers []modelServer

type modelServer struct {
	Protocol    server.Protocol `json:"protocol"`
	BaseURL     string          `json:"base_url"`
	Key         string          `json:"api_key"`
	Model       string          `json:"model"`
	Models      []string        `json:"models"`
	Timeout     string          `json:"timeout"`
	WebSearch   bool            `json:"web_search"`
	PromptPrice *float64        `json:"prompt_price"`
	AnswerPrice *float64        `json:"answer_price"`
}

// UnmarshalText parses the setting. It returns an error for unknown members.
func (m *modelServers) UnmarshalText(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode((*[]modelServer)(m))
}

// modelConfigs returns the configured model servers in the order of asking. It returns an error for
// an invalid timeout.
func (c Config) modelConfigs() ([]server.Config, error) {
	if c.LLMBaseURL == "" {
		return nil, nil
	}
	configs := []server.Config{{
		Protocol: c.LLMProtocol, BaseURL: c.LLMBaseURL, Key: c.LLMKey, Model: c.LLMModel, Models: c.LLMModels,
		Timeout:   c.LLMTimeout,
		WebSearch: c.LLMWebSearch, Price: llm.Price{Prompt: c.LLMPromptPrice, Answer: c.LLMAnswerPrice},
	}}
	for i, m := range c.LLMFallbacks {
		limit := c.LLMTimeout
		if m.Timeout != "" {
			var err error
			if limit, err = time.ParseDuration(m.Timeout); err != nil {
				return nil, fmt.Errorf("LLM_FALLBACKS[%d].timeout: %w", i, err)
			}
		}
		configs = append(configs, server.Config{
			Protocol: m.Protocol, BaseURL: m.BaseURL, Key: m.Key, Model: m.Model, Models: m.Models, Timeout: limit,
			WebSearch: m.WebSearch,
			Price:     llm.Price{Prompt: m.PromptPrice, Answer: m.AnswerPrice},
		})
	}
	return configs, nil
}

// validateModels returns an error for model servers that cannot be asked.
func (c Config) validateModels() error {
	if c.LLMBaseURL == "" && len(c.LLMFallbacks) > 0 {
		return errors.New("LLM_FALLBACKS needs LLM_BASE_URL, the server that is asked first")
	}
	if c.LLMEmbedding != "" && (c.LLMBaseURL == "" || c.LLMProtocol == server.ProtocolAnthropic) {
		return errors.New("LLM_EMBEDDING_MODEL needs LLM_BASE_URL, a server with LLM_PROTOCOL=openai: the protocol anthropic has no embeddings")
	}
	if c.LLMJudge != "" && c.LLMBaseURL == "" {
		return errors.New("LLM_JUDGE_MODEL needs LLM_BASE_URL, the server that has the model")
	}
	configs, err := c.modelConfigs()
	if err != nil {
		return err
	}
	for _, config := range configs {
		if config.BaseURL == "" || config.Model == "" {
			return errors.New("LLM_BASE_URL needs LLM_MODEL, the model to ask there, and each of LLM_FALLBACKS needs base_url and model")
		}
		switch config.Protocol {
		case "", server.ProtocolOpenAI, server.ProtocolAnthropic:
		default:
			return fmt.Errorf("LLM_PROTOCOL, or protocol in LLM_FALLBACKS, is openai or anthropic, not %q",
				config.Protocol)
		}
	}
	return nil
}

// newEngine returns the engine for text models: the configured servers with recorded requests, or
// the offline engine.
func (c Config) newEngine(record llm.RecordFunc) llm.Engine {
	configs, err := c.modelConfigs()
	if err != nil || len(configs) == 0 { // validate has returned the error
		return llm.Measure(offline.Engine{})
	}
	for i := range configs {
		configs[i].Record = record
	}
	return llm.Measure(server.New(configs...))
}

// newJudge returns the judge of claims, with recorded requests. Without a judge's model it holds all
// claims for proved.
func (c Config) newJudge(record llm.RecordFunc) llm.Judge {
	if c.LLMJudge == "" {
		return llm.Judge{}
	}
	return llm.Judge{Engine: llm.Measure(server.New(server.Config{
		Protocol: c.LLMProtocol, BaseURL: c.LLMBaseURL, Key: c.LLMKey, Model: c.LLMJudge, Timeout: c.LLMTimeout,
		Record: record, Price: llm.Price{Prompt: c.LLMPromptPrice, Answer: c.LLMAnswerPrice},
	}))}
}

// newEmbedder returns the configured server's embedder with recorded requests; nil without an
// embedding model.
func (c Config) newEmbedder(record llm.RecordFunc) llm.Embedder {
	if c.LLMEmbedding == "" {
		return nil
	}
	return server.NewEmbedder(server.Config{
		BaseURL: c.LLMBaseURL, Key: c.LLMKey, Model: c.LLMEmbedding, Timeout: c.LLMTimeout, Record: record,
		Price: llm.Price{Prompt: c.LLMVectorPrice, Answer: new(0.0)}, // it writes no tokens
	})
}
