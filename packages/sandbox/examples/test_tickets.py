"""
A ticket is listed and sold. Beside it: cluster.py, ticket_accounts.py and trade.py of the page "Build transactions"; pip install solders.
"""
import base64
import hashlib
import json
import secrets
import subprocess
import unittest
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import trade
from cluster import Cluster
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from ticket_accounts import permit_of, read_permit

REDIRECT_URI = "http://localhost:4000/callback"
SCOPE = "openid fan:tickets:read fan:listings:write fan:claims:write"


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


class Fan:
    """A test user who has signed in."""

    def __init__(self, sandbox, user):
        about = sandbox.about
        verifier = secrets.token_urlsafe(32)
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        client = {"client_id": about["client_id"], "redirect_uri": REDIRECT_URI}
        request = {**client, "response_type": "code", "scope": SCOPE, "state": secrets.token_hex(8)}
        request |= {"code_challenge": digest.decode().rstrip("="), "code_challenge_method": "S256"}
        url = about["issuer"] + "/oauth2/authorize?" + urlencode(request)
        answer = sandbox.ask("/sign-in", {"url": url, "phone": user["phone"], "code": user["code"]})
        code = parse_qs(urlsplit(answer["callback"]).query)["code"][0]
        form = {**client, "grant_type": "authorization_code", "code": code, "code_verifier": verifier}
        self.api = about["api"]
        self.token = json.load(urlopen(about["issuer"] + "/oauth2/token", urlencode(form).encode()))["access_token"]

    def call(self, path, body=None):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        return json.load(urlopen(Request(self.api + path, body and json.dumps(body).encode(), headers)))


class TicketsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox("--seed", "7")
        cls.addClassCleanup(cls.sandbox.stop)

    def setUp(self):
        self.assertEqual(self.sandbox.ask("/reset"), {"reset": True})

    def test_a_ticket_is_listed_and_sold(self):
        about = self.sandbox.about
        seller, buyer = [Fan(self.sandbox, user) for user in about["test_users"]]
        cluster, program = Cluster(about["rpc_url"]), Pubkey.from_string(about["program_id"])
        marketplace = Keypair()
        cluster.fund(marketplace)
        ticket = seller.call("/tickets")["tickets"][0]
        offer = trade.create_listing(cluster, program, ticket, marketplace.pubkey(), 2_000_000_000)
        listing = {"type": "list", "transactions": [trade.prepare(cluster, marketplace, offer)]}
        cluster.submit(seller.call("/authorizations", listing)["transactions"][0])
        permit = read_permit(cluster, permit_of(program, ticket))
        wallet = about["test_users"][1]["wallet_address"]
        sale = trade.transfer(program, ticket, permit["listing"], permit["lamports"], marketplace.pubkey(), wallet)
        buyer.call("/claims/execute", {"tickets": [{"tx": trade.prepare(cluster, marketplace, sale)}]})
        self.assertIn(ticket["id"], [held["id"] for held in buyer.call("/tickets")["tickets"]])


if __name__ == "__main__":
    unittest.main()
