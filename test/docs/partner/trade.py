"""Builds the transactions of a ticket. pip install solders"""
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.message import Message
from solders.pubkey import Pubkey
from solders.transaction import Transaction
from ticket_accounts import config_of, permit_of, read_authority, read_permit


def prepare(cluster, payer, instruction):
    """A transaction whose fee `payer` pays and has signed; other signers sign later. In hex."""
    latest = cluster.call("getLatestBlockhash", {"commitment": "confirmed"})["value"]
    blockhash = Hash.from_string(latest["blockhash"])
    budget = [set_compute_unit_limit(20_000), set_compute_unit_price(10_000)]
    message = Message.new_with_blockhash([*budget, instruction], payer.pubkey(), blockhash)
    transaction = Transaction.new_unsigned(message)
    transaction.partial_sign([payer], blockhash)
    return bytes(transaction).hex()


def create_listing(cluster, program_id, ticket, marketplace, lamports):
    """Puts a held ticket on sale. From then on only `marketplace` can transfer it."""
    data = bytes.fromhex("9b137bcd4ebcbd30") + lamports.to_bytes(8, "little")
    return Instruction(program_id, data, [*owned(cluster, program_id, ticket), readonly(marketplace)])


def owned(cluster, program_id, ticket):
    permit = permit_of(program_id, ticket)
    owner = read_permit(cluster, permit)["owner"]
    authority = read_authority(cluster, program_id)
    return [readonly(config_of(program_id)), writable(permit), signer(owner), signer(authority)]


def cancel_listing(cluster, program_id, ticket):
    """Takes it off the market."""
    return Instruction(program_id, bytes.fromhex("e141033312d9711d"), owned(cluster, program_id, ticket))


def transfer(program_id, ticket, listing, lamports, marketplace, destination):
    """Sells a listed ticket. `marketplace` signs; `destination` is the wallet of the fan who will claim it."""
    data = bytes.fromhex("d2534dc7a86c8143") + listing.to_bytes(8, "little") + lamports.to_bytes(8, "little")
    accounts = [
        readonly(config_of(program_id)),
        writable(permit_of(program_id, ticket)),
        signer(marketplace),
        readonly(Pubkey.from_string(destination)),
    ]
    return Instruction(program_id, data, accounts)


def readonly(key):
    return AccountMeta(key, is_signer=False, is_writable=False)


def writable(key):
    return AccountMeta(key, is_signer=False, is_writable=True)


def signer(key):
    return AccountMeta(key, is_signer=True, is_writable=False)
