package main

// poll acknowledges what you have stored, and returns the next events: each token by its jti.
func poll(endpointToken string, stored []string) map[string]string {
	var answer struct{ Sets map[string]string }
	callFanAPI(endpointToken, "/notifications/poll", map[string]any{"ack": stored, "maxEvents": 10}, &answer)
	return answer.Sets
}
