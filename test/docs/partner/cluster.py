"""A Solana node, over its JSON-RPC. Nothing to install."""
import base64
import json
import time
import urllib.request


class Cluster:
    """A Solana node."""

    def __init__(self, rpc_url):
        self.rpc_url = rpc_url

    def call(self, method, *params):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(self.rpc_url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def read(self, address):
        """The data of an account."""
        account = self.call("getAccountInfo", str(address), {"encoding": "base64", "commitment": "confirmed"})["value"]
        if account is None:
            raise RuntimeError(f"there is no account {address}")
        return base64.b64decode(account["data"][0])

    def fund(self, wallet, lamports=1_000_000_000):
        """SOL from the faucet of the test network."""
        self.wait_for(self.call("requestAirdrop", str(wallet.pubkey()), lamports))

    def submit(self, signed):
        """Submits a signed transaction in hex, and waits until it is confirmed."""
        encoded = base64.b64encode(bytes.fromhex(signed)).decode()
        options = {"encoding": "base64", "preflightCommitment": "confirmed"}
        return self.wait_for(self.call("sendTransaction", encoded, options))

    def wait_for(self, signature, seconds=60):
        for _ in range(seconds * 2):
            [status] = self.call("getSignatureStatuses", [signature])["value"]
            if status is not None and status["err"] is not None:
                raise RuntimeError(f"the cluster refused {signature}: {status['err']}")
            if status is not None and status["confirmationStatus"] in ("confirmed", "finalized"):
                return signature
            time.sleep(0.5)
        raise RuntimeError(f"{signature} is not confirmed")
