use pinocchio::AccountView;
use pinocchio::error::ProgramError;

/// Between two accounts, of which the program owns the first. The same account twice keeps what it has.
///
/// Errors: `InsufficientFunds`.
pub fn move_lamports(from: &mut AccountView, to: &mut AccountView, lamports: u64) -> Result<(), ProgramError> {
    from.set_lamports(from.lamports().checked_sub(lamports).ok_or(ProgramError::InsufficientFunds)?);
    to.set_lamports(to.lamports().checked_add(lamports).ok_or(ProgramError::ArithmeticOverflow)?);
    Ok(())
}
