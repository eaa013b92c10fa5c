"""Builds the transactions of a ticket. pip install solders"""
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.message import Message
from solders.pubkey import Pubkey
from solders.transaction import Transaction


class TicketProgram:
    """The instructions of the ticket program. Its address is `program_id` of the cluster's entry in clusters.json."""

    def __init__(self, cluster, program_id):
        self.cluster = cluster
        self.program_id = Pubkey.from_string(program_id)
        self.config = self._address(b"config")

    def permit_of(self, ticket):
        event = Pubkey.from_string(ticket["tix_event_id"])
        # 32 bytes in base58, as an address has
        ticket_id = Pubkey.from_string(ticket["tix_ticket_id"])
        return self._address(b"permit", bytes(event), bytes(ticket_id))

    def read_owner(self, permit):
        return Pubkey(self.cluster.read(permit)[72:104])

    def read_authority(self):
        """Who co-signs listings. Read it for each listing: it may be rotated."""
        return Pubkey(self.cluster.read(self.config)[8:40])

    def create_listing(self, ticket, marketplace, lamports):
        """Puts a held ticket on sale. From then on only `marketplace` can transfer it."""
        data = bytes.fromhex("9b137bcd4ebcbd30") + lamports.to_bytes(8, "little")
        return self._instruction(data, *self._owned(ticket), readonly(marketplace))

    def cancel_listing(self, ticket):
        return self._instruction(bytes.fromhex("e141033312d9711d"), *self._owned(ticket))

    def transfer(self, ticket, marketplace, destination):
        """Sells a listed ticket. `marketplace` signs; `destination` is the wallet of the fan who will claim it."""
        permit = self.permit_of(ticket)
        accounts = [writable(permit), signer(marketplace), readonly(Pubkey.from_string(destination))]
        return self._instruction(bytes.fromhex("d2534dc7a86c8143"), readonly(self.config), *accounts)

    def _owned(self, ticket):
        permit = self.permit_of(ticket)
        owner = self.read_owner(permit)
        return readonly(self.config), writable(permit), signer(owner), signer(self.read_authority())

    def _address(self, *seeds):
        return Pubkey.find_program_address(list(seeds), self.program_id)[0]

    def _instruction(self, data, *accounts):
        return Instruction(self.program_id, data, list(accounts))


def readonly(key):
    return AccountMeta(key, is_signer=False, is_writable=False)


def writable(key):
    return AccountMeta(key, is_signer=False, is_writable=True)


def signer(key):
    return AccountMeta(key, is_signer=True, is_writable=False)


def prepare(cluster, payer, instruction):
    """A transaction whose fee `payer` pays and has signed; other signers sign later. In hex."""
    latest = cluster.call("getLatestBlockhash", {"commitment": "confirmed"})["value"]
    blockhash = Hash.from_string(latest["blockhash"])
    budget = [set_compute_unit_limit(20_000), set_compute_unit_price(10_000)]
    message = Message.new_with_blockhash([*budget, instruction], payer.pubkey(), blockhash)
    transaction = Transaction.new_unsigned(message)
    transaction.partial_sign([payer], blockhash)
    return bytes(transaction).hex()
