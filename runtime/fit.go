package runtime

import (
	"encoding/json"
	"slices"

	"toolpress/generate/schema"
)

// notWhole keeps a model from writing back what was shortened.
const notWhole = "Texts that end in [shortened] are not whole: never write them back."

// fitObject shortens the longest texts of an object until it fits into most
// bytes (0: any size), and says so in it. cut says that some are short already.
func fitObject(raw json.RawMessage, most int, cut bool) (json.RawMessage, error) {
	fits := most <= 0 || len(raw) <= most
	if fits && !cut {
		return raw, nil
	}
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	note, err := remark(list, "truncated", notWhole+" This tool has no more of them.")
	if err != nil {
		return nil, err
	}
	if room := most - note.size(); most > 0 && len(raw) > room {
		short, err := shorten(raw, room)
		if err != nil {
			return nil, err
		}
		if list, err = members(short); err != nil {
			return nil, err
		}
	}
	return object(append(list, note))
}

// remark is a member that an object does not have yet.
func remark(list []member, name, text string) (member, error) {
	for slices.ContainsFunc(list, func(m member) bool { return m.name == name }) {
		name = "toolpress_" + name
	}
	value, err := schema.Encode(text)
	return member{name, value}, err
}

// size is what a member takes in an object.
func (m member) size() int { return len(m.name) + len(m.value) + len(`"":,`) }
