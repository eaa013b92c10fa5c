//! Opens the program's accounts. An account counts only if the program owns it, its discriminator, size and version are right, and it
//! lies at the address that its own seeds give: look-alikes are refused.
use pinocchio::account::{Ref, RefMut};
use pinocchio::address::address_eq;
use pinocchio::error::ProgramError;
use pinocchio::{AccountView, Address};

use crate::layout::{ACCOUNT_VERSION, CONFIG_SEED, Config, EVENT_SEED, Error, Event, Layout, PERMIT_SEED, Permit};
use crate::require::require;

pub const NO_KEY: Address = Address::new_from_array([0; 32]);

/// A kind of account that has the seeds of its address among its fields.
pub trait Derived: Layout {
    /// A hash suffices, since the bump is the one that `create_account` found. It costs a tenth of the system call that derives an
    /// address and looks whether it is on the curve.
    fn derive(&self, program: &Address) -> Address;
}

impl Derived for Config {
    fn derive(&self, program: &Address) -> Address {
        Address::derive_address(&[CONFIG_SEED], Some(self.bump), program)
    }
}

impl Derived for Event {
    fn derive(&self, program: &Address) -> Address {
        Address::derive_address(&[EVENT_SEED, &self.event_id], Some(self.bump), program)
    }
}

impl Derived for Permit {
    fn derive(&self, program: &Address) -> Address {
        Address::derive_address(&[PERMIT_SEED, self.event.as_ref(), &self.ticket_id], Some(self.bump), program)
    }
}

/// Errors: `BadAccount`, `WrongSize`, `WrongVersion`.
pub fn check_kind<T: Layout>(program: &Address, account: &AccountView) -> Result<(), ProgramError> {
    const VERSION_AT: usize = 8;
    require(account.owned_by(program), Error::BadAccount)?;
    let data = account.try_borrow()?;
    require(data.starts_with(&T::DISCRIMINATOR), Error::BadAccount)?;
    require(data.len() == size_of::<T>(), Error::WrongSize)?;
    require(data.get(VERSION_AT) == Some(&ACCOUNT_VERSION), Error::WrongVersion)?;
    Ok(())
}

/// Errors: those of `check_kind`, and `BadPda`.
pub fn open<'a, T: Derived>(program: &Address, account: &'a AccountView) -> Result<Ref<'a, T>, ProgramError> {
    check_kind::<T>(program, account)?;
    let opened = Ref::try_map(account.try_borrow()?, bytemuck::try_from_bytes::<T>);
    let opened = opened.map_err(|_| Error::WrongSize)?;
    require(address_eq(account.address(), &opened.derive(program)), Error::BadPda)?;
    Ok(opened)
}

/// As `open`, to change the account.
pub fn open_mut<'a, T: Derived>(
    program: &Address,
    account: &'a mut AccountView,
) -> Result<RefMut<'a, T>, ProgramError> {
    drop(open::<T>(program, account)?);
    map_mut(account)
}

/// The data of an account that the program has created or opened before.
pub fn map_mut<T: Layout>(account: &mut AccountView) -> Result<RefMut<'_, T>, ProgramError> {
    let mapped = RefMut::try_map(account.try_borrow_mut()?, bytemuck::try_from_bytes_mut::<T>);
    Ok(mapped.map_err(|_| Error::WrongSize)?)
}

/// For the instructions that only the present authority may run.
pub fn open_config_as_authority<'a>(
    program: &Address,
    config: &'a AccountView,
    authority: &AccountView,
) -> Result<Ref<'a, Config>, ProgramError> {
    let config = open::<Config>(program, config)?;
    require(address_eq(authority.address(), &config.authority), Error::WrongAuthority)?;
    Ok(config)
}

pub fn is_former_authority(config: &Config, who: &Address) -> bool {
    !address_eq(who, &NO_KEY) && address_eq(who, &config.former_authority)
}
