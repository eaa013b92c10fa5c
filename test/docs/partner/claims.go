package main

import (
	"crypto/ed25519"
	"fmt"
)

func signBuyerIn() tokenSet {
	fmt.Println("Now sign the buyer in:")
	return signIn()
}

func readWallet(token string) string {
	var wallet struct {
		Address string `json:"wallet_address"`
	}
	callFanAPI(token, "/wallet", nil, &wallet)
	return wallet.Address
}

func buildTransfer(p ticketProgram, t ticket, listing uint64, marketplace ed25519.PrivateKey, wallet string) string {
	return p.prepare(marketplace, p.transfer(t, listing, price, publicKey(marketplace), parseAddress(wallet)))
}

type executedClaim struct {
	TicketID          string `json:"ticket_id"`
	SignerWallet      string `json:"signer_wallet"`
	DestinationWallet string `json:"destination_wallet"`
	TransferID        string `json:"transfer_id"`
}

// claim claims 1 to 10 transfers for the fan behind the token. The service submits them: you don't.
func claim(token string, transfers ...string) []executedClaim {
	tickets := []map[string]string{}
	for _, transfer := range transfers {
		tickets = append(tickets, map[string]string{"tx": transfer})
	}
	var answer struct{ Tickets []executedClaim }
	callFanAPI(token, "/claims/execute", map[string]any{"tickets": tickets}, &answer)
	return answer.Tickets
}
