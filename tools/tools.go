package tools

import (
	"slices"
	"sync"
)

// All lists every tool.
func All() []Tool { return slices.Clone(all()) }

// all defines the tools once: their schemas are read from the types, which takes longer than the rest of a start.
var all = sync.OnceValue(func() []Tool {
	return []Tool{
		remember(),
		recall(),
		forget(),
		memoryHistory(),
		review(),
		wrapToolResult(),
		putArtifact(),
		getArtifact(),
		saveTaskState(),
		getTaskState(),
		declareFields(),
		compileContext(),
		explainContext(),
		verifyContext(),
		retrieveContext(),
		reduceMessages(),
		startSession(),
		recordAction(),
		recordResult(),
		getEvaluationContext(),
		endSession(),
	}
})
