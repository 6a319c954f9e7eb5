package curate

import (
	"time"

	"gopkg.in/yaml.v3"
)

// Text is a text and where it was written.
type Text struct {
	Value string
	Pos   Pos
}

// file is one curation file as it was written. Values keep their positions;
// nothing of another layer is merged in.
type file struct {
	reader *reader
	// preset marks a layer whose entries are optional: what a site does not
	// have is no finding.
	preset bool

	extends  []*file
	server   ServerSettings
	site     SiteSettings
	expose   []expose
	exclude  []selector
	private  []private
	allow    []allowance
	defaults settings
	rules    []rule
	tools    []entry
	groups   []group
	profiles *profiles
	lock     *Lock // nil: not said
}

// SiteSettings say which site, as whom and how. Empty fields are not said.
type SiteSettings struct {
	URL Text
	// Poll is how often the site is read again; zero is not said.
	Poll time.Duration
	Auth
	// KeyEnv and SecretEnv name the variables of a WooCommerce consumer key and
	// secret.
	KeyEnv, SecretEnv Text
	// CAFile names a PEM file of certificate authorities to trust besides the
	// machine's own.
	CAFile Text
	// Host is the name the site knows itself by, where URL is another.
	Host Text
	// Timeout bounds one call, MaxResponse its answer in bytes.
	Timeout     time.Duration
	MaxResponse int
	// Rate bounds the requests to the site in a time, of which Burst may go at
	// once, and Concurrency those at the same time. Zero: no bound, and a burst of
	// one.
	Rate               Rate
	Burst, Concurrency int

	Media Media

	// What follows nothing enforces yet.

	// Locale is the language that the site's texts are to be in, as WordPress names it:
	// pt_PT. Empty: any.
	Locale Text
	// WebhookSecretEnv names the variable with what signs the site's webhooks.
	WebhookSecretEnv Text
}

// Media says where files for the media library may come from, besides a call. Nil
// fields are not said.
type Media struct {
	// Roots are directories of this machine, as whole paths.
	Roots []Text
	// Hosts are names of hosts, with or without a port.
	Hosts []Text
}

// Auth says where the credential for the site is kept: a user and an
// application password, or a bearer token. Empty fields are not said.
type Auth struct {
	// UserEnv and PasswordEnv name environment variables, PasswordFile a file.
	UserEnv, PasswordEnv, PasswordFile Text
	// TokenEnv names the variable, TokenFile the file of a bearer token.
	TokenEnv, TokenFile Text
}

// ServerSettings say what clients see of the server. Empty fields are not said.
type ServerSettings struct {
	// Name is the server's in MCP (serverInfo.name).
	Name Text
	// Prefix goes before the name of every tool.
	Prefix Text
	// Instructions go before what is said of the site and its groups.
	Instructions Text
	// Lang is the language of the file's texts, as BCP 47 writes it.
	Lang Text
}

// selector chooses operations: its keys AND, the values of a key OR.
type selector struct {
	pos                                                 Pos
	ability, category, namespace, vendor, route, method []Text
}

// expose is one entry that makes tools of what it selects.
type expose struct {
	selector
	writes bool
	groups []Text
}

// rule is a bulk edit.
type rule struct {
	match selector
	set   settings
}

// entry is one key below tools.
type entry struct {
	name Text
	// drop is tools.NAME: false.
	drop bool
	// from are identities; the first that the site has is taken. Empty patches
	// what an earlier layer or an expose entry calls by this name.
	from []Text
	// optional makes a site without it no finding.
	optional bool
	// replaces names the tool of an earlier layer that goes on under this name.
	replaces Text
	aliases  []Text // nil: not said
	set      settings
}

// settings are the fields any layer may set on a tool. A nil field is not said.
type settings struct {
	title, description *Text
	args               []argSettings // in the order they are written
	hideOthers         bool          // "*": hidden
	hideBelow          []Text        // the paths before ".*": hidden
	result             resultSettings
	groups             []Text // nil: not said
	confirm            *Text  // never, destructive, writes or always
	dialect            *Text  // common or modern
	policy
	// at are where the keys stand, by path: result.pick.
	at places
}

type number struct {
	value int
	pos   Pos
}

// argSettings are the fields set on one argument. Values stay nodes until the
// site's schema says of what type they are.
type argSettings struct {
	name             Text
	hide             *bool
	rename, describe *Text
	header, wire     *Text
	fix, def         *yaml.Node
	enum             []*yaml.Node
	minimum, maximum *yaml.Node

	minLength, maxLength, maxItems *number
	pattern                        *Text
	required                       *bool
	at                             places // where its keys stand
}

// group describes tools to the model.
type group struct {
	name     Text
	describe string
	scopes   []Text
}

// profiles are the endpoints a file asks for, in the order they are written.
type profiles struct {
	list []profile
}

// profile says what one endpoint serves, and to whom.
type profile struct {
	name                Text
	groups              []Text // nil: all
	maxTools, maxTokens *number
	readOnly            bool
	requireScopes       []Text
	tokenEnv            []Text
	tokenFile           Text
	auth                Auth
	tools               []entry // narrow what the file's own tools do
}
