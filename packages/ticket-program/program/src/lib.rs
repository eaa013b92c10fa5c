//! The ticket program: events, permits (one per ticket), listings and transfers.
//!
//! A permit is held or listed. Its owner alone moves a held one; listing and cancelling take the owner AND the service's authority
//! (the present one, or the one before until it is retired); a listed one is moved by the marketplace that the listing names, and by
//! nobody else.
//!
//! Layouts, error codes, discriminators and the accounts of each instruction come from describe-program.ts, through `layout`. Its
//! `read` functions check the shape of an instruction (number of accounts, signer and writable flags, length of the data), so the
//! functions of the instructions check only who and what the accounts are.
#![no_std]
#![forbid(unsafe_code)]

mod account;
mod configuration;
mod create_account;
mod event;
mod event_log;
mod lamports;
#[rustfmt::skip]
mod layout;
mod listing;
mod permit;
mod rent;
mod require;
mod upgrade_authority;

use layout::*;
use pinocchio::{AccountView, Address, ProgramResult};

/// More than any instruction uses; further ones are passed over.
const MAX_ACCOUNTS: usize = 8;

pinocchio::program_entrypoint!(run, MAX_ACCOUNTS);
pinocchio::no_allocator!();
pinocchio::nostd_panic_handler!();

fn run(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (discriminator, data) = data.split_first_chunk().ok_or(Error::BadInstruction)?;
    match u64::from_le_bytes(*discriminator) {
        TransferPermitV1::DISCRIMINATOR => listing::transfer(program, TransferPermitV1::read(accounts, data)?),
        CreateListingV1::DISCRIMINATOR => listing::create(program, CreateListingV1::read(accounts, data)?),
        CancelListingV1::DISCRIMINATOR => listing::cancel(program, CancelListingV1::read(accounts, data)?),
        IssuePermitV1::DISCRIMINATOR => permit::issue(program, IssuePermitV1::read(accounts, data)?),
        ClosePermitV1::DISCRIMINATOR => permit::close(program, ClosePermitV1::read(accounts, data)?),
        RegisterEventV1::DISCRIMINATOR => event::register(program, RegisterEventV1::read(accounts, data)?),
        CloseEventV1::DISCRIMINATOR => event::close(program, CloseEventV1::read(accounts, data)?),
        RotateAuthorityV1::DISCRIMINATOR => {
            configuration::rotate_authority(program, RotateAuthorityV1::read(accounts, data)?)
        }
        RetireAuthorityV1::DISCRIMINATOR => {
            configuration::retire_authority(program, RetireAuthorityV1::read(accounts, data)?)
        }
        RotateAdminV1::DISCRIMINATOR => configuration::rotate_admin(program, RotateAdminV1::read(accounts, data)?),
        RotatePayerV1::DISCRIMINATOR => configuration::rotate_payer(program, RotatePayerV1::read(accounts, data)?),
        InitializeV1::DISCRIMINATOR => configuration::initialize(program, InitializeV1::read(accounts, data)?),
        _ => Err(Error::BadInstruction.into()),
    }
}
