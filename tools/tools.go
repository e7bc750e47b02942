package tools

// All lists every tool.
func All() []Tool {
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
}
