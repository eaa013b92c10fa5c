use pinocchio::AccountView;
use pinocchio::error::ProgramError;

use crate::layout::Error;

impl From<Error> for ProgramError {
    fn from(error: Error) -> Self {
        Self::Custom(error as u32)
    }
}

#[inline(always)]
pub fn require(condition: bool, otherwise: Error) -> Result<(), Error> {
    if condition { Ok(()) } else { Err(otherwise) }
}

#[inline(always)]
pub fn must_sign(account: &AccountView) -> Result<(), Error> {
    require(account.is_signer(), Error::MissingSignature)
}

#[inline(always)]
pub fn must_be_writable(account: &AccountView) -> Result<(), Error> {
    require(account.is_writable(), Error::NotWritable)
}
