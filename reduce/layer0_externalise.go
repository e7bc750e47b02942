package reduce

import "fmt"

func (j *job) anyLarge() bool { return len(j.large(0, len(j.all), j.opts.ArtifactThreshold)) > 0 }

// externalise acts on all messages, at every call: its answer follows from the result alone, the same each time, so that it is no edit of what
// was returned before.
func (j *job) externalise() string {
	spots := j.large(0, len(j.all), j.opts.ArtifactThreshold)
	j.shortenAll(spots, j.opts.CompressTo)
	return fmt.Sprintf("%d outputs externalised", len(spots))
}
