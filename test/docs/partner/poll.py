import json, urllib.request


def poll(api_url: str, endpoint_token: str, stored: list) -> dict:
    """Acknowledges what you have stored, and returns the next events: each token by its `jti`."""
    request = urllib.request.Request(
        f"{api_url}/notifications/poll", json.dumps({"ack": stored, "maxEvents": 10}).encode(),
        {"Authorization": f"Bearer {endpoint_token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=40) as response:
        return json.load(response)["sets"]
