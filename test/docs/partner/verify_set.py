# pip install joserfc
import json, urllib.request
from joserfc import jwt
from joserfc.jwk import KeySet


def verify_set(token: str, issuer: str, client_id: str) -> dict:
    """The claims of a Security Event Token. Raises where it is not genuine, or not for this client."""
    with urllib.request.urlopen(f"{issuer}/.well-known/jwks.json") as response:
        keys = KeySet.import_key_set(json.load(response))
    decoded = jwt.decode(token, keys, algorithms=["RS256"])
    if decoded.header["typ"] != "secevent+jwt":
        raise ValueError("This is another type of token.")
    jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": issuer}, aud={"essential": True, "value": client_id},
    ).validate(decoded.claims)
    return decoded.claims
