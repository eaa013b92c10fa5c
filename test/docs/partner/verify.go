package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"
)

// verifyJWT returns the claims of a token that this service signed: its type, issuer, audience and expiry are right.
// An empty audience is for a token that has none.
func verifyJWT(token, typ, audience string) (map[string]any, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, errors.New("this is no JWT")
	}
	var header struct{ Alg, Typ, Kid string }
	var claims map[string]any
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err := errors.Join(err, decodePart(parts[0], &header), decodePart(parts[1], &claims)); err != nil {
		return nil, err
	}
	key, err := signingKey(header.Kid)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature); err != nil {
		return nil, err
	}
	expiry, expires := claims["exp"].(float64)
	audiences, isList := claims["aud"].([]any)
	if !isList {
		audiences = []any{claims["aud"]}
	}
	switch {
	case header.Alg != "RS256" || header.Typ != typ:
		return nil, fmt.Errorf("alg %q, typ %q", header.Alg, header.Typ)
	case claims["iss"] != authURL:
		return nil, fmt.Errorf("iss %v", claims["iss"])
	case audience != "" && !slices.Contains(audiences, any(audience)):
		return nil, fmt.Errorf("aud %v", claims["aud"])
	case expires && int64(expiry) <= time.Now().Unix():
		return nil, errors.New("the token has expired")
	}
	return claims, nil
}

func decodePart(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// signingKey fetches the keys. A server keeps them, and fetches them again when it meets an unknown kid.
func signingKey(kid string) (*rsa.PublicKey, error) {
	response, err := http.Get(authURL + "/.well-known/jwks.json")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var set struct{ Keys []struct{ Kid, N, E string } }
	if err := json.NewDecoder(response.Body).Decode(&set); err != nil {
		return nil, err
	}
	for _, key := range set.Keys {
		if key.Kid != kid {
			continue
		}
		n, err := base64.RawURLEncoding.DecodeString(key.N)
		e, err2 := base64.RawURLEncoding.DecodeString(key.E)
		exponent := int(new(big.Int).SetBytes(e).Int64())
		return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: exponent}, errors.Join(err, err2)
	}
	return nil, fmt.Errorf("no key %q", kid)
}
