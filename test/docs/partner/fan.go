// Signs a fan in, lists the fan's tickets and refreshes, with Go's standard library.
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
	"strings"
)

const (
	authURL     = "{{auth_url}}"
	apiURL      = "{{api_url}}"
	clientID    = "{{client_id}}"
	redirectURI = "{{redirect_uri}}"
)

type tokens struct {
	AccessToken    string   `json:"access_token"`
	RefreshToken   string   `json:"refresh_token"`
	GrantedActions []string `json:"granted_actions"`
}

func main() {
	verifier, state := rand.Text()+rand.Text(), rand.Text()
	challenge := sha256.Sum256([]byte(verifier))
	fmt.Println(authURL + "/oauth2/authorize?" + url.Values{
		"response_type":         {"code"},
		"client_id":             {clientID},
		"redirect_uri":          {redirectURI},
		"scope":                 {"openid offline_access fan:tickets:read"},
		"state":                 {state},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"code_challenge_method": {"S256"},
	}.Encode())
	fmt.Print("Paste the address at which the browser ended: ")
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	must(err)
	callback, err := url.Parse(strings.TrimSpace(line))
	must(err)
	answer := callback.Query()
	if answer.Get("state") != state {
		log.Fatal("this is not the answer to our request")
	}
	if answer.Has("error") {
		log.Fatal(answer.Get("error"))
	}

	fan := token(url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {answer.Get("code")},
		"redirect_uri":  {redirectURI},
		"code_verifier": {verifier},
	})
	fmt.Println("granted:", fan.GrantedActions)

	request, err := http.NewRequest("GET", apiURL+"/tickets", nil)
	must(err)
	request.Header.Set("Authorization", "Bearer "+fan.AccessToken)
	response, err := http.DefaultClient.Do(request)
	must(err)
	var list struct {
		Tickets []struct {
			ID        string `json:"id"`
			EventName string `json:"event_name"`
		} `json:"tickets"`
	}
	read(response, &list)
	for _, ticket := range list.Tickets {
		fmt.Println(ticket.ID, ticket.EventName)
	}

	// it works once: keep the new refresh token before you use the new access token
	fan = token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {fan.RefreshToken}})
	fmt.Println("refreshed")
}

// token asks the token endpoint, which takes a form.
func token(form url.Values) (answer tokens) {
	form.Set("client_id", clientID)
	response, err := http.PostForm(authURL+"/oauth2/token", form)
	must(err)
	read(response, &answer)
	return answer
}

// read decodes a good answer, and ends the program with what a refusal says.
func read(response *http.Response, into any) {
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var refusal struct{ Message, Error string }
		json.NewDecoder(response.Body).Decode(&refusal)
		log.Fatal(response.Status, " ", response.Header.Get("X-Error-Code"), refusal.Error, " ", refusal.Message)
	}
	must(json.NewDecoder(response.Body).Decode(into))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
