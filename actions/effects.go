package actions

// traces returns what the effects of an action leave behind for those that follow: files that are fetched, and whether secrets are read.
func (v *view) traces() (saves []string, secret bool) {
	for _, acts := range v.acts {
		for _, a := range acts {
			saves = append(saves, a.Saves...)
			secret = secret || a.Secret
		}
	}
	return saves, secret
}
