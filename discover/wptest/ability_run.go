package wptest

import (
	"net/http"
	"strings"
)

// mayRun is check_ability_permissions: whether there is such an ability, then
// its method, its default, its schema, and only then who asks.
func mayRun(r *request) *fault {
	a, f := r.findAbility()
	if f != nil {
		return f
	}
	if f := a.takes(r.method); f != nil {
		return f
	}
	input := a.normalized(r.input())
	if f := a.valid(input); f != nil {
		f.status = http.StatusBadRequest
		return f
	}
	allowed := r.user.can("read")
	if a.allowed != nil {
		allowed = a.allowed(r)
	}
	if !allowed {
		return r.denied("rest_ability_cannot_execute", "You may not execute this ability.")
	}
	return nil
}

func run(r *request) (*answer, *fault) {
	a, f := r.findAbility()
	if f != nil {
		return nil, f
	}
	result, f := a.run(r, a.normalized(r.input()))
	if f != nil {
		return nil, f
	}
	return &answer{data: result, before: a.prints}, nil
}

// takes follows PHP's truthiness of the annotations (validate_request_method).
func (a *ability) takes(method string) *fault {
	want := http.MethodPost
	switch {
	case a.annotations["readonly"] == true:
		want = http.MethodGet
	case a.annotations["destructive"] == true && a.annotations["idempotent"] == true:
		want = http.MethodDelete
	}
	if method == want {
		return nil
	}
	return failed(http.StatusMethodNotAllowed, "rest_ability_invalid_method", "This ability takes "+want+".")
}

// input is in the query of a GET or DELETE, else in the JSON body.
func (r *request) input() any {
	if r.method == http.MethodGet || r.method == http.MethodDelete {
		return r.sources[fromQuery]["input"]
	}
	return r.sources[fromBody]["input"]
}

// normalized puts the schema's default where there is no input.
func (a *ability) normalized(input any) any {
	if input != nil {
		return input
	}
	initial := a.inputSchema["default"]
	if empty, ok := initial.(map[string]any); ok && len(empty) == 0 {
		return []any{}
	}
	return initial
}

func (a *ability) valid(input any) *fault {
	if len(a.inputSchema) == 0 {
		if input == nil {
			return nil
		}
		return failed(0, "ability_missing_input_schema", "The ability "+a.name+" takes no input.")
	}
	if f := validate(input, a.inputSchema, "input"); f != nil {
		return failed(0, "ability_invalid_input", "The ability "+a.name+" cannot take this input. Reason: "+f.message)
	}
	return nil
}

func abilityCallbacks(own callbacks) {
	// sanitize_input_for_ability: what is valid is coerced, the rest stays.
	own.checks["ability"] = func(*request, *field, any) *fault { return nil }
	own.cleans["ability"] = func(r *request, _ *field, value any) (any, *fault) {
		a, f := r.findAbility()
		if f != nil || value == nil || len(a.inputSchema) == 0 || a.valid(value) != nil {
			return value, nil
		}
		return sanitize(value, a.inputSchema), nil
	}
	// sanitize_key behind a check by schema.
	own.cleans["keyed"] = func(_ *request, _ *field, value any) (any, *fault) { return strings.ToLower(text(value)), nil }
}
