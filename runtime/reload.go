package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"toolpress/curate"
)

// Stages are how long the parts of a reload took; one that was not needed took
// none. Their JSON is milliseconds.
type Stages struct {
	// Read is reading and parsing files, Ask asking the site, Build making the
	// catalog, Check looking for what forbids it, Swap encoding and publishing it,
	// Announce telling clients.
	Read, Ask, Build, Check, Swap, Announce time.Duration
}

// Stage is one part of a reload.
type Stage struct {
	Name string
	Took time.Duration
}

// Each are the parts in their order.
func (s Stages) Each() []Stage {
	return []Stage{{"read", s.Read}, {"ask", s.Ask}, {"build", s.Build}, {"check", s.Check}, {"swap", s.Swap}, {"announce", s.Announce}}
}

// MarshalJSON gives milliseconds.
func (s Stages) MarshalJSON() ([]byte, error) {
	ms := func(d time.Duration) float64 {
		return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
	}
	return json.Marshal(struct {
		Read     float64 `json:"read"`
		Ask      float64 `json:"ask"`
		Build    float64 `json:"build"`
		Check    float64 `json:"check"`
		Swap     float64 `json:"swap"`
		Announce float64 `json:"announce"`
	}{ms(s.Read), ms(s.Ask), ms(s.Build), ms(s.Check), ms(s.Swap), ms(s.Announce)})
}

// Reloaded is what became of a reload.
type Reloaded struct {
	// Refused is why the curation or a token file is not used, with places; empty
	// where it is.
	Refused curate.Findings
	// Failed is why the site could not be read, or is not believed yet; nil where
	// it was.
	Failed error
	// Changed are the profiles whose list is another now, sorted.
	Changed []string
	// Took is how long it took.
	Took Stages
}

// AcceptShrunken is the value of accept with which POST /-/reload takes the site as it
// reads, also where much is gone.
const AcceptShrunken = "shrunken"

// ErrEnding is why nothing is reloaded any more.
var ErrEnding = errors.New("toolpress is shutting down")

// reloadPatience bounds how long POST /-/reload waits for the outcome.
const reloadPatience = 30 * time.Second

// reloadAnswer is what POST /-/reload answers.
type reloadAnswer struct {
	// Status is reloaded, refused (the curation), failed (the site), pending or
	// shutting down.
	Status string `json:"status"`
	// Digest names what is served now, as in /readyz.
	Digest  string           `json:"digest"`
	Changed []string         `json:"changed"`
	Errors  []curate.Finding `json:"errors"`
	Site    string           `json:"site,omitempty"` // what failed
	Took    *Stages          `json:"milliseconds,omitempty"`
}

// reload has everything read now and answers what became of it: 200 when all of it
// is used, 422 when the curation is not, 502 when the site could not be read, 202
// when that takes longer than a request should.
func (s *Server) reload(w http.ResponseWriter, r *http.Request, reload func(context.Context, bool) (Reloaded, error)) {
	query := r.URL.Query()
	accept := query.Get("accept") == AcceptShrunken
	if len(query) > 0 && !(accept && len(query) == 1) {
		http.Error(w, "the one parameter is accept="+AcceptShrunken, http.StatusBadRequest)
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(reloadPatience + s.opts.WriteTimeout))
	ctx, cancel := context.WithTimeout(r.Context(), reloadPatience)
	defer cancel()
	got, err := reload(ctx, accept)
	answer, status := reloadAnswer{Status: "reloaded", Changed: []string{}, Errors: []curate.Finding{}}, http.StatusOK
	switch {
	case errors.Is(err, ErrEnding):
		answer.Status, status = "shutting down", http.StatusServiceUnavailable
	case err != nil:
		answer.Status, status = "pending", http.StatusAccepted
	case len(got.Refused) > 0:
		answer.Status, status = "refused", http.StatusUnprocessableEntity
	case got.Failed != nil:
		answer.Status, status = "failed", http.StatusBadGateway
	}
	answer.Digest = s.current.Load().digest
	if err == nil {
		answer.Changed = append(answer.Changed, got.Changed...)
		for _, f := range got.Refused {
			f.Source = "" // no line of the file (T48)
			answer.Errors = append(answer.Errors, f)
		}
		answer.Site, answer.Took = withoutBody(got.Failed), &got.Took
	}
	tell(w, status, answer)
}
