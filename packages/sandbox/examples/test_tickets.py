import base64
import hashlib
import json
import secrets
import subprocess
import unittest
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

REDIRECT_URI = "http://localhost:4000/callback"


class Sandbox:
    """The service in a process of its own. Its control answers by JSON."""

    def __init__(self, *options):
        command = ["npx", "fan-api-sandbox", "--json", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = json.loads(self.process.stdout.readline())

    def ask(self, path, question=None):
        return json.load(urlopen(self.about["control"] + path, json.dumps(question or {}).encode()))

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class TicketsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox("--seed", "7")
        cls.addClassCleanup(cls.sandbox.stop)

    def setUp(self):
        self.assertEqual(self.sandbox.ask("/reset"), {"reset": True})

    def test_a_fan_signs_in_and_has_tickets(self):
        about, fan = self.sandbox.about, self.sandbox.about["test_users"][0]
        verifier = secrets.token_urlsafe(32)
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        client = {"client_id": about["client_id"], "redirect_uri": REDIRECT_URI}
        request = {**client, "response_type": "code", "scope": "openid fan:tickets:read", "state": secrets.token_hex(8)}
        request |= {"code_challenge": digest.decode().rstrip("="), "code_challenge_method": "S256"}
        url = about["issuer"] + "/oauth2/authorize?" + urlencode(request)
        answer = self.sandbox.ask("/sign-in", {"url": url, "phone": fan["phone"], "code": fan["code"]})
        code = parse_qs(urlsplit(answer["callback"]).query)["code"][0]
        form = {**client, "grant_type": "authorization_code", "code": code, "code_verifier": verifier}
        tokens = json.load(urlopen(about["issuer"] + "/oauth2/token", urlencode(form).encode()))
        headers = {"Authorization": "Bearer " + tokens["access_token"]}
        tickets = json.load(urlopen(Request(about["api"] + "/tickets", headers=headers)))["tickets"]
        self.assertEqual([ticket["id"] for ticket in tickets], [ticket["id"] for ticket in fan["tickets"]])


if __name__ == "__main__":
    unittest.main()
