package discover

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"toolpress/discover/wp"
)

// Permission is what is known of an operation for one credential.
type Permission string

// The permissions. Only Denied withholds anything.
const (
	Allowed Permission = "allowed"
	Denied  Permission = "denied"
	Unknown Permission = "unknown"
)

// Permissions are what a credential may call, by operation identity
// ("GET /wp/v2/posts"). What is not there is unknown.
type Permissions map[string]Permission

// Probe asks what this credential may call of the operations named, by OPTIONS:
// WordPress's Allow lists the methods whose permission callback passes
// (rest_send_allow_header in wp-includes/rest-api.php).
//
// On a route without placeholders it speaks for the credential. On an item's
// route it speaks for that object alone: an object of the credential's own may
// prove that a method is allowed, and nothing proves that it is not. Abilities
// send no Allow; they stay unknown, like a route that sends none or fails.
// progress is called after each route; nil is no progress. The error is the
// context's.
func (r *Root) Probe(ctx context.Context, s *Site, ids []string, progress func(done, all int)) (Permissions, error) {
	byPath := map[string][]string{}
	for _, id := range ids {
		if method, path, isRoute := strings.Cut(id, " "); isRoute && method != "" {
			byPath[path] = append(byPath[path], method)
		}
	}
	found := Permissions{}
	var mu sync.Mutex // guards found and done
	done := 0
	var wg sync.WaitGroup
	slots := make(chan struct{}, probes)
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			allow, own := r.allowed(ctx, s, path)
			mu.Lock()
			defer mu.Unlock()
			for _, method := range byPath[path] {
				found[method+" "+path] = judge(allow, own, method)
			}
			if done++; progress != nil {
				progress(done, len(byPath))
			}
		})
	}
	wg.Wait()
	return found, ctx.Err()
}

// judge reads an Allow header: one of a single object never denies.
func judge(allow []string, own bool, method string) Permission {
	switch {
	case slices.Contains(allow, method):
		return Allowed
	case len(allow) == 0 || own:
		return Unknown
	}
	return Denied
}

// allowed asks a route which methods it allows. own says that it was asked for
// one object of the credential's own.
func (r *Root) allowed(ctx context.Context, s *Site, path string) (allow []string, own bool) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if strings.Contains(path, "{") {
		id := r.ownObject(ctx, s, path)
		if id == "" {
			return nil, true
		}
		segments, own = append(segments[:len(segments)-1], id), true
	}
	resp, err := r.client.Do(ctx, wp.Request{Method: http.MethodOptions, Segments: segments})
	if err != nil {
		return nil, own
	}
	for _, line := range resp.Header.Values("Allow") {
		for method := range strings.SplitSeq(line, ",") {
			if method = strings.TrimSpace(method); method != "" {
				allow = append(allow, method)
			}
		}
	}
	return allow, own
}

// ownObject is the id of an object the credential wrote, of the collection an
// item's route lies below; empty when there is none or it cannot be asked for.
func (r *Root) ownObject(ctx context.Context, s *Site, path string) string {
	collection, last, _ := cutLast(path)
	if s.User == nil || s.User.ID == "" || strings.Contains(collection, "{") || !strings.HasPrefix(last, "{") {
		return ""
	}
	i := slices.IndexFunc(s.Routes, func(route Route) bool { return route.Path == collection })
	if i < 0 || !slices.ContainsFunc(s.Routes[i].Endpoints, func(e Endpoint) bool {
		_, byAuthor := e.Args["author"]
		return byAuthor && slices.Contains(e.Methods, http.MethodGet)
	}) {
		return ""
	}
	query := wp.Query{{Name: "author", Value: s.User.ID}, {Name: "per_page", Value: 1}, {Name: "_fields", Value: "id"}}
	for _, status := range []string{"any", ""} { // a reader may not ask for any
		asked := query
		if status != "" {
			asked = append(slices.Clone(query), wp.Param{Name: "status", Value: status})
		}
		resp, err := r.client.Do(ctx, wp.Request{Method: http.MethodGet, Segments: strings.Split(strings.Trim(collection, "/"), "/"), Query: asked})
		if err != nil {
			continue
		}
		var items []struct {
			ID json.Number `json:"id"`
		}
		if decodeAny(resp.JSON, &items) == nil && len(items) > 0 {
			return items[0].ID.String()
		}
	}
	return ""
}

func cutLast(path string) (dir, last string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return "", "", false
	}
	return path[:i], path[i+1:], true
}
