package main

import (
	"crypto/ed25519"
	"net/http"
	"strconv"
	"time"
)

// newMarketplace makes the wallet that pays the fees and sells the ticket: keep its key.
func newMarketplace(c cluster) ed25519.PrivateKey {
	_, key, err := ed25519.GenerateKey(nil)
	must(err)
	c.fund(publicKey(key))
	return key
}

const price = 2_000_000_000

func buildListing(p ticketProgram, t ticket, marketplace ed25519.PrivateKey) string {
	return p.prepare(marketplace, p.createListing(t, publicKey(marketplace), price))
}

// authorize has 1 to 4 listings (or cancellations) signed, all or none.
func authorize(token, kind string, transactions ...string) []string {
	var answer struct{ Transactions []string }
	callFanAPI(token, "/authorizations", map[string]any{"type": kind, "transactions": transactions}, &answer)
	return answer.Transactions
}

func list(p ticketProgram, t ticket, marketplace ed25519.PrivateKey, token string) string {
	signed := authorize(token, "list", buildListing(p, t, marketplace))
	return p.submit(signed[0])
}

func listingNumber(p ticketProgram, t ticket) uint64 { return p.readPermit(p.permitOf(t)).listing }

const attempts = 5

// callFanAPI sends a call again, the same bytes, where it failed for a reason that passes.
func callFanAPI(token, path string, body, into any) {
	for attempt := 1; ; attempt++ {
		response := askFanAPI(token, path, body)
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if response.StatusCode == http.StatusOK || err != nil || attempt == attempts {
			decode(response, into)
			return
		}
		response.Body.Close()
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}
