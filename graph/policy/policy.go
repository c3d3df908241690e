package policy

import (
	"context"
	"log/slog"
	"math"
	"runtime"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/model"
	"rostrum/platform/idempotency"
	"rostrum/platform/slot"
)

// Config holds the settings of a policy.
type Config struct {
	Schema      *ast.Schema
	Limits      Limits
	HideSchema  bool                   // refuses introspection; errors suggest no names
	Trust       model.TrustedDocuments // whether operations that are not stored run
	Persisted   graphql.Cache[string]  // texts by SHA-256 for automatic persisted queries; nil refuses them
	Registered  Registry               // operations that workspaces have registered; nil is none
	Idempotency *idempotency.Service   // nil ignores the header Idempotency-Key
	Logger      *slog.Logger
	// CountUsage counts a request that uses deprecated fields, arguments or input fields, given as
	// Type.field and Type.field(argument:). If nil, only the metric counts them.
	CountUsage func(ctx context.Context, fields []string)
	// NoteReads notes in the audit log that the caller reads words of the documents and drafts with
	// the ids, as far as they are under embargo. After an error the caller gets no response.
	NoteReads func(ctx context.Context, documentIDs, draftIDs []string) error
}

// Policy decides which operations run. It is safe for concurrent use after [Policy.StoreDocuments].
type Policy struct {
	config    Config
	limits    Limits
	schema    *ast.Schema
	documents documents
	untrusted *lru.Cache[string, struct{}] // hashes of unstored operations that are in the log
	cache     *documentCache
	usage     usageLabels
	inputs    deprecatedInputs
	queries   *slot.Slots                                     // of queries that run
	mutations *slot.Slots                                     // of mutations that run
	responses *slot.Slots                                     // of responses of subscriptions that are computed
	frames    *slot.Slots                                     // of bytes of these that are not written yet
	texts     *slot.Quota                                     // of bytes of texts that queries have read
	streams   *slot.Quota                                     // of open subscriptions
	analyses  *lru.Cache[*ast.OperationDefinition, *Analysis] // of stored operations and cached ones
}

// New returns the policy of a schema.
func New(config Config) *Policy {
	p := &Policy{
		config:    config,
		limits:    config.Limits.WithDefaults(),
		schema:    config.Schema,
		inputs:    findDeprecatedInputs(config.Schema),
		queries:   newOperationSlots(),
		mutations: newOperationSlots(),
		responses: newOperationSlots(),
		texts:     slot.NewQuota(),
		streams:   slot.NewQuota(),
		untrusted: newCache[string, struct{}](loggedDocuments),
		analyses:  newCache[*ast.OperationDefinition, *Analysis](2 * cachedDocuments),
	}
	p.frames = slot.New(p.limits.FrameBytes, p.limits.FrameBytes/frameShare)
	p.cache = newDocumentCache(func(doc *ast.QueryDocument) {
		for _, op := range doc.Operations {
			p.analyses.Remove(op)
		}
	})
	return p
}

// newOperationSlots returns the slots of one kind of operations. They limit only each workspace.
func newOperationSlots() *slot.Slots {
	return slot.New(math.MaxInt32, operationsPerProcessor*runtime.GOMAXPROCS(0))
}

// DocumentCache returns the cache of parsed and validated operations.
func (p *Policy) DocumentCache() graphql.Cache[*ast.QueryDocument] { return p.cache }

func newCache[K comparable, V any](size int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](size)
	if err != nil {
		panic(err) // only a size below 1 fails
	}
	return cache
}

// Limits returns the limits in force, defaults included.
func (p *Policy) Limits() Limits { return p.limits }

// Install makes the executor apply the policy to all of its operations.
func (p *Policy) Install(exec *executor.Executor) {
	exec.SetParserTokenLimit(p.limits.Tokens)
	exec.SetDisableSuggestion(true) // DescribeErrors adds them to few errors
	exec.SetDefaultRulesFn(plainRules)
	exec.SetErrorPresenter(p.presentListed)
	exec.SetRecoverFunc(PanicError)
	exec.Use(idempotencyExtension{p})
	exec.Use(policyExtension{p})
}
