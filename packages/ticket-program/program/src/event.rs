//! Events: registered before their tickets are issued, closed after their end.
use pinocchio::address::address_eq;
use pinocchio::error::ProgramError;
use pinocchio::sysvars::Sysvar;
use pinocchio::sysvars::clock::Clock;
use pinocchio::{Address, ProgramResult, Resize};

use crate::account::{map_mut, open, open_config_as_authority};
use crate::create_account::Creation;
use crate::event_log::emit;
use crate::lamports::move_lamports;
use crate::layout::*;
use crate::rent::rent_exempt_lamports;
use crate::require::require;

pub fn register(program: &Address, accounts: RegisterEventV1) -> ProgramResult {
    let RegisterEventV1 { payer, system_program, arguments, .. } = accounts;
    open_config_as_authority(program, accounts.config, accounts.authority)?;
    let creation = Creation { program, payer, system_program };
    let (mut event, bump) = creation.create::<Event, _>(accounts.event, [EVENT_SEED, &arguments.event_id])?;
    *event = Event {
        discriminator: Event::DISCRIMINATOR,
        version: ACCOUNT_VERSION,
        event_id: arguments.event_id,
        organiser: *accounts.organiser.address(),
        closable_from: arguments.closable_from,
        bump,
    };
    Ok(())
}

/// Leaves a mark at the address: without it the event could be registered again, and a closed permit be issued again.
pub fn close(program: &Address, accounts: CloseEventV1) -> ProgramResult {
    let CloseEventV1 { event, receiver, .. } = accounts;
    let config = open_config_as_authority(program, accounts.config, accounts.authority)?;
    let closable_from = u64::from_le_bytes(open::<Event>(program, event)?.closable_from);
    require(has_come(closable_from)?, Error::TooEarly)?;
    require(address_eq(receiver.address(), &config.payer), Error::WrongReceiver)?;

    // With this the compiler sees that the account never grows, and leaves the zeroing of new bytes out.
    require(event.data_len() == size_of::<Event>(), Error::WrongSize)?;
    event.resize(size_of::<ClosedEvent>())?;
    *map_mut(event)? = ClosedEvent { discriminator: ClosedEvent::DISCRIMINATOR, version: ACCOUNT_VERSION };
    let lamports = event.lamports().saturating_sub(rent_exempt_lamports(size_of::<ClosedEvent>())?);
    move_lamports(event, receiver, lamports)?;
    emit(&EventClosed {
        discriminator: EventClosed::DISCRIMINATOR,
        event: *event.address(),
        lamports: lamports.to_le_bytes(),
    });
    Ok(())
}

fn has_come(time: u64) -> Result<bool, ProgramError> {
    let now = Clock::get()?.unix_timestamp;
    Ok(u64::try_from(now).is_ok_and(|now| now >= time))
}
