package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"rostrum/domain/account"
	"rostrum/model"
)

type userCommand struct {
	Create userCreate `cmd:"" help:"Make someone a member of a workspace and print their id; their password is one line of standard input, empty for who signs in by OpenID Connect only or is a user already."`
	List   userList   `cmd:"" help:"List a workspace's users: id, role, email."`

	Remove   userRemove   `cmd:"" help:"Remove a user from a workspace, or from the installation."`
	Password userPassword `cmd:"" help:"Set a user's password, which is one line of standard input, and end their sessions."`
	Sessions userSessions `cmd:"" help:"Manage a user's sessions."`
	Factor   userFactor   `cmd:"" name:"second-factor" help:"Manage a user's second factor."`
}

type userFactor struct {
	Remove factorRemove `cmd:"" help:"Turn the second factor of a user off who has lost it, and end their sessions."`
}

type factorRemove struct {
	Email string `required:"" help:"The user's email."`
}

func (c factorRemove) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error { return accounts.RemoveFactor(ctx, c.Email) })
}

type userRemove struct {
	Email     string `required:"" help:"The user's email."`
	Workspace string `help:"The workspace's id; without it the user is removed from all workspaces and deleted."`
}

func (c userRemove) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		return accounts.RemoveUser(ctx, c.Email, c.Workspace)
	})
}

type userPassword struct {
	Email string `required:"" help:"The user's email."`
}

func (c userPassword) Run(ctx context.Context, config Config, input io.Reader) error {
	password, err := firstLine(input)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	return withAccount(ctx, config, func(accounts *account.Service) error {
		return accounts.SetPassword(ctx, c.Email, password)
	})
}

type userSessions struct {
	End sessionsEnd `cmd:"" help:"End all sessions of a user."`
}

type sessionsEnd struct {
	Email string `required:"" help:"The user's email."`
}

func (c sessionsEnd) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error { return accounts.EndSessions(ctx, c.Email) })
}

type userCreate struct {
	Email     string     `required:"" help:"What they sign in with."`
	Workspace string     `required:"" help:"The workspace's id."`
	Role      model.Role `default:"editor" enum:"owner,editor,author,reviewer,viewer,member" help:"What they may do: owner, editor, author, reviewer or viewer (docs/members.md); member is the former name of editor."`
	Name      string     `help:"What they are called; the email's part before the @ when not given."`
}

func (c userCreate) Run(ctx context.Context, config Config, input io.Reader) error {
	password, err := firstLine(input)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	return withAccount(ctx, config, func(accounts *account.Service) error {
		user, err := accounts.AddUser(ctx, account.NewUser{
			Email: c.Email, Name: c.Name, Password: password, WorkspaceID: c.Workspace,
			Role: c.Role.Current(),
		})
		if err == nil {
			fmt.Println(user.ID)
		}
		return err
	})
}

func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(r).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

type userList struct {
	Workspace string `required:"" help:"The workspace's id."`
}

func (c userList) Run(ctx context.Context, config Config) error {
	return withAccount(ctx, config, func(accounts *account.Service) error {
		members, err := accounts.Members(ctx, c.Workspace)
		for _, m := range members {
			fmt.Println(m.User.ID, m.Role, m.User.Email)
		}
		return err
	})
}
