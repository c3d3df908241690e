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

	"rostrum/llm/server"
	"rostrum/model"
)

// Config holds the settings: environment variables. docs/settings.md is generated from it.
type Config struct {
	Addr           string                 `env:"ROSTRUM_ADDR" envDefault:"127.0.0.1:8080" help:"listen address"`
	PublicURL      string                 `env:"ROSTRUM_PUBLIC_URL" help:"base of short links and absolute URLs; derived from the listen address if empty"`
	DataDir        string                 `env:"ROSTRUM_DATA_DIR" envDefault:"./data" help:"the SQLite file, uploads, and demo.key, the demo workspace's key (mode 0600, written once)"`
	BlobURL        string                 `env:"ROSTRUM_BLOB_URL" help:"where the originals of documents and the files of links are stored: s3://bucket?region=… with the credentials of the AWS SDK, and endpoint=… and use_path_style=true for other servers that speak S3; the folder blobs of the data directory if empty, which several gateways of a database must share"`
	Database       string                 `env:"DATABASE_URL" help:"postgres://…; SQLite in the data directory if empty"`
	Redis          string                 `env:"REDIS_URL" help:"redis://… or rediss://…, also of a Sentinel; an embedded Redis if empty"`
	LLMBaseURL     string                 `env:"LLM_BASE_URL" help:"a model server with its version, such as https://models.example/v1, for texts, and for transcription and images unless its protocol is anthropic; the offline engine if empty"`
	LLMProtocol    server.Protocol        `env:"LLM_PROTOCOL" envDefault:"openai" help:"the protocol of that server: openai (chat completions) or anthropic (messages)"`
	LLMKey         string                 `env:"LLM_API_KEY" help:"the key for that server"`
	LLMModel       string                 `env:"LLM_MODEL" help:"the model of that server"`
	LLMModels      []string               `env:"LLM_MODELS" help:"further models (comma-separated) of that server that requests may name; others are rejected"`
	LLMJudge       string                 `env:"LLM_JUDGE_MODEL" help:"the model of that server that checks in a second call whether quotes prove what a text model says of them, in signals, comparisons and personas; without it words alone decide"`
	LLMWebSearch   bool                   `env:"LLM_WEB_SEARCH" help:"whether that server accepts web_search_options, as OpenAI does for its search models; lets personas search the web on request"`
	LLMTimeout     time.Duration          `env:"LLM_TIMEOUT" envDefault:"2m" help:"time limit of one call, retries included"`
	LLMFallbacks   modelServers           `env:"LLM_FALLBACKS" help:"further model servers that are asked in this order if the first fails, as JSON: [{protocol, base_url, api_key, model, models, timeout, web_search, prompt_price, answer_price}]"`
	LLMPromptPrice *float64               `env:"LLM_PROMPT_PRICE" help:"price of a million tokens that the model reads; calls have a cost if both prices are set"`
	LLMAnswerPrice *float64               `env:"LLM_ANSWER_PRICE" help:"price of a million tokens that the model writes, in the same currency"`
	LLMEmbedding   string                 `env:"LLM_EMBEDDING_MODEL" help:"the model of that server that turns texts into vectors (POST /embeddings), which are near each other for texts of near meaning; reactions are then rated by them; not with the protocol anthropic"`
	LLMVectorPrice *float64               `env:"LLM_EMBEDDING_PRICE" help:"price of a million tokens that the embedding model reads, in the same currency"`
	Trust          model.TrustedDocuments `env:"ROSTRUM_TRUSTED_DOCUMENTS" envDefault:"off" help:"policy for GraphQL operations that are neither stored nor registered: off (they run), log, or enforce (400 document_not_trusted)"`
	Introspect     *bool                  `env:"ROSTRUM_INTROSPECTION" help:"whether introspection is enabled, also with enforced trusted documents; true if not set"`
	Interpret      bool                   `env:"ROSTRUM_INTERPRET" help:"disable compiled selections, for diagnosis; responses are the same"`
	QueryTime      time.Duration          `env:"ROSTRUM_QUERY_TIME" envDefault:"1s" help:"time limit of a query, after which it fails with unavailable; raise it on slow disks"`
	FetchAllow     []netip.Prefix         `env:"ROSTRUM_FETCH_ALLOW" help:"private networks (CIDR, comma-separated) that ingestion, mailboxes and webhooks may access: tests and intranets"`
	FetchCA        string                 `env:"ROSTRUM_FETCH_CA" help:"a PEM file of additional certificate authorities for what this server connects to by TLS: tests and intranets"`
	ChatURLs       []string               `env:"ROSTRUM_CHAT_URLS" help:"additional URL prefixes (comma-separated) of incoming chat webhooks; https://hooks.slack.com/services/ is always included"`
	SealKey        string                 `env:"ROSTRUM_SEAL_KEY" help:"32 bytes in base64 that encrypt the signing secrets of webhooks, the passwords of mailboxes and the secrets of authenticator apps; the same for all processes of a database. If empty, seal.key in the data directory, created once"`
	Demo           *bool                  `env:"ROSTRUM_DEMO" help:"create the demo workspace; if not set, true on an empty SQLite and false on Postgres"`
	Namespace      string                 `env:"ROSTRUM_NAMESPACE" envDefault:"rostrum" help:"prefix of all keys in Redis; must differ between gateways that share a Redis but not a database"`
	RatePerKey     int                    `env:"ROSTRUM_RATE_PER_KEY" envDefault:"600" help:"requests per minute and burst of a key; 0 disables the limit"`
	RatePerAddress int                    `env:"ROSTRUM_RATE_PER_ADDRESS" envDefault:"120" help:"requests per minute and burst of an address without a valid key"`
	KeyStreams     int                    `env:"ROSTRUM_STREAMS_PER_KEY" envDefault:"100" help:"subscriptions and event streams that a key or user may have open at the same time in a process"`
	SpaceStreams   int                    `env:"ROSTRUM_STREAMS_PER_WORKSPACE" envDefault:"300" help:"subscriptions and event streams that a workspace may have open at the same time in a process"`
	LinkSessions   int                    `env:"ROSTRUM_SESSIONS_PER_ADDRESS" envDefault:"300" help:"viewer sessions of links that an address may start per minute; further visits get the same response and are not counted; 0 disables the limit"`
	LinkRetention  time.Duration          `env:"ROSTRUM_SESSION_RETENTION" envDefault:"8760h" help:"how long viewer sessions of links are stored, at least 48h; the counts of links stay; 0 stores them forever"`
	CallRetention  time.Duration          `env:"ROSTRUM_CALL_RETENTION" envDefault:"8760h" help:"how long the records of requests to text models are stored, which have tokens and costs and no texts; 0 stores them forever"`
	Proxies        []netip.Prefix         `env:"ROSTRUM_PROXIES" help:"networks (CIDR, comma-separated) of proxies whose X-Forwarded-For is trusted"`
	GeoFile        string                 `env:"ROSTRUM_GEO_FILE" help:"a MaxMind city or country database (.mmdb) for the location of link viewers; without it the location comes from headers of trusted proxies"`
	ShutdownDelay  time.Duration          `env:"ROSTRUM_SHUTDOWN_DELAY" envDefault:"3s" help:"time between SIGTERM, from which on /readyz responds with 503, and the close of the listener"`
	AdminKey       string                 `env:"ROSTRUM_ADMIN_KEY" help:"opens /metrics and /debug/pprof/ to clients that send it in X-Admin-Key; without it both are closed"`
	OpenMetrics    bool                   `env:"ROSTRUM_OPEN_METRICS" help:"open /metrics without a key, where only the monitoring can reach the port"`
	Log            logFormat              `env:"ROSTRUM_LOG" envDefault:"text" help:"how log lines are written to standard error: text or json"`
	AccessLog      bool                   `env:"ROSTRUM_ACCESS_LOG" help:"log a line for each request: method, route, status, duration, bytes and request id, never the path or query"`
	OIDCIssuer     string                 `env:"OIDC_ISSUER" help:"URL of an OpenID Connect issuer for sign-in, in addition to passwords; the callback is /api/public/auth/oidc/callback"`
	OIDCClient     string                 `env:"OIDC_CLIENT_ID" help:"the client id at the issuer"`
	OIDCSecret     string                 `env:"OIDC_CLIENT_SECRET" help:"the client secret at the issuer"`
	MailURL        string                 `env:"ROSTRUM_MAIL_URL" help:"the mail server that sends invites and links for forgotten passwords: smtps://user:password@host:465, or smtp://user:password@host:587 for one with STARTTLS; characters such as @ in the password are percent-encoded. No mail is sent if empty"`
	MailFrom       string                 `env:"ROSTRUM_MAIL_FROM" help:"the sender of mails, such as Rostrum <rostrum@example.com>; required with ROSTRUM_MAIL_URL"`
	Playground     string                 `env:"ROSTRUM_PLAYGROUND_DIR" envDefault:"./asset/playground/dist" help:"folder of the built playground; a release contains it"`
	Console        string                 `env:"ROSTRUM_CONSOLE_DIR" envDefault:"./console/dist" help:"folder of the built console; a release contains it"`
	Guide          string                 `env:"ROSTRUM_GUIDE_DIR" envDefault:"./guide/dist" help:"folder of the built guide; a release contains it"`
	Fonts          string                 `env:"ROSTRUM_FONT_DIR" envDefault:"./asset/font/node_modules" help:"folder of the npm packages with additional fonts for PDFs; without them exports show boxes"`
}

// FromEnvironment reads the settings and a .env file if there is one. It returns an error for
// invalid or conflicting settings.
func FromEnvironment() (Config, error) {
	if err := godotenv.Load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("read .env: %w", err)
	}
	config, err := env.ParseAs[Config]()
	if err != nil {
		return config, settingErrors(err)
	}
	return config, config.validate()
}

// validate returns an error for conflicting settings.
func (c Config) validate() error {
	given := 0
	for _, value := range []string{c.OIDCIssuer, c.OIDCClient, c.OIDCSecret} {
		if value != "" {
			given++
		}
	}
	if given != 0 && given != 3 {
		return errors.New("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set together or not at all")
	}
	if err := errors.Join(c.validateAddresses(), c.validateModels()); err != nil {
		return err
	}
	if _, err := c.newMailServer(nil); err != nil {
		return err
	}
	if c.QueryTime < 0 {
		return errors.New("ROSTRUM_QUERY_TIME is not below 0; 0 means 1s")
	}
	if c.LinkRetention != 0 && c.LinkRetention < minRetention {
		return errors.New("ROSTRUM_SESSION_RETENTION is at least 48h, or 0 to store viewer sessions forever")
	}
	return nil
}

// minRetention is longer than a hosted page may report its session after it was rendered.
const minRetention = 48 * time.Hour

// databaseAddress returns the address of the database: the server, or a file in the data directory.
func (c Config) databaseAddress() string {
	if c.Database != "" {
		return c.Database
	}
	return filepath.Join(c.DataDir, "rostrum.db")
}

// publicURL returns the base URL for callers, without a trailing slash.
func (c Config) publicURL() string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	return "http://" + c.Addr
}
