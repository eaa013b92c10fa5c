// Go 1.24 or newer, nothing to install
package main

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
)

const (
	authURL     = "{{auth_url}}"
	apiURL      = "{{api_url}}"
	clientID    = "{{client_id}}"
	redirectURI = "{{redirect_uri}}"
)

// signInAddress returns where to send the browser.
func signInAddress(state, verifier string) string {
	challenge := sha256.Sum256([]byte(verifier))
	return authURL + "/oauth2/authorize?" + url.Values{
		"response_type":         {"code"},
		"client_id":             {clientID},
		"redirect_uri":          {redirectURI},
		"scope":                 {"openid offline_access fan:tickets:read fan:listings:write fan:claims:write"},
		"state":                 {state},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"code_challenge_method": {"S256"},
	}.Encode()
}

var terminal = bufio.NewScanner(os.Stdin)

func ask(question string) string {
	fmt.Print(question)
	terminal.Scan()
	return terminal.Text()
}

// codeOf takes the code from the address at which the browser ended.
func codeOf(callback, state string) string {
	address, err := url.Parse(callback)
	must(err)
	answer := address.Query()
	if answer.Get("state") != state {
		log.Fatal("This is the answer to another sign-in.")
	}
	if answer.Has("error") {
		log.Fatal(answer.Get("error"), ": ", answer.Get("error_description"))
	}
	return answer.Get("code")
}

type tokenSet struct {
	AccessToken    string   `json:"access_token"`
	RefreshToken   string   `json:"refresh_token"`
	IDToken        string   `json:"id_token"`
	GrantID        string   `json:"grant_id"`
	GrantedActions []string `json:"granted_actions"`
}

func signIn() tokenSet {
	state, verifier := rand.Text(), rand.Text()+rand.Text()
	fmt.Println(signInAddress(state, verifier))
	callback := ask("Paste the address at which the browser ended: ")
	return requestTokens(url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {codeOf(callback, state)},
		"redirect_uri":  {redirectURI},
		"code_verifier": {verifier},
	})
}

// requestTokens calls the token endpoint, which takes a form.
func requestTokens(form url.Values) (tokens tokenSet) {
	form.Set("client_id", clientID)
	response, err := http.PostForm(authURL+"/oauth2/token", form)
	must(err)
	decode(response, &tokens)
	return tokens
}

// decode reads a good answer, and ends the program with the reason of a refusal.
func decode(response *http.Response, into any) {
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var refusal map[string]any
		json.NewDecoder(response.Body).Decode(&refusal)
		log.Fatal(response.Status, " ", response.Header.Get("X-Error-Code"), refusal, response.Header.Get("Link"))
	}
	must(json.NewDecoder(response.Body).Decode(into))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
