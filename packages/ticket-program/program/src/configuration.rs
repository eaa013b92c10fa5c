//! The instructions that create and change the configuration.
use pinocchio::account::RefMut;
use pinocchio::address::address_eq;
use pinocchio::error::ProgramError;
use pinocchio::{AccountView, Address, ProgramResult};

use crate::account::{NO_KEY, is_former_authority, open_mut};
use crate::create_account::Creation;
use crate::event_log::emit;
use crate::layout::*;
use crate::require::require;
use crate::upgrade_authority::check_upgrade_authority;

/// By the upgrade authority: otherwise the first caller after a deployment could become the admin.
pub fn initialize(program: &Address, accounts: InitializeV1) -> ProgramResult {
    let InitializeV1 { admin, system_program, .. } = accounts;
    check_upgrade_authority(program, accounts.program_data, admin)?;
    let creation = Creation { program, payer: admin, system_program };
    let (mut config, bump) = creation.create::<Config, _>(accounts.config, [CONFIG_SEED])?;
    *config = Config {
        discriminator: Config::DISCRIMINATOR,
        version: ACCOUNT_VERSION,
        authority: *accounts.authority.address(),
        former_authority: NO_KEY,
        admin: *admin.address(),
        payer: *accounts.payer.address(),
        bump,
    };
    Ok(())
}

pub fn rotate_authority(program: &Address, accounts: RotateAuthorityV1) -> ProgramResult {
    let mut config = open_as_admin(program, accounts.config, accounts.admin)?;
    let to = other_key(&config.authority, accounts.new_authority)?;
    let from = config.authority;
    config.former_authority = from;
    config.authority = to;
    emit(&AuthorityRotated { discriminator: AuthorityRotated::DISCRIMINATOR, from, to });
    Ok(())
}

/// Names the key: a retirement that was signed offline and lands after another rotation must not hit another key.
pub fn retire_authority(program: &Address, accounts: RetireAuthorityV1) -> ProgramResult {
    let mut config = open_as_admin(program, accounts.config, accounts.admin)?;
    require(is_former_authority(&config, accounts.former_authority.address()), Error::WrongAuthority)?;
    let authority = config.former_authority;
    config.former_authority = NO_KEY;
    emit(&AuthorityRetired { discriminator: AuthorityRetired::DISCRIMINATOR, authority });
    Ok(())
}

pub fn rotate_admin(program: &Address, accounts: RotateAdminV1) -> ProgramResult {
    let mut config = open_as_admin(program, accounts.config, accounts.admin)?;
    let to = other_key(&config.admin, accounts.new_admin)?;
    let from = config.admin;
    config.admin = to;
    emit(&AdminRotated { discriminator: AdminRotated::DISCRIMINATOR, from, to });
    Ok(())
}

pub fn rotate_payer(program: &Address, accounts: RotatePayerV1) -> ProgramResult {
    let mut config = open_as_admin(program, accounts.config, accounts.admin)?;
    let to = other_key(&config.payer, accounts.new_payer)?;
    let from = config.payer;
    config.payer = to;
    emit(&PayerRotated { discriminator: PayerRotated::DISCRIMINATOR, from, to });
    Ok(())
}

fn open_as_admin<'a>(
    program: &Address,
    config: &'a mut AccountView,
    admin: &AccountView,
) -> Result<RefMut<'a, Config>, ProgramError> {
    let config = open_mut::<Config>(program, config)?;
    require(address_eq(admin.address(), &config.admin), Error::WrongAuthority)?;
    Ok(config)
}

fn other_key(present: &Address, account: &AccountView) -> Result<Address, Error> {
    require(!address_eq(present, account.address()), Error::SameKey)?;
    Ok(*account.address())
}
