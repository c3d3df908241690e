package notice

// Names of unexported functions, for tests.
var (
	Execute      = execute
	Languages    = languages
	NextBriefing = nextBriefing
)
