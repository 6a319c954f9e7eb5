package wptest

// callbacks replace what the schema says of an argument where core has a
// callback of its own for it, by the name in [field.own].
type callbacks struct {
	checks map[string]func(*request, *field, any) *fault
	cleans map[string]func(*request, *field, any) (any, *fault)
}

func newCallbacks() callbacks {
	own := callbacks{map[string]func(*request, *field, any) *fault{}, map[string]func(*request, *field, any) (any, *fault){}}
	for _, add := range []func(callbacks){abilityCallbacks, commentCallbacks, postCallbacks, searchCallbacks, shopCallbacks, userCallbacks} {
		add(own)
	}
	return own
}

// check is the argument's validate_callback.
func (f *field) check(r *request, value any) *fault {
	if own := r.own.checks[f.own]; own != nil {
		return own(r, f, value)
	}
	return f.valid(value)
}

// valid checks by schema; a text that may be an object may be a string too
// (the posts controller has no check for those).
func (f *field) valid(value any) *fault {
	if f.own == "open" || f.schema["type"] == nil || f.schema["type"] == "date-time" {
		return nil
	}
	return validate(value, f.schema, f.name)
}

// clean is the argument's sanitize_callback; a default is as good as sent.
func (f *field) clean(r *request, value any, source int) (any, *fault) {
	if own := r.own.cleans[f.own]; own != nil {
		return own(r, f, value)
	}
	if f.own == "open" || f.schema["type"] == nil || value == nil && source == fromDefault {
		return value, nil
	}
	if f.late {
		if fault := f.valid(value); fault != nil {
			return nil, fault
		}
	}
	return sanitize(value, f.schema), nil
}
