package clients

import "strings"

// MaxDepth is how many objects may stand in one another.
const MaxDepth = 10

// table is every rule. What a client refused once and takes today is not in it,
// and neither is what holds for OpenAI's strict mode alone and is made by its SDKs
// themselves: every property required, no others allowed.
var table = []Rule{
	{
		Client: "Claude", ID: "root-object", Source: "anthropics/claude-code#88049",
		Refuses: "an inputSchema whose type is not object: every tool of the server is dropped",
		find:    (*Tool).rootObject,
	},
	{
		Client: "Claude", ID: "root-combinator", Source: "anthropics/claude-code#5319",
		Refuses: "anyOf, oneOf or allOf at the root: the request fails",
		find:    func(t *Tool, report reporter) { t.rootKeywords(report, "anyOf", "oneOf", "allOf") },
	},
	{
		Client: "Claude", ID: "property-name", Source: "ComposioHQ/composio#2330",
		Refuses: "arguments with other names than ^[a-zA-Z0-9_.-]{1,64}$: the request fails",
		find: func(t *Tool, report reporter) {
			t.names(report, func(n string) bool { return only(n, letters+digits+"_.-", 64) })
		},
	},
	{
		Client: "Claude", ID: "tool-name", Source: "loomle/loomle#168",
		Refuses: "tools with other names than ^[a-zA-Z0-9_-]{1,64}$: the conversation cannot be used",
		find: func(t *Tool, report reporter) {
			t.name(report, func(n string) bool { return only(n, letters+digits+"_-", 64) })
		},
	},
	{
		Client: "Claude", ID: "draft-2020-12", Source: "Dokploy/mcp#74",
		Refuses: "a schema that is not valid JSON Schema 2020-12, such as draft-04's exclusiveMinimum: true: the request fails",
		find:    func(t *Tool, report reporter) { t.valid(draft2020, report) },
	},
	{
		Client: "Claude", ID: "reference", Source: "perforce/p4mcp-server#3",
		Refuses: "references; the Messages API takes those that lead somewhere, Managed Agents none", Keywords: []string{"$ref", "$dynamicRef", "$recursiveRef"},
	},
	{
		Client: "Claude", ID: "boolean-schema", Source: "anthropics/claude-code#92900",
		Refuses: "true or false in place of a schema: every tool of the server is dropped",
		find:    (*Tool).plainSchemas,
	},

	{
		Client: "OpenAI", ID: "tool-name", Source: "openai/codex#8174",
		Refuses: "tools with other names than ^[a-zA-Z0-9_-]{1,64}$: the request fails",
		find: func(t *Tool, report reporter) {
			t.name(report, func(n string) bool { return only(n, letters+digits+"_-", 64) })
		},
	},
	{
		Client: "OpenAI", ID: "root-keywords", Source: "langchain-ai/langchainjs#9804",
		Refuses: "anyOf, oneOf, allOf, enum or not at the root: the request fails",
		find: func(t *Tool, report reporter) {
			t.rootKeywords(report, "anyOf", "oneOf", "allOf", "enum", "not")
		},
	},
	{
		Client: "OpenAI", ID: "properties", Source: "spring-projects/spring-ai#4776",
		Refuses: "an object without properties, even empty ones: the request fails",
		find:    (*Tool).propertiesThere,
	},
	{
		Client: "OpenAI", ID: "items", Source: "campfirein/byterover-cli#42",
		Refuses: "an array without items, also where array is one of several types: the request fails",
		find:    (*Tool).itemsThere,
	},
	{
		Client: "OpenAI strict", ID: "type", Source: "apexive/odoo-llm#212",
		Refuses: "a schema without a type: the request fails",
		find:    (*Tool).typesThere,
	},
	{
		Client: "OpenAI strict", ID: "format", Source: "cyanheads/git-mcp-server#47",
		Refuses: "formats other than date-time, time, date, duration, email, hostname, ipv4, ipv6 and uuid: the request fails", Keywords: []string{"format:uri"},
		find: func(t *Tool, report reporter) {
			t.onlyFormats(report, "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
		},
	},
	{
		Client: "OpenAI strict", ID: "combinators", Source: "makenotion/notion-mcp-server#102",
		Refuses:  "allOf, oneOf, not, conditions and dependencies: the request fails, or the SDK gives strict mode up",
		Keywords: []string{"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "propertyNames", "patternProperties", "prefixItems", "contains"},
	},
	{
		Client: "OpenAI strict", ID: "counts", Contested: true, Source: "openai/openai-java openai-java-core/src/main/kotlin/com/openai/core/JsonSchemaValidator.kt",
		Refuses:  "counts other than minItems and maxItems, and uniqueItems: the SDK refuses them",
		Keywords: []string{"minLength", "maxLength", "minProperties", "maxProperties", "uniqueItems"},
	},
	{
		Client: "OpenAI strict", ID: "open-object", Contested: true, Source: "openai/openai-agents-python src/agents/strict_schema.py",
		Refuses: "additionalProperties that allow any: the SDK gives strict mode up",
		find:    (*Tool).openObjects,
	},
	{
		Client: "OpenAI strict", ID: "depth", Source: "openai/openai-java#732",
		Refuses: "more than 10 objects in one another: the request fails",
		find:    (*Tool).depth,
	},

	{
		Client: "Gemini", ID: "keywords", Source: "pizza-bot-app/pizza-bot#62",
		Refuses: "keywords that its Schema has no field for: the request fails",
		Keywords: []string{
			"$schema", "$defs", "definitions", "$id", "const", "examples", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "deprecated", "readOnly", "writeOnly", "propertyNames", "uniqueItems",
		},
		// additionalProperties is a rule of its own.
		find: func(t *Tool, report reporter) {
			t.onlyFields(report, "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required",
				"minProperties", "maxProperties", "minimum", "maximum", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default", "additionalProperties")
		},
	},
	{
		Client: "Gemini", ID: "additional-properties", Contested: true, Source: "googleapis/python-genai#2393",
		Refuses: "additionalProperties: its Python SDK fails on false, and the API refused any until 2026", Keywords: []string{"additionalProperties"},
	},
	{
		Client: "Gemini", ID: "one-type", Source: "taylorwilsdon/google_workspace_mcp#1099",
		Refuses: "a list of types: the request fails",
		find:    (*Tool).oneType,
	},
	{
		Client: "Gemini", ID: "type", Source: "directus/mcp#8",
		Refuses: "a schema without a type: the request fails",
		find:    (*Tool).typesThere,
	},
	{
		Client: "Gemini", ID: "any-of-alone", Source: "BerriAI/litellm#11164",
		Refuses: "anyOf beside any other keyword, a description too: the request fails", Keywords: []string{"anyOf"},
		find: (*Tool).anyOfAlone,
	},
	{
		Client: "Gemini", ID: "enum", Source: "anomalyco/opencode#28412",
		Refuses: "an enum of anything but texts, on anything but a string: the request fails",
		find:    (*Tool).enumOfTexts,
	},
	{
		Client: "Gemini", ID: "enum-empty", Source: "sbroenne/mcp-server-excel#607",
		Refuses: "the empty text in an enum: the request fails",
		find:    (*Tool).emptyInEnum,
	},
	{
		Client: "Gemini", ID: "format", Source: "google-gemini/gemini-cli#3178",
		Refuses:  "formats of a string other than date-time and enum: the request fails",
		Keywords: []string{"format:date", "format:time", "format:duration", "format:uri", "format:email", "format:uuid", "format:hostname", "format:ipv4", "format:ipv6"},
		find:     func(t *Tool, report reporter) { t.onlyFormats(report, "date-time", "enum") },
	},
	{
		Client: "Gemini", ID: "items", Source: "cline/cline#7339",
		Refuses: "an array without items: the request fails",
		find:    (*Tool).itemsThere,
	},
	{
		Client: "Gemini", ID: "required", Source: "probelabs/probe#569",
		Refuses: "a name in required that is no property: the request fails",
		find:    (*Tool).requiredThere,
	},
	{
		Client: "Gemini", ID: "tool-name", Source: "maximhq/bifrost#1979",
		Refuses: "a tool's name that begins with neither a letter nor an underscore: the request fails",
		find: func(t *Tool, report reporter) {
			t.name(report, func(n string) bool { return begins(n) && only(n, letters+digits+"_.:-", 64) })
		},
	},
	{
		Client: "Gemini", ID: "property-name", Contested: true, Source: "https://cloud.google.com/vertex-ai/docs/reference/rest/v1/FunctionDeclaration",
		Refuses: "arguments with other names than ^[a-zA-Z_][a-zA-Z0-9_]{0,63}$, by its reference",
		find: func(t *Tool, report reporter) {
			t.names(report, func(n string) bool { return begins(n) && only(n, letters+digits+"_", 64) })
		},
	},

	{
		Client: "VS Code", ID: "items", Source: "microsoft/vscode#246119",
		Refuses: "an array without items: the whole request of Copilot Chat fails",
		find:    (*Tool).itemsThere,
	},
	{
		Client: "VS Code", ID: "draft-07", Source: "microsoft/vscode#245066",
		Refuses: "a schema that is not valid draft-07: the tool is left out, or the request fails",
		find:    func(t *Tool, report reporter) { t.valid(draft7, report) },
	},
	{
		Client: "VS Code", ID: "tool-name", Source: "microsoft/vscode#308463",
		Refuses: "other characters in a tool's name than a-z, A-Z, 0-9, _ and -: it is renamed, with a warning",
		find: func(t *Tool, report reporter) {
			t.name(report, func(n string) bool { return only(n, letters+digits+"_-", 64) })
		},
	},

	{
		Client: "Cursor", ID: "tool-name", Source: "webstudio-is/webstudio#5960",
		Refuses: "dots in a tool's name: it is left out",
		find: func(t *Tool, report reporter) {
			t.name(report, func(n string) bool { return !strings.Contains(n, ".") })
		},
	},
	{
		Client: "Cursor", ID: "name-length", Source: "ComposioHQ/composio#2788",
		Refuses: "a tool whose name and the server's have 60 characters or more together: it is left out",
		find:    func(t *Tool, report reporter) { t.fullName(LongestName, report) },
	},
	{
		Client: "Cursor", ID: "null", Source: "cursor/cursor#3778",
		Refuses: "text for an argument of the types null and string: the call fails",
		find:    (*Tool).nullBesideAnother,
	},

	{
		Client: "TypeScript SDK 1.x", ID: "input", Source: "npm @modelcontextprotocol/sdk 1.32.2 dist/esm/types.js",
		Refuses: "an inputSchema whose type is not object, whose properties are no map of schemas, or whose required is no list of names: listTools fails",
		find:    func(t *Tool, report reporter) { t.sdk(input, t.Input, report) },
	},
	{
		Client: "TypeScript SDK 1.x", ID: "output", Source: "modelcontextprotocol/typescript-sdk#1175",
		Refuses: "an outputSchema of the same faults, or one that Ajv cannot compile: listTools fails",
		find:    (*Tool).output,
	},
}
