//! Who may upgrade this program, as its ProgramData account says.
//!
//! The address is derived, never taken from the caller, and only the upgradeable loader writes accounts of its own. When the loader
//! takes the upgrade authority away it clears the flag alone and leaves the key's bytes: the flag decides.
use bytemuck::{Pod, Zeroable};
use pinocchio::address::address_eq;
use pinocchio::error::ProgramError;
use pinocchio::{AccountView, Address};

use crate::layout::{Error, UPGRADEABLE_LOADER};
use crate::require::require;

const PROGRAM_DATA: u32 = 3;
const AUTHORITY_PRESENT: u8 = 1;

/// What precedes the program's code, in the loader's own layout.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ProgramDataHeader {
    state: [u8; 4],
    deployed_in_slot: [u8; 8],
    has_authority: u8,
    authority: Address,
}

pub fn check_upgrade_authority(
    program: &Address,
    program_data: &AccountView,
    who: &AccountView,
) -> Result<(), ProgramError> {
    let loader = &UPGRADEABLE_LOADER;
    let (address, _) = Address::derive_program_address(&[program.as_ref()], loader).ok_or(Error::BadPda)?;
    require(address_eq(program_data.address(), &address), Error::BadPda)?;
    require(program_data.owned_by(loader), Error::BadAccount)?;
    let data = program_data.try_borrow()?;
    let header = data.get(..size_of::<ProgramDataHeader>()).ok_or(Error::BadAccount)?;
    let header: &ProgramDataHeader = bytemuck::try_from_bytes(header).map_err(|_| Error::BadAccount)?;
    require(u32::from_le_bytes(header.state) == PROGRAM_DATA, Error::BadAccount)?;
    require(header.has_authority == AUTHORITY_PRESENT, Error::WrongAuthority)?;
    require(address_eq(&header.authority, who.address()), Error::WrongAuthority)?;
    Ok(())
}
