package wptest

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// request is one call of the REST API as core's WP_REST_Request.
type request struct {
	*Site
	http *http.Request
	user *user // nil: nobody

	method string
	// path is the route that was asked for, without a trailing slash.
	path  string
	route *route
	args  []field // of the endpoint
	body  []byte
	// sources hold the parameters in the order core looks for them: JSON body,
	// form, query, path, defaults.
	sources [5]map[string]any
	badJSON *fault
}

const (
	fromBody = iota
	fromForm
	fromQuery
	fromPath
	fromDefault
)

func (s *Site) request(r *http.Request, path string, body []byte) *request {
	req := &request{Site: s, http: r, user: s.login(r), method: r.Method, path: "/" + strings.Trim(path, "/"), body: body}
	req.sources[fromQuery] = parseQuery(r.URL.RawQuery)
	delete(req.sources[fromQuery], "rest_route")
	if method, ok := req.sources[fromQuery]["_method"].(string); ok {
		req.method = strings.ToUpper(method)
	} else if method := r.Header.Get("X-HTTP-Method-Override"); method != "" {
		req.method = strings.ToUpper(method)
	}
	req.readBody(r.Header.Get("Content-Type"))
	return req
}

// readBody reads parameters from a JSON object or a form
// (WP_REST_Request::parse_json_params).
func (r *request) readBody(contentType string) {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch kind = strings.TrimSpace(kind); {
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		if len(bytes.TrimSpace(r.body)) == 0 {
			return
		}
		v, err := fromJSON(r.body)
		if err != nil {
			r.badJSON = failed(http.StatusBadRequest, "rest_invalid_json", "The body is not valid JSON.")
			r.badJSON.data = map[string]any{"json_error_code": 4, "json_error_message": "Syntax error"}
			return
		}
		r.sources[fromBody], _ = v.(map[string]any)
	case kind == "application/x-www-form-urlencoded" && r.method != http.MethodGet && r.method != http.MethodHead:
		r.sources[fromForm] = parseQuery(string(r.body))
	}
}

// login reads an application password (wp_authenticate_application_password).
// Since WordPress 6.3 a wrong one is as good as none.
func (s *Site) login(r *http.Request) *user {
	name, password, ok := r.BasicAuth()
	if !ok {
		return nil
	}
	password = strings.ReplaceAll(password, " ", "")
	for _, u := range s.users {
		if (u.login == name || u.email == name) && u.password != "" && strings.ReplaceAll(u.password, " ", "") == password {
			return u
		}
	}
	return nil
}

// get is the parameter's value, or nil.
func (r *request) get(name string) any {
	for _, source := range r.sources {
		if v, ok := source[name]; ok && v != nil {
			return v
		}
	}
	return nil
}

// given reports a parameter that is there, and not null.
func (r *request) given(name string) bool { return r.get(name) != nil }

func (r *request) set(name string, value any) {
	if r.sources[fromQuery] == nil {
		r.sources[fromQuery] = map[string]any{}
	}
	for _, source := range r.sources[:fromQuery] {
		delete(source, name)
	}
	r.sources[fromQuery][name] = value
}

func (r *request) str(name string) string { return text(r.get(name)) }

func (r *request) integer(name string) int {
	n, _ := number(r.get(name))
	return int(n)
}

func (r *request) truth(name string) bool {
	b, _ := boolean(r.get(name))
	return b
}

// integers is a list of numbers, also one that was not sanitized (OPTIONS).
func (r *request) integers(name string) []int {
	var list []int
	for _, v := range listOf(r.get(name)) {
		n, _ := number(v)
		list = append(list, int(n))
	}
	return list
}

func (r *request) words(name string) []string {
	var list []string
	for _, v := range listOf(r.get(name)) {
		list = append(list, text(v))
	}
	return list
}

// raw is a text that may be sent as a string or as an object with "raw".
func (r *request) raw(name string) (string, bool) {
	switch v := r.get(name).(type) {
	case string:
		return v, true
	case map[string]any:
		s, ok := v["raw"].(string)
		return s, ok
	}
	return "", false
}

func (r *request) inEdit() bool { return r.str("context") == "edit" }

// check does what comes before the permission: broken JSON, what is missing,
// what is wrong (WP_REST_Request::has_valid_params), and the arguments core
// checks while it sanitizes (sanitize_params). Each fault list is complete.
func (r *request) check(args []field) *fault {
	if r.badJSON != nil {
		return r.badJSON
	}
	var missing []string
	for _, arg := range args {
		if arg.schema["required"] == true && !r.given(arg.name) {
			missing = append(missing, arg.name)
		}
	}
	if missing != nil {
		f := failed(http.StatusBadRequest, "rest_missing_callback_param", "Missing parameter(s): "+strings.Join(missing, ", "))
		f.data = map[string]any{"params": strs(missing...)}
		return f
	}
	var wrong invalid
	for _, arg := range args {
		if v := r.get(arg.name); v != nil && !arg.late {
			if f := arg.check(r, v); f != nil {
				wrong.add(arg.name, f)
			}
		}
	}
	if f := wrong.fault(); f != nil {
		return f
	}
	for i, source := range r.sources {
		for name := range source {
			at := slices.IndexFunc(args, func(a field) bool { return a.name == name })
			if at < 0 {
				continue
			}
			v, f := args[at].clean(r, source[name], i)
			if f != nil {
				wrong.add(name, f)
				continue
			}
			source[name] = v
		}
	}
	return wrong.fault()
}
