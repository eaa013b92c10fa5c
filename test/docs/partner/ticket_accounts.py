"""The accounts of a ticket. pip install solders"""
from solders.pubkey import Pubkey


def permit_of(program_id, ticket):
    """Addresses follow from the ticket by computation; nothing is asked."""
    event = Pubkey.from_string(ticket["tix_event_id"])
    # 32 bytes in base58, as an address has
    ticket_id = Pubkey.from_string(ticket["tix_ticket_id"])
    return Pubkey.find_program_address([b"permit", bytes(event), bytes(ticket_id)], program_id)[0]


def config_of(program_id):
    return Pubkey.find_program_address([b"config"], program_id)[0]


def read_authority(cluster, program_id):
    """Who co-signs listings. Read it now and then: it may be rotated."""
    return Pubkey(cluster.read(config_of(program_id))[9:41])


def read_permit(cluster, permit):
    """What the chain says of a permit: the truth, also where the API has not caught up with it."""
    data = cluster.read(permit)
    return {
        "owner": Pubkey(data[73:105]),
        "listed": data[105] == 1,
        "marketplace": Pubkey(data[106:138]),
        "lamports": int.from_bytes(data[138:146], "little"),
        "listing": int.from_bytes(data[146:154], "little"),
    }
