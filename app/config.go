package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"

	"rostrum/llm"
	"rostrum/model"
)

// Config is every setting of the program, read from the environment; the README's table is generated from it.
type Config struct {
	Addr           string                 `env:"ROSTRUM_ADDR" envDefault:"127.0.0.1:8080" help:"listen address"`
	PublicURL      string                 `env:"ROSTRUM_PUBLIC_URL" help:"for short links and absolute addresses; made from the listen address when empty"`
	DataDir        string                 `env:"ROSTRUM_DATA_DIR" envDefault:"./data" help:"the SQLite file, uploads, and demo.key, the demo workspace's key (mode 0600, written once)"`
	Database       string                 `env:"DATABASE_URL" help:"postgres://… ; SQLite in the data directory when empty"`
	Redis          string                 `env:"REDIS_URL" help:"redis://… ; an embedded Redis when empty"`
	LLMBaseURL     string                 `env:"LLM_BASE_URL" help:"an OpenAI-compatible server, with its version as in https://models.example/v1, for what models write and read, transcription and images included; the built-in engine when empty"`
	LLMKey         string                 `env:"LLM_API_KEY" help:"the key for that server"`
	LLMModel       string                 `env:"LLM_MODEL" help:"the model to ask there"`
	LLMWebSearch   bool                   `env:"LLM_WEB_SEARCH" help:"whether that server takes web_search_options, as OpenAI does for its search models; personas search the web when they are asked to"`
	LLMTimeout     time.Duration          `env:"LLM_TIMEOUT" envDefault:"2m" help:"how long one call of it may take, its repetitions included"`
	Trust          model.TrustedDocuments `env:"ROSTRUM_TRUSTED_DOCUMENTS" envDefault:"off" help:"what happens to GraphQL texts that are not stored operations: off (they run), log, or enforce (400 document_not_trusted)"`
	Introspect     *bool                  `env:"ROSTRUM_INTROSPECTION" help:"whether the graph describes its schema, also where trusted documents are enforced; true when not set"`
	Interpret      bool                   `env:"ROSTRUM_INTERPRET" help:"leave the writing of every answer to gqlgen, to rule out the compiled selections; the answers are the same"`
	QueryTime      time.Duration          `env:"ROSTRUM_QUERY_TIME" envDefault:"1s" help:"how long a query may take before it is answered unavailable; more on slow disks"`
	FetchAllow     []netip.Prefix         `env:"ROSTRUM_FETCH_ALLOW" help:"networks (CIDR, comma-separated) that ingestion and webhooks may reach although private: tests and intranets"`
	FetchCA        string                 `env:"ROSTRUM_FETCH_CA" help:"a PEM file of authorities that https webhooks are trusted by, beside the system's: tests and intranets"`
	ChatURLs       []string               `env:"ROSTRUM_CHAT_URLS" help:"addresses (comma-separated) below which incoming webhooks of a team chat live, beside https://hooks.slack.com/services/"`
	SealKey        string                 `env:"ROSTRUM_SEAL_KEY" help:"32 bytes in base64 that the signing secrets of webhooks are sealed under; processes that share a database need the same. seal.key in the data directory, made once, when empty"`
	Demo           *bool                  `env:"ROSTRUM_DEMO" help:"create and fill the demo workspace; true on an empty SQLite and false on Postgres when not set"`
	Namespace      string                 `env:"ROSTRUM_NAMESPACE" envDefault:"rostrum" help:"prefix of everything in Redis; gateways that share a Redis and not a database need different ones"`
	RatePerKey     int                    `env:"ROSTRUM_RATE_PER_KEY" envDefault:"600" help:"requests that a key may send at once, and again over each minute; 0 is no limit"`
	RatePerAddress int                    `env:"ROSTRUM_RATE_PER_ADDRESS" envDefault:"120" help:"the same for an address without a valid key"`
	Proxies        []netip.Prefix         `env:"ROSTRUM_PROXIES" help:"networks (CIDR, comma-separated) of proxies whose X-Forwarded-For is believed"`
	GeoFile        string                 `env:"ROSTRUM_GEO_FILE" help:"a MaxMind city or country database (.mmdb) that places viewers of links; without it places come from the headers of trusted proxies"`
	AdminKey       string                 `env:"ROSTRUM_ADMIN_KEY" help:"opens /admin and, beyond loopback, /metrics; both are closed when empty"`
	OIDCIssuer     string                 `env:"OIDC_ISSUER" help:"address of an OpenID Connect issuer that people sign in by, beside passwords; its callback is /api/public/auth/oidc/callback"`
	OIDCClient     string                 `env:"OIDC_CLIENT_ID" help:"what the program is called at the issuer"`
	OIDCSecret     string                 `env:"OIDC_CLIENT_SECRET" help:"the program's secret at the issuer"`
	Playground     string                 `env:"ROSTRUM_PLAYGROUND_DIR" envDefault:"./playground/node_modules" help:"where npm has put the playground's files"`
	Fonts          string                 `env:"ROSTRUM_FONT_DIR" envDefault:"./font/node_modules" help:"where npm has put the fonts of scripts that PDFs have no other font for; without them exports show those characters as boxes"`
}

// FromEnvironment reads the settings, after a .env file when there is one.
func FromEnvironment() (Config, error) {
	if err := godotenv.Load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("read .env: %w", err)
	}
	config, err := env.ParseAs[Config]()
	if err != nil {
		return config, fmt.Errorf("read settings: %w", err)
	}
	return config, config.check()
}

// check names settings that do not go together.
func (c Config) check() error {
	given := 0
	for _, value := range []string{c.OIDCIssuer, c.OIDCClient, c.OIDCSecret} {
		if value != "" {
			given++
		}
	}
	if given != 0 && given != 3 {
		return errors.New("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set together or not at all")
	}
	if c.LLMBaseURL != "" && c.LLMModel == "" {
		return errors.New("LLM_BASE_URL needs LLM_MODEL, the model to ask there")
	}
	if c.QueryTime < 0 {
		return errors.New("ROSTRUM_QUERY_TIME is not below 0; 0 means 1s")
	}
	return nil
}

// databaseAddress is where the database is: the server, or a file in the data directory.
func (c Config) databaseAddress() string {
	if c.Database != "" {
		return c.Database
	}
	return filepath.Join(c.DataDir, "rostrum.db")
}

// publicURL is the address that callers know the program by, without a slash at its end.
func (c Config) publicURL() string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	return "http://" + c.Addr
}

// engine is what answers the rooms' tasks: the configured server, or the engine that is built in.
func (c Config) engine() llm.Engine {
	if c.LLMBaseURL == "" {
		return llm.Measure(llm.Builtin{})
	}
	return llm.Measure(llm.NewOpenAI(llm.Config{
		BaseURL: c.LLMBaseURL, Key: c.LLMKey, Model: c.LLMModel, Timeout: c.LLMTimeout, WebSearch: c.LLMWebSearch,
	}))
}
