module rostrum/clients/go

go 1.26.0

require (
	github.com/Khan/genqlient v0.8.1
	github.com/tmaxmax/go-sse v0.12.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/vektah/gqlparser/v2 v2.5.19 // indirect
)
