package ctxmcp

// VersionKey names one version of an object. An object may have several open versions: the pieces of its valid time.
type VersionKey struct {
	ObjectID string
	Version  int
}

// KeyOf returns the key of o.
func KeyOf(o ContextObject) VersionKey { return VersionKey{o.ObjectID, o.Version} }
