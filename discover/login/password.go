package login

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"toolpress/discover/wp"
)

// Identity is who a password makes us (GET /wp/v2/users/me?context=edit).
type Identity struct {
	Login string
	Roles []string
	// Administrator reports the capability manage_options: more than an agent
	// should have.
	Administrator bool
}

// Try asks the site who the client's credential is. The error is the [*wp.Error]
// of the exchange.
func Try(ctx context.Context, client *wp.Client) (Identity, error) {
	resp, err := client.Do(ctx, wp.Request{
		Method: http.MethodGet, Segments: []string{"wp", "v2", "users", "me"},
		Query: wp.Query{{Name: "context", Value: "edit"}},
	})
	if err != nil {
		return Identity{}, err
	}
	var me struct {
		Username     any `json:"username"`
		Roles        any `json:"roles"`
		Capabilities any `json:"capabilities"`
	}
	if err := json.Unmarshal(resp.JSON, &me); err != nil {
		return Identity{}, fmt.Errorf("reading who we are: %w", err)
	}
	var who Identity
	if who.Login, _ = me.Username.(string); who.Login == "" {
		return Identity{}, errors.New("the site's answer about who we are has no username")
	}
	for _, role := range wp.List(me.Roles) {
		if name, ok := role.(string); ok {
			who.Roles = append(who.Roles, name)
		}
	}
	who.Administrator, _ = member(me.Capabilities, "manage_options").(bool)
	return who, nil
}

// Revoke deletes the application password that the client uses, on the site,
// and returns its name there (WP_REST_Application_Passwords_Controller).
func Revoke(ctx context.Context, client *wp.Client) (name string, err error) {
	passwords := []string{"wp", "v2", "users", "me", "application-passwords"}
	resp, err := client.Do(ctx, wp.Request{Method: http.MethodGet, Segments: append(passwords[:5:5], "introspect")})
	if err != nil {
		return "", err
	}
	var used struct {
		UUID any `json:"uuid"`
		Name any `json:"name"`
	}
	if err := json.Unmarshal(resp.JSON, &used); err != nil {
		return "", fmt.Errorf("reading which password is used: %w", err)
	}
	uuid, _ := used.UUID.(string)
	if uuid == "" {
		return "", errors.New("the site does not say which of the user's passwords is used")
	}
	name, _ = used.Name.(string)
	_, err = client.Do(ctx, wp.Request{Method: http.MethodDelete, Segments: append(passwords[:5:5], uuid)})
	return name, err
}
