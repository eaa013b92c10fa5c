package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"time"
)

// cluster is a Solana node, over its JSON-RPC.
type cluster struct{ rpcURL string }

func (c cluster) call(into any, method string, params ...any) {
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(err)
	response, err := http.Post(c.rpcURL, "application/json", bytes.NewReader(request))
	must(err)
	var answer struct{ Result, Error json.RawMessage }
	decode(response, &answer)
	if answer.Error != nil {
		log.Fatal(method, ": ", string(answer.Error))
	}
	must(json.Unmarshal(answer.Result, into))
}

// read returns the data of an account.
func (c cluster) read(account address) []byte {
	var info struct{ Value *struct{ Data [2]string } }
	c.call(&info, "getAccountInfo", account.String(), map[string]string{"encoding": "base64", "commitment": "confirmed"})
	if info.Value == nil {
		log.Fatal("there is no account ", account)
	}
	data, err := base64.StdEncoding.DecodeString(info.Value.Data[0])
	must(err)
	return data
}

// fund gets SOL from the faucet of the test network.
func (c cluster) fund(wallet address) {
	var signature string
	c.call(&signature, "requestAirdrop", wallet.String(), 1_000_000_000)
	c.waitFor(signature)
}

// submit sends a signed transaction in hex, and waits until it is confirmed.
func (c cluster) submit(signed string) string {
	transaction, err := hex.DecodeString(signed)
	must(err)
	var signature string
	c.call(&signature, "sendTransaction", base64.StdEncoding.EncodeToString(transaction),
		map[string]string{"encoding": "base64", "preflightCommitment": "confirmed"})
	return c.waitFor(signature)
}

func (c cluster) waitFor(signature string) string {
	for range 120 {
		var statuses struct {
			Value []*struct {
				Err                any
				ConfirmationStatus string
			}
		}
		c.call(&statuses, "getSignatureStatuses", []string{signature})
		status := statuses.Value[0]
		if status != nil && status.Err != nil {
			log.Fatal("the cluster refused ", signature, ": ", status.Err)
		}
		if status != nil && status.ConfirmationStatus != "processed" {
			return signature
		}
		time.Sleep(500 * time.Millisecond)
	}
	log.Fatal(signature, " is not confirmed")
	return ""
}

// openSandbox reads where the sandbox's cluster and its ticket program are.
func openSandbox() ticketProgram {
	response, err := http.Get("{{origin}}/clusters.json")
	must(err)
	var clusters struct {
		Sandbox struct {
			ProgramID string `json:"program_id"`
			RPCURL    string `json:"rpc_url"`
		}
	}
	decode(response, &clusters)
	return ticketProgram{cluster{clusters.Sandbox.RPCURL}, parseAddress(clusters.Sandbox.ProgramID)}
}
