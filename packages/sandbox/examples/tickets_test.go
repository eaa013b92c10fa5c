package tickets

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"testing"
)

const redirectURI = "http://localhost:4000/callback"

type sandbox struct {
	Issuer    string `json:"issuer"`
	API       string `json:"api"`
	ClientID  string `json:"client_id"`
	TestUsers []struct {
		Phone   string              `json:"phone"`
		Code    string              `json:"code"`
		Tickets []map[string]string `json:"tickets"`
	} `json:"test_users"`
	Control string `json:"control"`
}

// start runs the service in a process of its own, until the test has ended.
func start(t *testing.T, options ...string) *sandbox {
	command := exec.Command("npx", append([]string{"fan-api-sandbox", "--json"}, options...)...)
	in, _ := command.StdinPipe()
	out, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); command.Wait() })
	s := &sandbox{}
	if err := json.NewDecoder(out).Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask calls the control of the sandbox.
func (s *sandbox) ask(t *testing.T, path string, question map[string]string) map[string]any {
	body, _ := json.Marshal(question)
	response, err := http.Post(s.Control+path, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer["error"] != nil {
		t.Fatal(err, answer)
	}
	return answer
}

func TestAFanSignsInAndHasTickets(t *testing.T) {
	s := start(t, "--seed", "7")
	s.ask(t, "/reset", nil)
	fan := s.TestUsers[0]
	verifier := rand.Text() + rand.Text()
	digest := sha256.Sum256([]byte(verifier))
	authorize := s.Issuer + "/oauth2/authorize?" + url.Values{
		"client_id": {s.ClientID}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "state": {rand.Text()},
		"scope": {"openid fan:tickets:read"}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(digest[:])},
	}.Encode()
	fans := map[string]string{"url": authorize, "phone": fan.Phone, "code": fan.Code}
	callback, _ := url.Parse(s.ask(t, "/sign-in", fans)["callback"].(string))
	answer, err := http.PostForm(s.Issuer+"/oauth2/token", url.Values{
		"client_id": {s.ClientID}, "redirect_uri": {redirectURI}, "grant_type": {"authorization_code"},
		"code": {callback.Query().Get("code")}, "code_verifier": {verifier},
	})
	if err != nil {
		t.Fatal(err)
	}
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	json.NewDecoder(answer.Body).Decode(&tokens)
	request, _ := http.NewRequest("GET", s.API+"/tickets", nil)
	request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
	read, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	var held struct{ Tickets []struct{ ID string } }
	json.NewDecoder(read.Body).Decode(&held)
	if len(held.Tickets) == 0 || len(held.Tickets) != len(fan.Tickets) || held.Tickets[0].ID != fan.Tickets[0]["id"] {
		t.Fatal(held, fan.Tickets)
	}
}
