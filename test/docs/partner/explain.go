package main

import (
	"fmt"
	"net/http"
)

func explain(token, kind string, transactions ...string) {
	body := map[string]any{"type": kind, "transactions": transactions}
	var explained struct {
		Transactions []struct {
			Rules []struct {
				Rule, Fix string
				Passed    bool
			}
		}
	}
	decode(askFanAPI(token, "/authorizations", body, "Prefer", "explain"), &explained)
	for _, rule := range explained.Transactions[0].Rules {
		if !rule.Passed {
			fmt.Println(rule.Rule, rule.Fix)
		}
	}
}

func readPolicy() map[string]any {
	response, err := http.Get("{{origin}}/.well-known/cosign-policy")
	must(err)
	var document struct {
		SignedPolicy string `json:"signed_policy"`
	}
	decode(response, &document)
	policy, err := verifyJWT(document.SignedPolicy, "cosign-policy+jwt", "")
	must(err)
	return policy
}
