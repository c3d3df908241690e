// Package rostrum is a client of Rostrum's graph.
//
// A [Client] sends a request again after a lost connection, and when the gateway has no time for it:
// a mutation has an Idempotency-Key and so runs once however often it is sent. Streams go on after
// their last event. [VerifyWebhook] checks the signature of a delivery.
//
// The package graph has the types of the client's operations, which genqlient generates. Generate
// those of your own operations with genqlient too, from the gateway's /schema.graphqls: a Client is
// the graphql.Client that they take, and [Subscribe] follows subscriptions.
package rostrum

// Version is the version of the client. Its first number is that of the API.
const Version = "1.0.0"
