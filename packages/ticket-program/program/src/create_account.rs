//! Creates an account at a program-derived address.
//!
//! Anybody can send lamports to an address before its account exists, and the System program's CreateAccount refuses an address that
//! holds any. So that nobody can block a ticket that way, such an account is topped up, allocated and assigned step by step.
use pinocchio::account::RefMut;
use pinocchio::address::address_eq;
use pinocchio::cpi::{Seed, Signer};
use pinocchio::error::ProgramError;
use pinocchio::{AccountView, Address, ProgramResult};
use pinocchio_system::instructions::{Allocate, Assign, CreateAccount, Transfer};

use crate::account::map_mut;
use crate::layout::{Error, Layout};
use crate::rent::rent_exempt_lamports;
use crate::require::require;

/// The bump follows the seeds of a permit, which has the most.
const MOST_SEEDS: usize = 4;

/// Who creates the account, and with what.
pub struct Creation<'a> {
    pub program: &'a Address,
    pub payer: &'a AccountView,
    pub system_program: &'a AccountView,
}

impl Creation<'_> {
    /// Finds the bump itself, so that only the canonical address of the seeds can ever hold an account.
    ///
    /// Returns the data, all zeros, and the bump. Errors: `BadAccount` for another system program, `BadPda`, `AlreadyExists`, and
    /// those of the System program.
    pub fn create<'a, T: Layout, const N: usize>(
        &self,
        account: &'a mut AccountView,
        seeds: [&[u8]; N],
    ) -> Result<(RefMut<'a, T>, u8), ProgramError> {
        const { assert!(N < MOST_SEEDS) };
        let system = &pinocchio_system::ID;
        require(address_eq(self.system_program.address(), system), Error::BadAccount)?;
        let (address, bump) = Address::derive_program_address(&seeds, self.program).ok_or(Error::BadPda)?;
        require(address_eq(account.address(), &address), Error::BadPda)?;
        require(account.owned_by(system) && account.is_data_empty(), Error::AlreadyExists)?;

        let bump_seed = [bump];
        let mut signer_seeds = [const { &[] as &[u8] }; MOST_SEEDS].map(Seed::from);
        for (place, seed) in signer_seeds.iter_mut().zip(seeds.into_iter().chain([&bump_seed[..]])) {
            *place = Seed::from(seed);
        }
        let signer_seeds = signer_seeds.get(..=N).ok_or(Error::BadPda)?;
        self.fund_and_allocate(account, size_of::<T>(), &[Signer::from(signer_seeds)])?;
        Ok((map_mut(account)?, bump))
    }

    /// The signer is the new account; the payer's own signature carries over.
    #[inline(never)]
    fn fund_and_allocate(&self, account: &AccountView, size: usize, signer: &[Signer]) -> ProgramResult {
        let Self { program: owner, payer: from, .. } = *self;
        let space = u64::try_from(size).map_err(|_| ProgramError::ArithmeticOverflow)?;
        let (needed, held) = (rent_exempt_lamports(size)?, account.lamports());
        if held == 0 {
            return CreateAccount { from, to: account, lamports: needed, space, owner }.invoke_signed(signer);
        }
        if let Some(lamports) = needed.checked_sub(held).filter(|missing| *missing > 0) {
            Transfer { from, to: account, lamports }.invoke()?;
        }
        Allocate { account, space }.invoke_signed(signer)?;
        Assign { account, owner }.invoke_signed(signer)
    }
}
