package envelope

// Markers reports what in a text speaks to a model instead of about something. It is what Wrap warns of, for texts that come
// another way.
func Markers(text string) []Warning { return markers(text) }
