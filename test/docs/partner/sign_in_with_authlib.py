# pip install authlib requests
import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

CLIENT_ID = "{{client_id}}"
metadata = requests.get("{{auth_url}}/.well-known/openid-configuration", timeout=10).json()
session = OAuth2Session(
    CLIENT_ID,
    redirect_uri="{{redirect_uri}}",
    scope="openid offline_access fan:tickets:read fan:listings:write fan:claims:write",
    code_challenge_method="S256",
    token_endpoint_auth_method="none",  # no client secret
    token_endpoint=metadata["token_endpoint"],
    update_token=lambda tokens, **_: print("refreshed; keep", tokens["refresh_token"][:6]),
    leeway=10,  # refresh when less than ten seconds are left; the default of 60 would refresh before every call
)
verifier, nonce = generate_token(48), generate_token(24)
address, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(address)

# compares the state, and exchanges the code
callback = input("Paste the address at which the browser ended: ")
tokens = session.fetch_token(authorization_response=callback, state=state, code_verifier=verifier)

keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
id_token = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"])
jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": metadata["issuer"]},
    aud={"essential": True, "value": CLIENT_ID},
    exp={"essential": True},
    nonce={"essential": True, "value": nonce},
).validate(id_token.claims)
print("signed in", id_token.claims["sub"], tokens["granted_actions"])

print(session.get("{{api_url}}/tickets", timeout=10).json())
