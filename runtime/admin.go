package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// readiness is what /readyz answers. It has nothing of the catalog and of the
// curation (T48).
type readiness struct {
	Status string `json:"status"` // ready, stale or shutting down
	// Digest names the tools and instructions that are served, Since when that began.
	Digest string    `json:"digest"`
	Since  time.Time `json:"since"`
	Site   struct {
		LastSuccess time.Time `json:"last_success"`
		LastError   string    `json:"last_error,omitempty"`
		Stale       bool      `json:"stale"`
	} `json:"site"`
}

func (s *Server) readiness(status *Status) readiness {
	now := s.told(status)
	state := readiness{Status: now.Status, Digest: now.Digest, Since: now.Since}
	if state.Status == stateDegraded {
		state.Status = stateReady // it serves
	}
	state.Site.LastSuccess, state.Site.LastError, state.Site.Stale = now.Site.LastSuccess, now.Site.LastError, now.Site.Stale
	return state
}

// Operator is what the operator's listener tells of and does.
type Operator struct {
	// Status tells how files and the site are read.
	Status *Status
	// Reload has everything read again and waits for the outcome, or for ctx; what
	// goes on is not stopped by that. accept takes the site as it reads, also where
	// much is gone. [ErrEnding] says that it will not be. Nil: there is no /-/reload.
	Reload func(ctx context.Context, accept bool) (Reloaded, error)
}

// Admin answers the operator: /healthz while the process lives, /readyz with 200
// while a catalog is served whose site was read, at most stalePolls polls ago
// where the last reading failed, and by this process; /-/status is [Told], /metrics
// what Prometheus reads; POST /-/reload reads everything again. Elsewhere is 404. Host is checked as for clients, no page reads it or makes it do anything, and
// no token is asked: what it tells is nobody's secret.
func (s *Server) Admin(o Operator) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		tell(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		state, status := s.readiness(o.Status), http.StatusOK
		if state.Status != stateReady {
			status = http.StatusServiceUnavailable
		}
		tell(w, status, state)
	})
	mux.HandleFunc("GET /-/status", func(w http.ResponseWriter, _ *http.Request) { tell(w, http.StatusOK, s.told(o.Status)) })
	mux.Handle("GET /metrics", s.exposition(o.Status))
	if o.Reload != nil {
		mux.HandleFunc("POST /-/reload", func(w http.ResponseWriter, r *http.Request) { s.reload(w, r, o.Reload) })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		}
		if !s.hostAllowed(r.Host) || len(r.Header.Values("Origin")) > 0 {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// tell writes JSON that cannot fail to encode.
func tell(w http.ResponseWriter, status int, v any) {
	text, _ := json.Marshal(v)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever asked may be gone
}

// ServeAdmin serves [Server.Admin] on l until ctx is cancelled, and closes l. It
// is to outlive [Server.Serve], so that /readyz can tell of the shutdown.
func (s *Server) ServeAdmin(ctx context.Context, l net.Listener, o Operator) error {
	server := s.web(s.Admin(o))
	server.WriteTimeout = s.opts.WriteTimeout
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the operator on %s: %w", l.Addr(), err)
	}
	return nil
}
