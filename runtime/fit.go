package runtime

import (
	"encoding/json"

	"toolpress/generate/schema"
)

// notWhole keeps a model from writing back what was shortened.
const notWhole = "Texts that end in [shortened] are not whole: never write them back."

// fitObject shortens the longest texts of an object until it fits into most
// bytes (0: any size), and says so in it. cut says that some are short already.
// What is told besides is not shortened.
func fitObject(raw json.RawMessage, most int, cut bool, told ...warning) (json.RawMessage, error) {
	whole, err := warned(raw, told)
	if err != nil {
		return nil, err
	}
	fits := most <= 0 || len(whole) <= most
	if fits && !cut {
		return whole, nil
	}
	if !fits { // what never fits may be wide: nothing is made of it
		if _, err := shorten(raw, most); err != nil {
			return nil, err
		}
	}
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	note, err := remark(list, "truncated", notWhole+" This tool has no more of them.")
	if err != nil {
		return nil, err
	}
	if room := most - (len(whole) - len(raw)) - note.size(); most > 0 && len(raw) > room {
		short, err := shorten(raw, room)
		if err != nil {
			return nil, err
		}
		if list, err = members(short); err != nil {
			return nil, err
		}
	}
	short, err := object(append(list, note))
	if err != nil {
		return nil, err
	}
	return warned(short, told)
}

// remark is a member that an object does not have yet.
func remark(list []member, name, text string) (member, error) {
	value, err := schema.Encode(text)
	return member{freeName(list, name), value}, err
}

// size is what a member takes in an object.
func (m member) size() int { return len(m.name) + len(m.value) + len(`"":,`) }
