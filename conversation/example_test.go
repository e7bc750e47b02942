package conversation_test

import (
	"encoding/json"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// Messages of one provider become the one model of a message; one that was not edited is written back as it came.
func ExampleDecode() {
	raw := []json.RawMessage{
		json.RawMessage(`{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"search","input":{"q":"deploys"}}]}`),
		json.RawMessage(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"On Thursdays."}]}`),
	}
	all, err := conversation.Decode(conversation.Anthropic, raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(all[0].Calls(), all[1].Answers())
	back, err := conversation.Encode(conversation.Anthropic, all)
	fmt.Println(string(back[1]) == string(raw[1]), err)
	_, err = conversation.Decode(conversation.OpenAI, raw)
	fmt.Println(err)
	// Output:
	// [c1] [c1]
	// true <nil>
	// messages[0] is in the format anthropic, and not in openai
}
