package main

import (
	"bytes"
	"encoding/json"
	"net/http"
)

type ticket struct {
	ID          string `json:"id"`
	TixEventID  string `json:"tix_event_id"`
	TixTicketID string `json:"tix_ticket_id"`
	EventName   string `json:"event_name"`
}

func readTickets(token string) []ticket {
	var list struct{ Tickets []ticket }
	decode(askFanAPI(token, "/tickets", nil), &list)
	return list.Tickets
}

// askFanAPI makes a call of the Fan API. With a body it is a POST.
func askFanAPI(token, path string, body any, headers ...string) *http.Response {
	method, text := "GET", []byte(nil)
	if body != nil {
		var err error
		method = "POST"
		text, err = json.Marshal(body)
		must(err)
	}
	request, err := http.NewRequest(method, apiURL+path, bytes.NewReader(text))
	must(err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	must(err)
	return response
}
