package discover

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"toolpress/discover/wp"
)

// ErrCredential is wrapped when the site does not take the credential, or
// never got it.
var ErrCredential = errors.New("the site does not take the credential")

// Read asks the site everything, in a fixed order.
func (r *Root) Read(ctx context.Context) (*Site, error) {
	s := &Site{Format: Format, URL: r.URL, Root: r.client.Root(), RootFrom: r.From, WordPress: r.head.generator}
	resp, err := r.client.Within(indexTimeout, indexMaxBytes).Do(ctx, wp.Request{
		Method: http.MethodGet,
		Query:  wp.Query{{Name: "context", Value: "help"}},
	})
	if err != nil {
		return nil, fmt.Errorf("reading the REST index: %w", credentialError(err))
	}
	s.noise("the index", resp.Noise)
	if err := readIndex(resp.JSON, s); err != nil {
		return nil, fmt.Errorf("reading the REST index at %s: %w", s.Root, err)
	}
	s.Locale = r.spoken(ctx, resp.Header)
	if err := r.readUser(ctx, s); err != nil {
		return nil, fmt.Errorf("asking the site who we are: %w", err)
	}
	if err := r.readAbilities(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// Identify asks who this root's credential is, and returns the site with that
// user in the place of the one it was read as: what [Root.Probe] needs to ask as
// another. A credential that the site does not take is [ErrCredential].
func (r *Root) Identify(ctx context.Context, s *Site) (*Site, error) {
	as := *s
	as.User, as.Notes = nil, nil
	if err := r.readUser(ctx, &as); err != nil {
		return nil, fmt.Errorf("asking the site who we are: %w", err)
	}
	return &as, nil
}

// readUser asks who the credential is. Reads of a site whose host strips the
// Authorization header succeed as nobody: an anonymous answer to a credential
// is an error, never a smaller catalog.
func (r *Root) readUser(ctx context.Context, into *Site) error {
	if r.client.Anonymous() {
		return nil
	}
	resp, err := r.client.Do(ctx, wp.Request{
		Method:   http.MethodGet,
		Segments: []string{"wp", "v2", "users", "me"},
		Query:    wp.Query{{Name: "context", Value: "edit"}},
	})
	var refused *wp.Error
	if errors.As(err, &refused) && refused.Kind == wp.Refused && refused.Status != http.StatusUnauthorized {
		// A security plugin may have removed the route; what we may do shows elsewhere.
		into.Notes = append(into.Notes, fmt.Sprintf("the site does not say who we are: %d %s", refused.Status, refused.Code))
		return nil
	}
	if err != nil {
		return credentialError(err)
	}
	into.noise("who we are", resp.Noise)
	var me struct {
		ID           any `json:"id"`
		Username     any `json:"username"`
		Slug         any `json:"slug"`
		Roles        any `json:"roles"`
		Capabilities any `json:"capabilities"`
	}
	if err := decodeAny(resp.JSON, &me); err != nil {
		into.Notes = append(into.Notes, "the site's answer about who we are cannot be read: "+err.Error())
		return nil
	}
	user := &User{ID: text(me.ID), Login: text(me.Username)}
	if user.Login == "" {
		user.Login = text(me.Slug)
	}
	for _, role := range wp.List(me.Roles) {
		user.Roles = append(user.Roles, text(role))
	}
	slices.Sort(user.Roles)
	capabilities, _ := me.Capabilities.(map[string]any) // [] when there are none
	user.Administrator, _ = capabilities["manage_options"].(bool)
	into.User = user
	return nil
}

// credentialError marks a 401 as the credential's fault.
func credentialError(err error) error {
	var refused *wp.Error
	if errors.As(err, &refused) && refused.Kind == wp.Refused && refused.Status == http.StatusUnauthorized {
		return fmt.Errorf("%w: %w", ErrCredential, err)
	}
	return err
}
