package curate

import (
	_ "embed"
	"slices"
)

//go:embed curation.schema.json
var curationSchema []byte

// Schema is a JSON Schema (draft 2020-12) of a curation file, from which editors
// complete and check one. What it refuses [Parse] refuses too. It cannot say
// everything that Parse does: bounds of durations, spellings of YAML, and what
// the site has are left to `toolpress check`.
func Schema() []byte { return slices.Clone(curationSchema) }
