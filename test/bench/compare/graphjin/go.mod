module rostrum/bench/compare/graphjin

go 1.26

require (
	github.com/dosco/graphjin/core/v3 v3.1.0
	github.com/jackc/pgx/v5 v5.10.0
)

require (
	github.com/hashicorp/golang-lru v0.5.4 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.2 // indirect
	golang.org/x/sync v0.17.0 // indirect
	golang.org/x/text v0.29.0 // indirect
)
