package curate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"toolpress/generate/schema"
)

// dates explains the times of the endpoint's tools to the model, where they have
// any and the zone is known: WordPress writes those of the site without an offset
// (rest_get_date_with_gmt and mysql_to_rfc3339, in wp-includes/rest-api.php and
// wp-includes/functions.php), and reads one with an offset as the moment it is.
func (a *application) dates(e *endpoint) string {
	zone := zoneName(a.surface.Timezone)
	takes := slices.ContainsFunc(e.made, func(m made) bool { return m.tool.takesDate() })
	switch {
	case zone == "" || !takes && !slices.ContainsFunc(e.made, func(m made) bool { return m.tool.givesDate() }):
		return ""
	case takes:
		return " Dates without an offset are in the site's time zone, " + zone + ", those called _gmt in UTC; one given with an offset or Z is converted."
	}
	return " Dates without an offset are in the site's time zone, " + zone + ", those called _gmt in UTC."
}

// zoneName is the site's time zone as a model knows it: Europe/Lisbon, UTC+05:30.
func zoneName(zone string) string {
	hours, fixed := strings.CutPrefix(zone, "UTC offset ")
	if !fixed {
		return schema.CleanText(zone, maxShown)
	}
	offset, err := strconv.ParseFloat(hours, 64)
	if err != nil || math.Abs(offset) > 24 {
		return ""
	}
	minutes := int(math.Round(math.Abs(offset) * 60))
	switch {
	case minutes == 0:
		return "UTC"
	case offset < 0:
		return fmt.Sprintf("UTC-%02d:%02d", minutes/60, minutes%60)
	}
	return fmt.Sprintf("UTC+%02d:%02d", minutes/60, minutes%60)
}

// takesDate reports an argument of a route that is a time of the site's own.
func (t *Tool) takesDate() bool {
	return t.op.Ability == "" && slices.ContainsFunc(t.schema.Properties, func(p schema.Property) bool {
		return p.Schema.Format == "date-time" && !strings.HasSuffix(t.siteName(p.Name), "_gmt")
	})
}

// givesDate reports a time of the site's own in the tool's answers.
func (t *Tool) givesDate() bool {
	return slices.ContainsFunc(t.op.Object.LocalDates, func(name string) bool {
		return (len(t.Result.Pick) == 0 || t.Result.Raw || slices.Contains(t.Result.Pick, name)) && !t.Result.Private.covers(name) && !t.Result.Drop.covers(name)
	})
}
