package runtime

import (
	"context"
	"log/slog"
)

// quiet logs what the SDK says at Debug: every connection is an Info to it,
// and a client without a stream a Warn at every change.
type quiet struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (h quiet) Enabled(ctx context.Context, _ slog.Level) bool {
	return h.Handler.Enabled(ctx, slog.LevelDebug)
}

// Handle implements [slog.Handler].
func (h quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return h.Handler.Handle(ctx, r)
}
