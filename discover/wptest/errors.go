package wptest

import (
	"maps"
	"net/http"
	"strings"
)

// fault is WordPress's error (WP_Error) as it goes over the wire. A fault with
// an empty code is a permission that only says no: core answers it for itself
// with rest_forbidden.
type fault struct {
	code, message string
	status        int
	// data is what the error carries beside the status; more is earlier data.
	data map[string]any
	more []any
}

// no is a permission callback's plain false.
var no = &fault{}

func failed(status int, code, message string) *fault {
	return &fault{code: code, message: message, status: status}
}

// denied is 401 for nobody and 403 for a user (rest_authorization_required_code).
func (r *request) denied(code, message string) *fault {
	if r.user == nil {
		return failed(http.StatusUnauthorized, code, message)
	}
	return failed(http.StatusForbidden, code, message)
}

// may turns a condition into a permission.
func may(allowed bool) *fault {
	if allowed {
		return nil
	}
	return no
}

// body is the error's JSON (rest_convert_error_to_response).
func (f *fault) body() map[string]any {
	var data any
	if f.status != 0 || f.data != nil {
		m := map[string]any{}
		maps.Copy(m, f.data)
		if f.status != 0 {
			m["status"] = f.status
		}
		data = m
	}
	body := map[string]any{"code": f.code, "message": f.message, "data": data}
	if f.more != nil {
		body["additional_data"] = f.more
	}
	return body
}

// noRoute is the answer where no pattern and method match.
func noRoute() *fault {
	return failed(http.StatusNotFound, "rest_no_route", "There is no route for this address and method.")
}

func invalidPost() *fault {
	return failed(http.StatusNotFound, "rest_post_invalid_id", "There is no such post.")
}

// invalid collects what is wrong with the arguments of one request, each with
// its own fault.
type invalid struct {
	names   []string
	params  map[string]any
	details map[string]any
}

func (i *invalid) add(name string, f *fault) {
	if i.params == nil {
		i.params, i.details = map[string]any{}, map[string]any{}
	}
	if _, ok := i.params[name]; !ok {
		i.names = append(i.names, name)
	}
	if f == no {
		i.params[name] = "This is no valid value."
		return
	}
	i.params[name], i.details[name] = f.message, f.body()
}

func (i *invalid) fault() *fault {
	if i.params == nil {
		return nil
	}
	details := any(i.details)
	if len(i.details) == 0 {
		details = []any{} // PHP's empty array
	}
	return &fault{
		code: "rest_invalid_param", message: "Invalid parameter(s): " + strings.Join(i.names, ", "), status: http.StatusBadRequest,
		data: map[string]any{"params": i.params, "details": details},
	}
}
