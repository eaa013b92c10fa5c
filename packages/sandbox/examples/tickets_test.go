package tickets

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
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
	in  io.WriteCloser
	out *json.Decoder
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
	s := &sandbox{in: in, out: json.NewDecoder(bufio.NewReader(out))}
	if err := s.out.Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a line and reads the answer.
func (s *sandbox) ask(t *testing.T, line string) map[string]any {
	io.WriteString(s.in, line+"\n")
	answer := map[string]any{}
	if err := s.out.Decode(&answer); err != nil || answer["error"] != nil {
		t.Fatal(err, answer)
	}
	return answer
}

func TestAFanSignsInAndHasTickets(t *testing.T) {
	s := start(t, "--seed", "7")
	s.ask(t, "reset")
	fan := s.TestUsers[0]
	verifier := rand.Text() + rand.Text()
	digest := sha256.Sum256([]byte(verifier))
	authorize := s.Issuer + "/oauth2/authorize?" + url.Values{
		"client_id": {s.ClientID}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "state": {rand.Text()},
		"scope": {"openid fan:tickets:read"}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(digest[:])},
	}.Encode()
	question, _ := json.Marshal(map[string]string{"url": authorize, "phone": fan.Phone, "code": fan.Code})
	callback, _ := url.Parse(s.ask(t, "sign-in "+string(question))["callback"].(string))
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
