package main

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

type account struct {
	key              address
	signer, writable bool
}

type instruction struct {
	program  address
	accounts []account
	data     []byte
}

func publicKey(key ed25519.PrivateKey) address { return address(key.Public().(ed25519.PublicKey)) }

// prepare makes a transaction whose fee payer pays and has signed; other signers sign later. In hex.
func (c cluster) prepare(payer ed25519.PrivateKey, ticketInstruction instruction) string {
	var latest struct{ Value struct{ Blockhash string } }
	c.call(&latest, "getLatestBlockhash", map[string]string{"commitment": "confirmed"})
	budget := parseAddress("ComputeBudget111111111111111111111111111111")
	message, signers := compile(publicKey(payer), parseAddress(latest.Value.Blockhash), []instruction{
		{program: budget, data: binary.LittleEndian.AppendUint32([]byte{2}, 20_000)}, // units
		{program: budget, data: binary.LittleEndian.AppendUint64([]byte{3}, 10_000)}, // micro-lamports per unit
		ticketInstruction,
	})
	signatures := make([]byte, 64*signers) // 64 zero bytes for who has not signed
	copy(signatures, ed25519.Sign(payer, message))
	return hex.EncodeToString(slices.Concat([]byte{byte(signers)}, signatures, message))
}

// compile makes a legacy message. All of its lengths are below 128, so each is one byte.
func compile(payer, blockhash address, instructions []instruction) (message []byte, signers int) {
	var accounts []account // each once, with all its rights
	add := func(given account) {
		at := slices.IndexFunc(accounts, func(known account) bool { return known.key == given.key })
		if at < 0 {
			accounts = append(accounts, given)
			return
		}
		accounts[at].signer = accounts[at].signer || given.signer
		accounts[at].writable = accounts[at].writable || given.writable
	}
	add(account{key: payer, signer: true, writable: true})
	for _, each := range instructions {
		for _, given := range each.accounts {
			add(given)
		}
		add(account{key: each.program})
	}
	// signers first, and the writable ones before the others
	slices.SortStableFunc(accounts, func(a, b account) int { return a.rank() - b.rank() })
	count := map[int]int{}
	var keys []address
	for _, each := range accounts {
		count[each.rank()]++
		keys = append(keys, each.key)
	}
	signers = count[0] + count[1]
	message = []byte{byte(signers), byte(count[1]), byte(count[3]), byte(len(keys))}
	for _, key := range keys {
		message = append(message, key[:]...)
	}
	message = append(append(message, blockhash[:]...), byte(len(instructions)))
	for _, each := range instructions {
		message = append(message, byte(slices.Index(keys, each.program)), byte(len(each.accounts)))
		for _, account := range each.accounts {
			message = append(message, byte(slices.Index(keys, account.key)))
		}
		message = append(append(message, byte(len(each.data))), each.data...)
	}
	return message, signers
}

func (a account) rank() int {
	switch {
	case a.signer && a.writable:
		return 0
	case a.signer:
		return 1
	case a.writable:
		return 2
	}
	return 3
}

// createListing puts a held ticket on sale. From then on only marketplace can transfer it.
func (p ticketProgram) createListing(t ticket, marketplace address, lamports uint64) instruction {
	data, _ := hex.DecodeString("9b137bcd4ebcbd30")
	accounts := append(p.owned(t), account{key: marketplace})
	return instruction{p.id, accounts, binary.LittleEndian.AppendUint64(data, lamports)}
}

func (p ticketProgram) owned(t ticket) []account {
	permit := p.permitOf(t)
	return []account{
		{key: p.config()},
		{key: permit, writable: true},
		{key: p.readPermit(permit).owner, signer: true},
		{key: p.readAuthority(), signer: true},
	}
}

// cancelListing takes it off the market.
func (p ticketProgram) cancelListing(t ticket) instruction {
	data, _ := hex.DecodeString("e141033312d9711d")
	return instruction{p.id, p.owned(t), data}
}

// transfer sells a listed ticket. marketplace signs; destination is the wallet of the fan who will claim it.
func (p ticketProgram) transfer(t ticket, listing, lamports uint64, marketplace, destination address) instruction {
	data, _ := hex.DecodeString("d2534dc7a86c8143")
	data = binary.LittleEndian.AppendUint64(data, listing)
	data = binary.LittleEndian.AppendUint64(data, lamports)
	return instruction{p.id, []account{
		{key: p.config()},
		{key: p.permitOf(t), writable: true},
		{key: marketplace, signer: true},
		{key: destination},
	}, data}
}
