package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// login is what rostrum login keeps.
type login struct {
	URL string `json:"url"`
	Key string `json:"key"`
}

// loginFile returns the path of the kept login in the user's folder of configurations.
func loginFile() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the folder of your configuration: %w", err)
	}
	return filepath.Join(folder, "rostrum", "login.json"), nil
}

// readLogin returns the kept login, which is empty without one.
func readLogin() (login, error) {
	var kept login
	file, err := loginFile()
	if err != nil {
		return kept, nil //nolint:nilerr // without a home folder nothing is kept, and the environment may have all
	}
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kept, nil
	case err != nil:
		return kept, fmt.Errorf("read the login: %w", err)
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		return kept, fmt.Errorf("%s is damaged; sign in again with rostrum login: %w", file, err)
	}
	return kept, nil
}

// keep writes the login to a file that only the user can read.
func (l login) keep() (err error) {
	file, err := loginFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep the login: %w", err)
	}
	text, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("keep the login: %w", err)
	}
	written, err := os.CreateTemp(filepath.Dir(file), "login") // with mode 0600
	if err != nil {
		return fmt.Errorf("keep the login: %w", err)
	}
	_, err = written.Write(text)
	if err = errors.Join(err, written.Close()); err == nil {
		err = os.Rename(written.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("keep the login: %w", errors.Join(err, os.Remove(written.Name())))
	}
	return nil
}

type loginCommand struct {
	URL string `env:"ROSTRUM_URL" help:"The gateway's address; http://127.0.0.1:8080 when absent."`
	Key string `env:"ROSTRUM_KEY" help:"The key: - reads it from standard input. It is asked for when absent."`
}

func (c loginCommand) Run(ctx context.Context, streams Streams) error {
	address, err := checkAddress(cmp.Or(c.URL, "http://127.0.0.1:8080"))
	if err != nil {
		return err
	}
	key, err := c.readKey(ctx, streams, address)
	if err != nil {
		return err
	}
	var workspace struct{ Name string }
	if _, err := newConnection(address, key).get(ctx, "/api/v1/workspace", &workspace); err != nil {
		return err
	}
	if err := (login{URL: address, Key: key}).keep(); err != nil {
		return err
	}
	return printText(streams.Out, "Signed in at %s, workspace %s.\n", address, workspace.Name)
}

func (c loginCommand) readKey(ctx context.Context, streams Streams, address string) (string, error) {
	key := c.Key
	var err error
	switch c.Key {
	case "-":
		if key, err = bufio.NewReader(streams.In).ReadString('\n'); errors.Is(err, io.EOF) {
			err = nil
		}
	case "":
		key, err = askKey(ctx, streams, address)
	}
	if err != nil {
		return "", err
	}
	if key, err = checkKey(key); err == nil && key == "" {
		err = misuse("enter a key, or send one to standard input with --key -")
	}
	return key, err
}

// askKey asks for the key on the terminal, without showing it.
func askKey(ctx context.Context, streams Streams, address string) (string, error) {
	file, ok := streams.In.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return "", misuse("standard input is no terminal: send the key to it with --key -")
	}
	state, err := term.GetState(int(file.Fd()))
	if err != nil {
		return "", fmt.Errorf("read the terminal's state: %w", err)
	}
	if err := printText(streams.Err, "Key for %s (it is not shown): ", address); err != nil {
		return "", err
	}
	type typed struct {
		key []byte
		err error
	}
	read := make(chan typed, 1)
	go func() {
		key, err := term.ReadPassword(int(file.Fd()))
		read <- typed{key, err}
	}()
	select {
	case got := <-read:
		return string(got.key), errors.Join(got.err, printText(streams.Err, "\n"))
	case <-ctx.Done(): // Ctrl+C, which leaves the terminal without echo
		return "", errors.Join(&failure{code: exitInterrupted}, term.Restore(int(file.Fd()), state))
	}
}

type logoutCommand struct{}

func (logoutCommand) Run() error {
	file, err := loginFile()
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the login: %w", err)
	}
	return nil
}
