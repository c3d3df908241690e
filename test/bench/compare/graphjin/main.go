// Command graphjin serves the stored queries of a folder with GraphJin's compiler in its production
// mode, in which a query is compiled once and clients send its name. It is the smallest server for
// the library, as the module proxy does not have the module of GraphJin's own.
package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/dosco/graphjin/core/v3"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

func main() {
	if err := serveQueries(os.Getenv("DATABASE_URL"), os.Getenv("QUERIES"),
		"127.0.0.1:"+os.Getenv("PORT")); err != nil {
		log.Fatal("graphjin: ", err)
	}
}

// serveQueries serves the queries of the folder until it fails. CONNECTIONS limits the connections
// to the database.
func serveQueries(database, folder, address string) error {
	config, err := pgx.ParseConfig(database)
	if err != nil {
		return fmt.Errorf("read the database's address: %w", err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement // statements are prepared once on each connection
	connections, err := strconv.Atoi(os.Getenv("CONNECTIONS"))
	if err != nil {
		return fmt.Errorf("read CONNECTIONS: %w", err)
	}
	pool := sql.OpenDB(stdlib.GetConnector(*config))
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	// The key only avoids that one is created at each start.
	engine, err := core.NewGraphJinWithFS(&core.Config{Production: true, DBType: "postgres", SecretKey: "bench"}, pool,
		core.NewOsFS(folder))
	if err != nil {
		return err
	}
	return http.ListenAndServe(address, queryHandler{engine}) //nolint:gosec // on loopback, for one client
}

// queryHandler responds with the result of the query that a request names.
type queryHandler struct{ engine *core.GraphJin }

// storedCall is the body of a request.
type storedCall struct {
	OperationName string          `json:"operationName"`
	Variables     json.RawMessage `json:"variables"`
}

func (h queryHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call storedCall
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	result, err := h.engine.GraphQLByName(r.Context(), call.OperationName, call.Variables, &core.RequestConfig{})
	if err == nil && len(result.Errors) > 0 {
		err = errors.New(result.Errors[0].Message)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	// The data is already JSON: encoding/json would read all of it again.
	const head, tail = `{"data":`, `}`
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(head)+len(result.Data)+len(tail)))
	_, _ = w.Write([]byte(head)) // a client that has left needs no answer
	_, _ = w.Write(result.Data)
	_, _ = w.Write([]byte(tail))
}
