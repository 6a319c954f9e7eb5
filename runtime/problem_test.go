package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// fails is a site that always fails.
func fails(err error) siteFunc {
	return func(context.Context, wp.Request) (*wp.Response, error) { return nil, err }
}

// Of a failure a model sees our words, WordPress's code, message and named
// arguments, and nothing else, on any path.
func TestNothingOfTheSiteLeaks(t *testing.T) {
	const canary = "CANARY"
	every := wp.Error{
		URL: "https://" + canary + ".example/wp-json/", Location: "https://" + canary, Excerpt: canary, Err: errors.New(canary),
		Method: "GET", Status: 200, Sent: true, Data: json.RawMessage(`{"status":1,"trace":"` + canary + `","params":{"a":"b"}}`),
	}
	causes := []error{errors.New(canary), fmt.Errorf("%s: %w", canary, context.DeadlineExceeded), fmt.Errorf("%s: %w", canary, context.Canceled)}
	for _, kind := range []wp.Kind{wp.Unreachable, wp.BadTLS, wp.TimedOut, wp.Crowded, wp.Broken, wp.Redirected, wp.TooLarge, wp.NotJSON, wp.Echoed, wp.Refused, "new"} {
		for _, method := range []string{"GET", "POST"} {
			e := every
			e.Kind, e.Method = kind, method
			causes = append(causes, fmt.Errorf("%s: %w", canary, &e))
		}
	}
	for _, cause := range causes {
		for _, era := range eras[:2] {
			_, web := serve(t, catalog("one", "a"), Options{Site: fails(cause)})
			res, err := connect(t, web.URL+"/mcp", era, nil, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "a"})
			if err != nil || !res.IsError {
				t.Errorf("%v: %+v %v", cause, res, err)
				continue
			}
			text, _ := json.Marshal(res)
			if strings.Contains(strings.ToUpper(string(text)), canary) || !strings.Contains(string(text), `Next: `) {
				t.Errorf("%v: %s", cause, text)
			}
		}
	}
}

// A panic ends the call, not the process. The log says where, and not what was
// thrown: it may hold anything (T40).
func TestPanic(t *testing.T) {
	for _, era := range eras {
		var log logs
		s, web := serve(t, catalog("one", "a"), Options{Log: log.logger(), Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { panic("CANARY") })})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"})
		_, direct := s.Call(t.Context(), curate.DefaultProfile, "a", nil)
		for _, err := range []error{err, direct} {
			var coded *jsonrpc.Error
			if !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInternalError || coded.Message != "internal error" || len(coded.Data) != 0 {
				t.Errorf("%s: %v", era, err)
			}
		}
		if strings.Contains(log.String(), "CANARY") || !strings.Contains(log.String(), "panic=string") || !strings.Contains(log.String(), "problem_test.go") {
			t.Errorf("the log does not say where:\n%s", &log.b)
		}
		if _, err := cs.ListTools(t.Context(), nil); err != nil {
			t.Errorf("%s: after it: %v", era, err)
		}
	}
}

// G48: a refusal is an error with the site's code and words, and what to do next.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		err  wp.Error
		want []string
		not  []string
	}{
		{wp.Error{Status: 403, Code: "rest_forbidden", Message: "Sorry, you are not allowed to do that."}, []string{"status 403 rest_forbidden. It says: Sorry, you are not allowed to do that.\nNext: do not repeat the call: the account"}, nil},
		{wp.Error{Status: 401, Code: "rest_cannot_create"}, []string{"the account toolpress uses"}, []string{"credential"}},
		{wp.Error{Status: 404, Code: "rest_post_invalid_id"}, []string{"there is nothing with this id"}, nil},
		// Refusals that core gives a status of its own, or none and so 500: nothing was done.
		{wp.Error{Status: 400, Code: "term_exists", Message: "It exists.", Method: "POST", Data: json.RawMessage(`{"status":400,"term_id":5}`)}, []string{"It says: It exists. Its id is 5.\nNext: there is one like it already"}, nil},
		{wp.Error{Status: 500, Code: "duplicate_term_slug", Method: "POST"}, []string{"nothing was changed: find and use that one"}, []string{"unknown"}},
		{wp.Error{Status: 500, Code: "existing_user_email", Method: "POST"}, []string{"there is one like it already"}, []string{"unknown"}},
		{wp.Error{Status: 500, Code: "empty_term_name", Method: "POST"}, []string{"Next: correct the arguments"}, []string{"unknown"}},
		{wp.Error{Status: 500, Code: "invalid_username", Method: "POST"}, []string{"correct the arguments"}, []string{"credential", "unknown"}},
		{wp.Error{Status: 401, Code: "invalid_username"}, []string{"toolpress's credential"}, nil},
		{wp.Error{Status: 409, Code: "comment_duplicate", Method: "POST"}, []string{"the same comment is there"}, []string{"Read it again"}},
		{wp.Error{Status: 400, Code: "rest_comment_content_invalid", Method: "POST"}, []string{"correct the arguments"}, []string{"this id"}},
		{wp.Error{Status: 404, Code: "rest_taxonomy_invalid"}, []string{"there is nothing with this id"}, nil},
		{wp.Error{Status: 500, Code: "db_insert_error", Method: "POST"}, []string{"outcome is unknown"}, nil},
		{wp.Error{Status: 404, Code: "rest_no_route"}, []string{"no longer offers"}, nil},
		{wp.Error{Status: 400, Code: "rest_invalid_param", Data: json.RawMessage(`{"params":{"status":"Invalid <b>value</b>.","a":"x"}}`)}, []string{"\n- a: x\n- status: Invalid value .\nNext: correct"}, nil},
		{wp.Error{Status: 400, Code: "rest_missing_callback_param", Data: json.RawMessage(`{"params":["title","content"]}`)}, []string{"\n- missing: title, content\nNext: add"}, nil},
		{wp.Error{Status: 400, Code: "rest_invalid_param", Data: json.RawMessage(`{"params":7}`)}, []string{"Next: correct"}, nil},
		{wp.Error{Status: 400, Code: "ability_invalid_input"}, []string{"Next: correct"}, nil},
		{wp.Error{Status: 403, Code: "rest_ability_cannot_execute"}, []string{"may not do this"}, nil},
		{wp.Error{Status: 501, Code: "rest_trash_not_supported", Method: "DELETE"}, []string{"force"}, nil},
		{wp.Error{Status: 500, Code: "rest_upload_sideload_error", Message: "You may not upload this file type.", Method: "POST"}, []string{"It says: You may not upload", "nothing was kept"}, []string{"unknown", "Try once more"}},
		{wp.Error{Status: 401, Code: "woocommerce_rest_cannot_view"}, []string{"the shop does not see who asks", "Authorization header", "https"}, nil}, // W72, W73
		{wp.Error{Status: 401, Code: "woocommerce_rest_cannot_edit", Method: "POST"}, []string{"consumer key is not known", "toolpress doctor"}, nil},
		{wp.Error{Status: 403, Code: "woocommerce_rest_cannot_view"}, []string{"the account toolpress uses may not"}, []string{"Authorization"}}, // W73
		{wp.Error{Status: 401, Code: "woocommerce_rest_authentication_error", Message: "Consumer secret is invalid.", Method: "POST"}, []string{"It says: Consumer secret", "Read/Write"}, nil},
		{wp.Error{Status: 404, Code: "woocommerce_rest_shop_order_invalid_id"}, []string{"nothing with this id in the shop"}, nil},
		{wp.Error{Status: 400, Code: "woocommerce_rest_invalid_product_id"}, []string{"nothing with this id in the shop"}, nil},
		{wp.Error{Status: 404, Code: "woocommerce_rest_product_variation_invalid_parent"}, []string{"nothing with this id in the shop"}, nil},
		{wp.Error{Status: 400, Code: "woocommerce_rest_required_product_reference"}, []string{"each item needs the product's id"}, nil},
		{wp.Error{Status: 400, Code: "woocommerce_rest_invalid_coupon", Message: "Coupon is void."}, []string{"the shop does not take a value"}, nil},
		{wp.Error{Status: 400, Code: "woocommerce_rest_coupon_code_already_exists"}, []string{"one like it already"}, nil},
		{wp.Error{Status: 410, Code: "woocommerce_rest_already_trashed"}, []string{"in the trash already"}, nil},
		{wp.Error{Status: 501, Code: "woocommerce_rest_trash_not_supported", Method: "DELETE"}, []string{"force"}, []string{"unknown"}},
		// A gateway may have paid.
		{wp.Error{Status: 500, Code: "woocommerce_rest_cannot_create_order_refund", Method: "POST"}, []string{"outcome is unknown", "do not repeat"}, nil},
		{wp.Error{Status: 413, Code: "odd", Method: "POST"}, []string{"send less"}, nil}, // W81
		{wp.Error{Status: 400, Code: "rest_upload_no_data", Method: "POST"}, []string{"post_max_size", "a smaller one"}, nil},
		{wp.Error{Status: 400, Code: "rest_upload_no_content_disposition", Method: "POST"}, []string{"changes uploads on their way", "Nothing was kept"}, nil},
		{wp.Error{Status: 412, Code: "rest_upload_hash_mismatch", Method: "POST"}, []string{"changes uploads on their way"}, []string{"Read it again"}},
		{wp.Error{Status: 400, Code: "rest_upload_file_too_big", Message: "Files must be less than 1500 KB in size.", Method: "POST"}, []string{"less than 1500 KB", "a smaller file"}, nil},
		{wp.Error{Status: 400, Code: "rest_upload_limited_space", Method: "POST"}, []string{"no room"}, nil},
		{wp.Error{Status: 400, Code: "rest_upload_user_quota_exceeded", Method: "POST"}, []string{"no room"}, nil},
		{wp.Error{Status: 500, Code: "rest_upload_file_error", Method: "POST"}, []string{"cannot store files", "nothing was kept"}, []string{"unknown"}},
		{wp.Error{Status: 400, Code: "rest_upload_image_type_not_supported", Method: "POST"}, []string{"JPEG or PNG"}, nil},
		{wp.Error{Status: 400, Code: "rest_invalid_url", Method: "POST"}, []string{"picture.jpg"}, nil},
		{wp.Error{Status: 500, Code: "rest_upload_by_a_plugin", Method: "POST"}, []string{"outcome is unknown"}, []string{"kept"}},
		{wp.Error{Status: 401, Code: "odd"}, []string{"credential"}, nil},
		{wp.Error{Status: 403}, []string{"not allowed"}, nil},
		{wp.Error{Status: 404}, []string{"does not exist"}, nil},
		{wp.Error{Status: 429}, []string{"Wait a minute"}, nil},
		{wp.Error{Status: 500, Method: "GET"}, []string{"fault is on the site"}, nil},
		{wp.Error{Status: 500, Method: "POST"}, []string{"outcome is unknown", "do not repeat"}, nil},
		// T16: a page with a 500 is no firewall, but a site without its database.
		{wp.Error{Kind: wp.NotJSON, Status: 500, Method: "GET", Err: wp.ErrPage}, []string{"status 500 and an HTML page: WordPress, a plugin or the web server failed.\nNext: the fault is on the site. Try once more"}, []string{"firewall"}},
		{wp.Error{Kind: wp.NotJSON, Status: 403, Method: "GET", Err: wp.ErrPage}, []string{"status 403 and an HTML page: a firewall", "Next: do not repeat"}, nil},
		{wp.Error{Status: 400, Code: "bad code\n"}, []string{"status 400\nNext"}, []string{"bad code"}},
		{wp.Error{Status: 400, Message: "&lt;script&gt;x&lt;/script&gt; <a href='https://evil'>y</a> a\u200bb\u202ec\x07d\U000e0041 e\u00ad"}, []string{"It says: x y abcd e\n"}, []string{"<", ">", "evil"}},
		{wp.Error{Status: 400, Message: strings.Repeat("ü", 600)}, []string{strings.Repeat("ü", 248) + "…\n"}, []string{strings.Repeat("ü", 249)}},
	} {
		e := c.err
		e.Kind, e.Sent = cmp.Or(e.Kind, wp.Refused), true
		got := unanswered(admission{tool: thing()}, wp.Request{Method: "GET"}, &e)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%d %s: %q\nhas no %q", e.Status, e.Code, got, want)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%d %s: %q\nhas %q", e.Status, e.Code, got, not)
			}
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	}
}

// A write that may have happened says so, a read never does.
func TestUnknownOutcome(t *testing.T) {
	for _, c := range []struct {
		err     wp.Error
		unknown bool
	}{
		{wp.Error{Kind: wp.TimedOut, Method: "POST", Sent: true}, true},
		{wp.Error{Kind: wp.Broken, Method: "DELETE", Sent: true}, true},
		{wp.Error{Kind: wp.NotJSON, Method: "POST", Sent: true, Status: 200}, true},
		{wp.Error{Kind: wp.NotJSON, Method: "POST", Sent: true, Status: 413}, false}, // W81
		{wp.Error{Kind: wp.TooLarge, Method: "PUT", Sent: true, Status: 200}, true},
		{wp.Error{Kind: wp.TimedOut, Method: "POST"}, false},
		{wp.Error{Kind: wp.Unreachable, Method: "POST"}, false},
		{wp.Error{Kind: wp.Crowded, Method: "POST"}, false},
		{wp.Error{Kind: wp.Refused, Method: "POST", Sent: true, Status: 403}, false},
		{wp.Error{Kind: wp.TimedOut, Method: "GET", Sent: true}, false},
	} {
		got := unanswered(admission{tool: thing()}, wp.Request{Method: c.err.Method}, &c.err)
		if strings.Contains(got, "outcome is unknown") != c.unknown {
			t.Errorf("%+v: %q", c.err, got)
		}
	}
}

func TestUnbuilt(t *testing.T) {
	got := unbuilt("create-post", curate.Faults{"title is missing", "status must be one of draft, publish"})
	if want := "Nothing was sent: the arguments are not right.\n- title is missing\n- status must be one of draft, publish\nNext: correct these arguments and call create-post again."; got != want {
		t.Errorf("%q", got)
	}
	got = unbuilt("x", errors.New("meta: null cannot be sent in a query"))
	if !strings.Contains(got, "meta: null cannot be sent in a query") || !strings.Contains(got, "Next: leave that argument out") {
		t.Errorf("%q", got)
	}
}

// Faults reach the model through the whole path, all at once, and the site is
// not asked.
func TestFaults(t *testing.T) {
	for _, era := range eras {
		_, web := serve(t, catalog("one", "a"), Options{Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { panic("asked") })})
		res, err := connect(t, web.URL+"/mcp", era, nil, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "a", Arguments: map[string]any{"id": "x", "kind": "c", "no": 1}})
		if err != nil || !res.IsError {
			t.Fatalf("%+v %v", res, err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		if strings.Count(text, "\n- ") != 3 || !strings.HasSuffix(text, "call a again.") {
			t.Errorf("%s: %s", era, text)
		}
	}
}

// What is to be asked for less of is an argument of the tool, by its own name.
func TestAskForLess(t *testing.T) {
	e := &wp.Error{Kind: wp.TooLarge, Method: "GET", Sent: true}
	for args, want := range map[string]string{
		`{ "*": hidden, per_page: { rename: count } }`: "call again with a smaller count.",
		`{ "*": hidden, page: {} }`:                    "do not repeat the call as it is: ask for less of it, or tell the user.",
	} {
		if got := next(listTool(t, args, "{}"), e); got != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// A write whose answer does not fit has still happened.
func TestTooMuch(t *testing.T) {
	if got := tooMuch("GET", 10); !strings.Contains(got, "10 bytes") || !strings.Contains(got, "Next: do not repeat the call.") {
		t.Error(got)
	}
	if got := tooMuch("POST", 10); !strings.HasPrefix(got, "Done") || !strings.Contains(got, "do not repeat") {
		t.Error(got)
	}
}

// A site that does not answer is not waited for.
func TestCallDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{CallTimeout: 7 * time.Second, Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})})
		start := time.Now()
		res, err := s.Call(t.Context(), curate.DefaultProfile, "a", nil)
		if err != nil || !res.IsError || time.Since(start) != 7*time.Second {
			t.Errorf("%v %v after %v", res, err, time.Since(start))
		}
	})
}

// What a site prints around its JSON is for the operator.
func TestNoiseIsLogged(t *testing.T) {
	var log logs
	s := NewServer(catalog("one", "a"), Options{Log: log.logger(), Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) {
		return &wp.Response{Status: 200, JSON: json.RawMessage(`{}`), Noise: wp.Noise{Before: "Notice: CANARY"}}, nil
	})})
	res, err := s.Call(t.Context(), curate.DefaultProfile, "a", nil)
	if err != nil || strings.Contains(fmt.Sprint(res.Content[0].(*mcp.TextContent).Text), "CANARY") || !strings.Contains(log.String(), "CANARY") {
		t.Errorf("%+v %v\n%s", res, err, log.String())
	}
}

// What PHP code threw may hold anything and reaches no model; the arguments a
// site names are named as the model knows them; what cannot be sent is named.
func TestOwnWords(t *testing.T) {
	renamed := func() *curate.Tool {
		site := &discover.Site{Routes: []discover.Route{{
			Path: "/t/v1/things", Pattern: "/t/v1/things", Namespace: "t/v1",
			Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{"per_page": map[string]any{"type": "integer"}}}},
		}}}
		c, err := curate.Parse("c.yaml", []byte("version: 1\ntools: { thing: { from: GET /t/v1/things, args: { per_page: { rename: limit } } } }"), nil)
		if err != nil {
			t.Fatal(err)
		}
		made, _ := c.Apply(generate.FromSite(site), nil)
		return made.Profiles[curate.DefaultProfile].Tool("thing")
	}()
	for _, c := range []struct {
		err       error
		want, not string
	}{
		{&wp.Error{Kind: wp.Refused, Method: "GET", Status: 500, Code: "ability_callback_exception", Message: "db password hunter2", Sent: true}, "status 500 ability_callback_exception\nNext:", "hunter2"},
		{&wp.Error{Kind: wp.Refused, Status: 400, Code: "rest_invalid_param", Data: json.RawMessage(`{"params":{"per_page":"too many"}}`), Sent: true}, "\n- limit: too many\n", "per_page"},
		{&wp.RequestError{Err: errors.New("null cannot be sent in a query")}, "Nothing was sent: this call cannot be built. null cannot be sent in a query\nNext:", "status"},
	} {
		got := unanswered(admission{tool: renamed}, wp.Request{Method: "GET"}, c.err)
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%v: %q", c.err, got)
		}
	}
}

// PHP's escapes say nothing to a model and cost tokens.
func TestUnescaped(t *testing.T) {
	for in, want := range map[string]string{
		`{"a\/b":"http:\/\/x\/y","n":1.0}`:             `{"a/b":"http://x/y","n":1.0}`,
		`["\u00c9mile \ud83d\ude00","\"q\\\"","\n\t"]`: `["Émile 😀","\"q\\\"","\n\t"]`,
		`{"a":"<b>"}`:     `{"a":"<b>"}`,
		`"\ud83d"`:        "\"\uFFFD\"",
		`{"a":[],"b":{}}`: `{"a":[],"b":{}}`,
	} {
		got, err := unescaped([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", in, got, err)
		}
	}
}
