// Package runtime serves the profiles of a [curate.Catalog] as MCP tools over
// Streamable HTTP and sends what is called to the site ([Site]).
//
// Two eras share one URL: revision 2026-07-28, where every request stands for
// itself, and the sessions of 2025-11-25, 2025-06-18 and 2025-03-26. What is
// listed and what may be called come from one immutable snapshot behind an
// atomic pointer; [Server.Swap] replaces it, and tells clients when the list
// they read has changed, and only then. The streams that tell it are the
// package's own: no client waits for another, and a client that does not read is
// let go.
//
// The package decides what of an answer or an error a model may see. It does
// not choose tools, does not build requests, retries nothing, keeps no answer,
// and hands nothing of a client's request to the site but the arguments. It
// does not know OAuth, prompts, resources, sampling or logging.
package runtime
