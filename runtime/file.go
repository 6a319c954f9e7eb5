package runtime

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// maxInline bounds a file that goes into a result, in bytes before Base64.
const maxInline = 1 << 20

// pictures are the media types of images that models read. One that its host
// does not take ends a conversation.
var pictures = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// The revisions that brought a kind of content (schema.ts of each).
const (
	audioSince = "2025-03-26"
	linkSince  = "2025-06-18"
)

// revisionOf is the revision that a call's client speaks.
func revisionOf(req *mcp.CallToolRequest) string {
	if version, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string); version != "" {
		return version
	}
	if p := req.Session.InitializeParams(); p != nil && slices.Contains(mcp.SupportedProtocolVersions(), p.ProtocolVersion) {
		return p.ProtocolVersion
	}
	return legacyVersion
}

// file makes a model's result of an answer that is a file: a picture or a
// recording itself, else where anybody gets it, else what it is. A file has no
// fields that could be taken out: where a tool has private ones, nothing of it
// leaves.
func (a admission) file(ctx context.Context, r wp.Request, f *wp.Download) *mcp.CallToolResult {
	if len(a.tool.Result.Private) > 0 {
		f = &wp.Download{Type: f.Type, Size: f.Size} // a name may say whose it is
		return problem(keptBack(r.Method, f, "parts of what this tool answers are private, and cannot be taken out of a file"))
	}
	if content := a.inline(f); content != nil {
		return a.found(f, "It follows.", content)
	}
	address := a.public(ctx, r, f)
	if address == "" {
		return problem(keptBack(r.Method, f, "it is too large for a result, or of a kind that does not go into one, and no address is known where anybody gets it"))
	}
	const told = "It is not shown here: anybody gets it, without logging in, at this address. Give it to the user if they asked for the file."
	if a.revision < linkSince {
		return a.found(f, told+"\n"+address)
	}
	link := &mcp.ResourceLink{URI: address, Name: cmp.Or(named(f), a.tool.Name), MIMEType: f.Type}
	if f.Size >= 0 {
		link.Size = &f.Size
	}
	return a.found(f, told, link)
}

// inline is the file itself, as content; nil for one that does not go into a
// result.
func (a admission) inline(f *wp.Download) mcp.Content {
	switch {
	case f.Data == nil || len(f.Data) > maxInline:
		return nil
	case slices.Contains(pictures, f.Type):
		return &mcp.ImageContent{Data: f.Data, MIMEType: f.Type}
	case strings.HasPrefix(f.Type, "audio/") && a.revision >= audioSince:
		return &mcp.AudioContent{Data: f.Data, MIMEType: f.Type}
	}
	return nil
}

// public is the address at which anybody gets the file, or nothing: it is asked
// for without a credential, and carries no query, whose values may be secrets,
// and nothing that the curation sends by itself.
func (a admission) public(ctx context.Context, r wp.Request, f *wp.Download) string {
	given := func(p wp.Param) bool { return p.Name != "_fields" && p.Name != "_embed" } // what a file has no use for
	if r.Method != http.MethodGet || slices.ContainsFunc(r.Query, given) || a.tool.Adds() {
		return ""
	}
	resp, err := a.site.Do(ctx, wp.Request{Method: http.MethodHead, Segments: r.Segments, Timeout: r.Timeout, Anonymous: true})
	if err != nil || resp == nil || !strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), f.Type) {
		return ""
	}
	return resp.URL
}

// found is the result that names a file, with what there is of it. Where a
// client checks the structure of results it gets one; no other does, since some
// then show nothing else.
func (a admission) found(f *wp.Download, then string, more ...mcp.Content) *mcp.CallToolResult {
	text := "The site answered with a file instead of data: " + about(f) + ". " + then
	res := &mcp.CallToolResult{Content: append([]mcp.Content{&mcp.TextContent{Text: text}}, more...)}
	if a.tool.OutputSchema != nil {
		res.StructuredContent = map[string]string{"mime_type": f.Type}
	}
	return res
}

// keptBack is the text for a file that is not handed on. A write has happened, and
// must not be asked for again.
func keptBack(method string, f *wp.Download, why string) string {
	if !reads(method) {
		return "Done: the site carried it out. It answered with a file instead of data: " + about(f) + ". The file is not handed on: " + why + ".\n" +
			"Next: do not repeat the call; read what it changed if that is needed."
	}
	return "The site answered with a file instead of data: " + about(f) + ". It is not handed on: " + why + ".\n" +
		"Next: do not repeat the call. Tell the user what the file is; they get it from the site, logged in."
}

// about is what is said of a file: its name, type and size.
func about(f *wp.Download) string {
	var parts []string
	if name := named(f); name != "" {
		parts = append(parts, name)
	}
	parts = append(parts, f.Type)
	if f.Size >= 0 {
		parts = append(parts, fmt.Sprintf("%d bytes", f.Size))
	}
	return strings.Join(parts, ", ")
}

// named is the site's name of a file as a model may see it.
func named(f *wp.Download) string { return schema.CleanText(f.Name, maxCode) }
