package generate

import "toolpress/discover/wp"

type plan struct{}

func (p plan) request(o *Operation, values map[string]any) (wp.Request, error) {
	return wp.Request{}, nil
}
