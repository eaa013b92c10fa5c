package main

// verifySet returns the claims of a Security Event Token that is genuine, and for this client.
func verifySet(token string) (map[string]any, error) {
	return verifyJWT(token, "secevent+jwt", clientID)
}
