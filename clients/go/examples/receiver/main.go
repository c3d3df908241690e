// Command receiver receives webhooks with net/http, with the secret in WEBHOOK_SECRET.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	rostrum "rostrum/clients/go"
)

const largestBody = 5 << 20

func main() {
	http.HandleFunc("POST /hook", receive)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	event, err := rostrum.VerifyWebhook(os.Getenv("WEBHOOK_SECRET"), r.Header, body)
	switch {
	case errors.Is(err, rostrum.ErrSignature):
		http.Error(w, err.Error(), http.StatusUnauthorized)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	default:
		fmt.Println(event.ID, event.Event)
		w.WriteHeader(http.StatusNoContent)
	}
}
