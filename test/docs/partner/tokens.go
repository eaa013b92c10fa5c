package main

import (
	"io"
	"net/http"
	"net/url"
)

func refresh(fan tokenSet) tokenSet {
	return requestTokens(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {fan.RefreshToken}})
}

func signOut(fan tokenSet) {
	form := url.Values{"client_id": {clientID}, "token": {fan.RefreshToken}}
	response, err := http.PostForm(authURL+"/oauth2/revoke", form)
	must(err)
	response.Body.Close()
}

// readReceipt returns the claims of the consent receipt.
func readReceipt(fan tokenSet) map[string]any {
	request, err := http.NewRequest("GET", authURL+"/oauth2/grants/"+fan.GrantID+"/receipt", nil)
	must(err)
	request.Header.Set("Authorization", "Bearer "+fan.AccessToken)
	response, err := http.DefaultClient.Do(request)
	must(err)
	defer response.Body.Close()
	receipt, err := io.ReadAll(response.Body)
	must(err)
	claims, err := verifyJWT(string(receipt), "consent-receipt+jwt", clientID)
	must(err)
	return claims
}
