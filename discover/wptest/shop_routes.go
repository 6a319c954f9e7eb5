package wptest

import (
	"strings"
	"time"
)

const typedArgs = `
s string late | A string.
n integer late | An integer.
x number late | A number.
b boolean late | A boolean.
list array of=integer late | Integers.
words array of=string late | Strings.
obj object late | An object.
	name string
	count integer
	inner object
		flag boolean
		tags array of=string
`

const strangeArgs = `
when date-time late | No type of JSON Schema.
name string req own=line
size string late
things array late
options object default=[] properties=[] late
`

// shopRoutes are bookshop/v1, the plugin's routes. Multipart bodies are not
// read: echo shows no files.
func shopRoutes() []*route {
	open := fields(strings.ReplaceAll(typedArgs, " late", " own=open"))
	writers := func(r *request) *fault { return may(r.user.can("edit_posts")) }
	readers := func(r *request) *fault { return may(r.user.can("read")) }
	two := func(pattern string, args []field) *route {
		return &route{pattern: pattern, endpoints: []*endpoint{
			{methods: reads, args: args, handle: echo},
			{methods: []string{"POST", "DELETE"}, args: args, allowed: writers, handle: echo},
		}}
	}
	one := func(pattern string, methods []string, args []field, handle func(*request) (*answer, *fault)) *route {
		return &route{pattern: pattern, endpoints: []*endpoint{{methods: methods, args: args, allowed: readers, handle: handle}}}
	}
	return []*route{
		two("/echo", open), two(`/echo/(?P<id>[\w-]+)`, open), two("/typed", fields(typedArgs)),
		one("/strange", creates, strangeFields(), echo),
		one("/whole", reads, nil, func(*request) (*answer, *fault) { return &answer{data: 42}, nil }),
		one("/slow", reads, fields("ms integer default=1000 late | Milliseconds to wait, at most 10000."), slow),
		one("/fail", reads, failArgs(), fail),
	}
}

func failArgs() []field {
	args := fields("status integer minimum=400 maximum=599 default=500 late\ncode string default=bookshop_failed late\nmessage string late")
	args[2].schema["default"] = "It failed."
	return args
}

// strangeFields are the arguments of a plugin that was never read by anybody.
func strangeFields() []field {
	args := fields(strangeArgs)
	sizes := map[string]any{"3": "small", "7": "large"}
	args[2].schema["enum"] = sizes
	below := fields("when date-time | No type of JSON Schema.\nname string req sanitize_callback=sanitize_text_field\nsize string\nthings array\noptions object default=[] properties=[]")
	below[2].schema["enum"] = sizes
	return append(args, field{name: "nested", late: true, schema: map[string]any{"type": "object", "properties": properties(below)}})
}

// echo answers with what arrived (bookshop_echo).
func echo(r *request) (*answer, *fault) {
	headers := map[string]any{}
	for name, header := range map[string]string{
		"accept": "Accept", "content_type": "Content-Type", "content_disposition": "Content-Disposition", "user_agent": "User-Agent",
		"cache_control": "Cache-Control", "x_http_method_override": "X-HTTP-Method-Override",
	} {
		if value := r.http.Header.Get(header); value != "" {
			headers[name] = value
		}
	}
	if scheme, _, ok := strings.Cut(r.http.Header.Get("Authorization"), " "); ok {
		headers["authorization"] = scheme
	}
	var login, sent any
	if r.user != nil {
		login = r.user.login
	}
	if r.sources[fromBody] != nil {
		sent = r.sources[fromBody]
	}
	filled := func(source map[string]any) map[string]any { return asMap(source) }
	return &answer{data: map[string]any{
		"method": r.method, "route": r.path, "url_params": filled(r.sources[fromPath]), "query_params": filled(r.sources[fromQuery]),
		"body_params": filled(r.sources[fromForm]), "json_params": sent, "body": string(r.body), "files": map[string]any{}, "user": login, "headers": headers,
	}}, nil
}

// slow waits without keeping the site from others.
func slow(r *request) (*answer, *fault) {
	ms := min(10000, max(0, r.integer("ms")))
	r.mu.Unlock()
	defer r.mu.Lock()
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-r.http.Context().Done():
	}
	return &answer{data: map[string]any{"slept": ms}}, nil
}

func fail(r *request) (*answer, *fault) {
	return nil, failed(r.integer("status"), r.str("code"), r.str("message"))
}

func shopCallbacks(own callbacks) {
	// sanitize_text_field alone: no check.
	own.checks["line"] = func(*request, *field, any) *fault { return nil }
	own.cleans["line"] = func(_ *request, _ *field, value any) (any, *fault) {
		return strings.TrimSpace(tag.ReplaceAllString(text(value), "")), nil
	}
}
