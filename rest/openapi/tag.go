package openapi

// tagDescriptions describes the groups of routes in the OpenAPI document.
var tagDescriptions = map[string]string{
	"account":          "The workspace, its keys and the sign-in of users.",
	"audience":         "Reactions of personas to documents, groups of personas, and summaries of reactions.",
	"auto-tags":        "Classifications of documents, their values, examples and reviews.",
	"comms filters":    "Auto-tags that hide documents from the list of communications.",
	"content creation": "Drafts, generated and rewritten texts, coverage of priorities, and files of texts.",
	"documents":        "Documents and communications.",
	"events":           "The workspace's events, as pages and as a stream.",
	"executives":       "Executives and their voices.",
	"house rules":      "What the texts of a workspace keep to, in the rule format of Vale, and checks of texts.",
	"ingestion":        "Documents from URLs, files, lists and feeds.",
	"insights":         "Signals of documents, and comparisons of executives and companies.",
	"jobs":             "Jobs: their state, progress and results.",
	"links":            "Short links, their visits, conversions and submitted forms.",
	"operations":       "Versions of front ends, with the operations that they register.",
	"personas":         "Personas, questions to them, feedback, and content in their voice.",
	"searches":         "Searches of documents that are kept under a name, and what comes to match them.",
	"sources":          "Feeds and sitemaps that are polled, and the documents that came by them.",
	"webhooks":         "Subscriptions to events, their deliveries and retries.",
}
