// From the sign-in to a sold ticket, with Go's standard library.
package main

import (
	"fmt"
	"log"
)

func main() {
	fan := signIn()
	user, err := verifyJWT(fan.IDToken, "JWT", clientID)
	must(err)
	fmt.Println("signed in", user["sub"], fan.GrantedActions)

	// a refresh token works once: keep the new one before you use the new access token
	fan = refresh(fan)
	fmt.Println("receipt", readReceipt(fan))

	tickets := readTickets(fan.AccessToken)
	if len(tickets) == 0 {
		log.Fatal("this fan has no ticket")
	}
	fmt.Println("tickets", tickets)

	explain(fan.AccessToken, "list", "0200")
	fmt.Println("policy version", readPolicy()["version"])

	program := openSandbox()
	marketplace := newMarketplace(program.cluster)
	fmt.Println("listed by", list(program, tickets[0], marketplace, fan.AccessToken))
	number := listingNumber(program, tickets[0])

	buyer := signBuyerIn()
	transfer := buildTransfer(program, tickets[0], number, marketplace, readWallet(buyer.AccessToken))
	fmt.Printf("claimed %+v\n", claim(buyer.AccessToken, transfer))

	signOut(fan)
}
