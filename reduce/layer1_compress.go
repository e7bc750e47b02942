package reduce

import "fmt"

// between returns the results between the zones that are too large.
func (j *job) between() []spot {
	_, start := j.head()
	return j.large(start, j.tail(), min(j.opts.ArtifactThreshold, j.opts.CompressTo+compressSlack))
}

// compressSlack keeps a result that was compressed from being compressed again for its heading.
const compressSlack = 1000

func (j *job) anyCompressible() bool { return j.over() && len(j.between()) > 0 }

func (j *job) compress() string {
	spots := j.between()
	j.log(compressing, "results", len(spots))
	j.cut(spots, j.opts.CompressTo)
	return fmt.Sprintf("%d tool results compressed", len(spots))
}
