package integration

import (
	"strings"
	"testing"
)

func init() {
	const (
		rewriteREST  = `{"full_draft": "We utilize water. It is cheap.", "segments": [{"segment_text": "We utilize water."}]}`
		rewriteGraph = `{"body": {"fullDraft": "We utilize water. It is cheap.", "segments": [{"segmentText": "We utilize water."}]}}`
		pointsREST   = `{"content": "It opens in May.", "pull_through_priorities": [{"text": "It opens in May"}, {"text": "It is free", "level": "nice"}]}`
		pointsGraph  = `{"body": {"content": "It opens in May.", "pullThroughPriorities": [{"text": "It opens in May"}, {"text": "It is free", "level": "nice"}]}}`
		styled       = `{"text": "Moreover, we leverage water."}`
	)
	both := func(calls map[string]call, name, path, rest, graph string) {
		calls[name] = call{method: "POST", path: "/content-creation/" + path, body: rest, variables: graph}
		estimate := "estimate" + string(name[0]-'a'+'A') + name[1:]
		calls[estimate] = call{method: "POST", path: "/content-creation/" + path + "?estimate=true", body: rest,
			variables: graph}
	}
	calls := map[string]call{}
	both(calls, "rewriteSegments", "rewrite-segments", rewriteREST, rewriteGraph)
	both(calls, "rewritePhrases", "rewrite-phrases", rewriteREST, rewriteGraph)
	both(calls, "deMachineStyle", "de-machine-style", styled, `{"body": `+styled+`}`)
	both(calls, "coverage", "coverage", pointsREST, pointsGraph)
	for name, body := range map[string][2]string{
		"contentGenerate": {`{"prompt": "Tides are free. Write it.", "pull_through_priorities": [{"text": "It is open"}], "preferred_title_length": 9}`, `{"body": {"prompt": "Tides are free. Write it.", "pullThroughPriorities": [{"text": "It is open"}], "preferredTitleLength": 9}}`},
		"contentEnhance": {`{"current_draft": "We utilize water.", "unmet_priorities": [{"text": "It is open"}]}`,
			`{"body": {"currentDraft": "We utilize water.", "unmetPriorities": [{"text": "It is open"}]}}`},
	} {
		path := strings.ToLower(strings.TrimPrefix(name, "content"))
		both(calls, name, path, body[0], body[1])
		calls[name+"Async"] = call{method: "POST", path: "/content-creation/" + path + "/async", body: body[0],
			variables: body[1]}
		calls["estimate"+strings.ToUpper(name[:1])+name[1:]+"Async"] = call{method: "POST", path: "/content-creation/" +
			path + "/async?estimate=true", body: body[0], variables: body[1]}
		calls[name+"Stream"] = call{method: "POST", path: "/content-creation/" + path + "/stream", body: body[0],
			variables: body[1], accept: stream}
	}
	addArea(calls, func(*testing.T, *state) {})
}
