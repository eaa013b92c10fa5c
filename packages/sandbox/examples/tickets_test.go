// A ticket is listed and sold. Beside it: cluster.go, accounts.go and trade.go of the page "Build transactions".
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"testing"
)

const redirectURI = "http://localhost:4000/callback"
const scope = "openid fan:tickets:read fan:listings:write fan:claims:write"

type sandbox struct {
	Issuer    string
	API       string
	ClientID  string `json:"client_id"`
	TestUsers []user `json:"test_users"`
	RPCURL    string `json:"rpc_url"`
	ProgramID string `json:"program_id"`
	Control   string
}

type user struct {
	Phone, Code string
	Wallet      string `json:"wallet_address"`
}

type ticket struct {
	ID          string
	TixEventID  string `json:"tix_event_id"`
	TixTicketID string `json:"tix_ticket_id"`
}

type tickets struct{ Tickets []ticket }

// start runs the service in a process of its own, until the test has ended.
func start(t *testing.T, options ...string) (s sandbox) {
	command := exec.Command("npx", append([]string{"fan-api-sandbox", "--json"}, options...)...)
	in, err := command.StdinPipe()
	must(err)
	out, err := command.StdoutPipe()
	must(err)
	must(command.Start())
	t.Cleanup(func() { in.Close(); command.Wait() })
	must(json.NewDecoder(out).Decode(&s))
	return s
}

// ask calls the control of the sandbox.
func (s sandbox) ask(path string, question any) (answer map[string]any) {
	body, _ := json.Marshal(question)
	response, err := http.Post(s.Control+path, "application/json", bytes.NewReader(body))
	must(err)
	decode(response, &answer)
	return answer
}

// signIn returns an access token of a test user.
func (s sandbox) signIn(fan user) string {
	verifier := rand.Text() + rand.Text()
	digest := sha256.Sum256([]byte(verifier))
	authorize := s.Issuer + "/oauth2/authorize?" + url.Values{
		"client_id": {s.ClientID}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "state": {rand.Text()},
		"scope": {scope}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(digest[:])},
	}.Encode()
	answer := s.ask("/sign-in", map[string]string{"url": authorize, "phone": fan.Phone, "code": fan.Code})
	callback, err := url.Parse(answer["callback"].(string))
	must(err)
	response, err := http.PostForm(s.Issuer+"/oauth2/token", url.Values{
		"client_id": {s.ClientID}, "redirect_uri": {redirectURI}, "grant_type": {"authorization_code"},
		"code": {callback.Query().Get("code")}, "code_verifier": {verifier},
	})
	must(err)
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	decode(response, &tokens)
	return tokens.AccessToken
}

// call asks the Fan API; without a body it reads.
func (s sandbox) call(token, path string, body, into any) {
	method, sent := "GET", []byte(nil)
	if body != nil {
		method = "POST"
		sent, _ = json.Marshal(body)
	}
	request, _ := http.NewRequest(method, s.API+path, bytes.NewReader(sent))
	request.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	response, err := http.DefaultClient.Do(request)
	must(err)
	decode(response, into)
}

func TestATicketIsListedAndSold(t *testing.T) {
	s := start(t, "--seed", "7")
	s.ask("/reset", nil)
	seller, buyer := s.signIn(s.TestUsers[0]), s.signIn(s.TestUsers[1])
	program := ticketProgram{cluster{s.RPCURL}, parseAddress(s.ProgramID)}
	_, wallet, _ := ed25519.GenerateKey(nil)
	marketplace := publicKey(wallet)
	program.fund(marketplace)
	var held tickets
	s.call(seller, "/tickets", nil, &held)
	sold := held.Tickets[0]
	offer := program.prepare(wallet, program.createListing(sold, marketplace, 2_000_000_000))
	var signed struct{ Transactions []string }
	s.call(seller, "/authorizations", map[string]any{"type": "list", "transactions": []string{offer}}, &signed)
	program.submit(signed.Transactions[0])
	permit := program.readPermit(program.permitOf(sold))
	destination := parseAddress(s.TestUsers[1].Wallet)
	transfer := program.transfer(sold, permit.listing, permit.lamports, marketplace, destination)
	claim := map[string]string{"tx": program.prepare(wallet, transfer)}
	s.call(buyer, "/claims/execute", map[string]any{"tickets": []any{claim}}, &struct{}{})
	var bought tickets
	s.call(buyer, "/tickets", nil, &bought)
	if !slices.ContainsFunc(bought.Tickets, func(one ticket) bool { return one.ID == sold.ID }) {
		t.Fatal("the buyer does not have the ticket")
	}
}

func decode(response *http.Response, into any) {
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status, " ", response.Header.Get("X-Error-Code"))
	}
	must(json.NewDecoder(response.Body).Decode(into))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
