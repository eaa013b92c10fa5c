package main

import (
	"crypto/sha256"
	"encoding/binary"
	"log"
	"math/big"
	"slices"
	"strings"
)

// ticketProgram is the ticket program on its cluster.
type ticketProgram struct {
	cluster
	id address
}

// permitOf needs no call: addresses follow from the ticket by computation.
func (p ticketProgram) permitOf(t ticket) address {
	event, id := parseAddress(t.TixEventID), parseAddress(t.TixTicketID)
	return p.derive([]byte("permit"), event[:], id[:])
}

func (p ticketProgram) config() address { return p.derive([]byte("config")) }

// readAuthority returns who co-signs listings. Read it now and then: it may be rotated.
func (p ticketProgram) readAuthority() address { return address(p.read(p.config())[9:41]) }

type permit struct {
	owner, marketplace address
	listed             bool
	lamports, listing  uint64
}

// readPermit returns what the chain says: the truth, also where the API has not caught up with it.
func (p ticketProgram) readPermit(at address) permit {
	data := p.read(at)
	return permit{
		owner:       address(data[73:105]),
		listed:      data[105] == 1,
		marketplace: address(data[106:138]),
		lamports:    binary.LittleEndian.Uint64(data[138:146]),
		listing:     binary.LittleEndian.Uint64(data[146:154]),
	}
}

// derive finds a program's address: the first hash that is no public key, that is, no point of the curve.
func (p ticketProgram) derive(seeds ...[]byte) address {
	for bump := 255; ; bump-- {
		text := slices.Concat(slices.Concat(seeds...), []byte{byte(bump)}, p.id[:], []byte("ProgramDerivedAddress"))
		if hash := address(sha256.Sum256(text)); !hash.isOnCurve() {
			return hash
		}
	}
}

// isOnCurve: Ed25519 has a point with this y where (y²-1) / (dy²+1) is a square modulo 2²⁵⁵-19 (RFC 8032 §5.1.3).
func (a address) isOnCurve() bool {
	slices.Reverse(a[:])
	a[0] &= 0x7f
	y, one := new(big.Int).SetBytes(a[:]), big.NewInt(1)
	square := y.Mul(y, y)
	u, v := new(big.Int).Sub(square, one), new(big.Int).Mul(curveD, square)
	return big.Jacobi(u.Mul(u, v.Add(v, one)), prime) != -1
}

var (
	prime     = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	curveD, _ = new(big.Int).SetString("37095705934669439343138083508754565189542113879843219016388785533085940283555", 10)
)

// address is 32 bytes, written in base58.
type address [32]byte

const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func parseAddress(text string) (a address) {
	number := new(big.Int)
	for _, letter := range text {
		digit := strings.IndexRune(digits, letter)
		if digit < 0 {
			log.Fatal("this is not base58: ", text)
		}
		number.Mul(number, big.NewInt(58))
		number.Add(number, big.NewInt(int64(digit)))
	}
	number.FillBytes(a[:])
	return a
}

func (a address) String() string {
	var text []byte
	number, digit := new(big.Int).SetBytes(a[:]), new(big.Int)
	for number.Sign() > 0 {
		number.DivMod(number, big.NewInt(58), digit)
		text = append(text, digits[digit.Int64()])
	}
	for i := 0; i < len(a) && a[i] == 0; i++ {
		text = append(text, digits[0])
	}
	slices.Reverse(text)
	return string(text)
}
