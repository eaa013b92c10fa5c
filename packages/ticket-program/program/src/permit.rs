//! Permits: issued for the tickets of an event, closed after it.
use pinocchio::address::address_eq;
use pinocchio::{AccountView, Address, ProgramResult};

use crate::account::{NO_KEY, check_kind, open, open_config_as_authority};
use crate::create_account::Creation;
use crate::event_log::emit;
use crate::lamports::move_lamports;
use crate::layout::*;
use crate::require::require;

pub fn issue(program: &Address, accounts: IssuePermitV1) -> ProgramResult {
    let IssuePermitV1 { event, permit, payer, system_program, arguments, .. } = accounts;
    open_config_as_authority(program, accounts.config, accounts.authority)?;
    open::<Event>(program, event)?;
    check_new_owner(&arguments.owner, permit.address())?;
    let creation = Creation { program, payer, system_program };
    let seeds = [PERMIT_SEED, event.address().as_ref(), &arguments.ticket_id];
    let (mut issued, bump) = creation.create::<Permit, _>(permit, seeds)?;
    // A new account is all zeros: state, marketplace, price and listing already say "held".
    issued.discriminator = Permit::DISCRIMINATOR;
    issued.version = ACCOUNT_VERSION;
    issued.event = *event.address();
    issued.ticket_id = arguments.ticket_id;
    issued.owner = arguments.owner;
    issued.bump = bump;
    drop(issued);
    emit(&PermitIssued {
        discriminator: PermitIssued::DISCRIMINATOR,
        permit: *permit.address(),
        event: *event.address(),
        owner: arguments.owner,
    });
    Ok(())
}

/// A permit that belongs to nobody, or to itself, could never move again.
pub fn check_new_owner(owner: &Address, permit: &Address) -> Result<(), Error> {
    require(!address_eq(owner, &NO_KEY), Error::BadDestination)?;
    require(!address_eq(owner, permit), Error::BadDestination)
}

pub fn close(program: &Address, accounts: ClosePermitV1) -> ProgramResult {
    let ClosePermitV1 { event, permit, receiver, .. } = accounts;
    let config = open_config_as_authority(program, accounts.config, accounts.authority)?;
    let owner = {
        let permit = open::<Permit>(program, permit)?;
        check_event_is_closed(program, event, &permit.event)?;
        require(permit.state == PERMIT_HELD, Error::WrongState)?;
        permit.owner
    };
    require(address_eq(receiver.address(), &config.payer), Error::WrongReceiver)?;

    let lamports = permit.lamports();
    move_lamports(permit, receiver, lamports)?;
    permit.close()?;
    emit(&PermitClosed {
        discriminator: PermitClosed::DISCRIMINATOR,
        permit: *permit.address(),
        owner,
        lamports: lamports.to_le_bytes(),
    });
    Ok(())
}

fn check_event_is_closed(program: &Address, event: &AccountView, expected: &Address) -> ProgramResult {
    require(address_eq(event.address(), expected), Error::BadAccount)?;
    require(check_kind::<Event>(program, event).is_err(), Error::TooEarly)?;
    check_kind::<ClosedEvent>(program, event)
}
