//! Listings: a permit goes on the market, comes off it, or changes hands.
use pinocchio::account::RefMut;
use pinocchio::address::address_eq;
use pinocchio::cpi::set_return_data;
use pinocchio::error::ProgramError;
use pinocchio::{AccountView, Address, ProgramResult};

use crate::account::{NO_KEY, is_former_authority, open, open_mut};
use crate::event_log::emit;
use crate::layout::*;
use crate::permit::check_new_owner;
use crate::require::require;

/// What a transfer of a held permit names: the first listing has the number 1.
const NO_LISTING: [u8; 8] = [0; 8];
const NO_PRICE: [u8; 8] = [0; 8];

pub fn create(program: &Address, accounts: CreateListingV1) -> ProgramResult {
    let CreateListingV1 { arguments: CreateListingV1Arguments { price }, .. } = accounts;
    let (address, marketplace) = (*accounts.permit.address(), *accounts.marketplace.address());
    check_listing_authority(program, accounts.config, accounts.authority)?;
    let mut permit = open_as_owner(program, accounts.permit, accounts.owner)?;
    require(permit.state == PERMIT_HELD, Error::WrongState)?;
    require(*price != NO_PRICE, Error::BadPrice)?;
    require(!address_eq(&marketplace, &NO_KEY), Error::BadMarketplace)?;
    require(!address_eq(&marketplace, &address), Error::BadMarketplace)?;

    let listing = u64::from_le_bytes(permit.listing).checked_add(1).ok_or(ProgramError::ArithmeticOverflow)?;
    permit.state = PERMIT_LISTED;
    permit.marketplace = marketplace;
    permit.price = *price;
    permit.listing = listing.to_le_bytes();
    emit(&ListingCreated {
        discriminator: ListingCreated::DISCRIMINATOR,
        permit: address,
        owner: permit.owner,
        marketplace,
        price: *price,
        listing: permit.listing,
    });
    set_return_data(&permit.listing);
    Ok(())
}

pub fn cancel(program: &Address, accounts: CancelListingV1) -> ProgramResult {
    let address = *accounts.permit.address();
    check_listing_authority(program, accounts.config, accounts.authority)?;
    let mut permit = open_as_owner(program, accounts.permit, accounts.owner)?;
    require(permit.state == PERMIT_LISTED, Error::WrongState)?;
    take_off_the_market(&mut permit);
    emit(&ListingCancelled {
        discriminator: ListingCancelled::DISCRIMINATOR,
        permit: address,
        owner: permit.owner,
        listing: permit.listing,
    });
    Ok(())
}

/// Names number and price of the listing: a sale that was signed for one listing must not hit another.
pub fn transfer(program: &Address, accounts: TransferPermitV1) -> ProgramResult {
    let TransferPermitV1 { arguments: TransferPermitV1Arguments { listing, price }, .. } = accounts;
    let (address, to) = (*accounts.permit.address(), *accounts.destination.address());
    open::<Config>(program, accounts.config)?;
    let mut permit = open_mut::<Permit>(program, accounts.permit)?;
    let from = permit.owner;
    let present_listing = check_may_transfer(&permit, accounts.transfer_authority)?;
    require(*listing == present_listing, Error::WrongListing)?;
    require(*price == permit.price, Error::WrongPrice)?;
    check_new_owner(&to, &address)?;
    require(!address_eq(&to, &from), Error::BadDestination)?;

    permit.owner = to;
    take_off_the_market(&mut permit);
    emit(&PermitTransferred {
        discriminator: PermitTransferred::DISCRIMINATOR,
        permit: address,
        from,
        to,
        price: *price,
        listing: *listing,
    });
    Ok(())
}

/// Listings under way when the authority is rotated finish under either.
fn check_listing_authority(program: &Address, config: &AccountView, authority: &AccountView) -> ProgramResult {
    let config = open::<Config>(program, config)?;
    let who = authority.address();
    let may = address_eq(who, &config.authority) || is_former_authority(&config, who);
    Ok(require(may, Error::WrongAuthority)?)
}

fn open_as_owner<'a>(
    program: &Address,
    permit: &'a mut AccountView,
    owner: &AccountView,
) -> Result<RefMut<'a, Permit>, ProgramError> {
    let permit = open_mut::<Permit>(program, permit)?;
    require(address_eq(owner.address(), &permit.owner), Error::WrongOwner)?;
    Ok(permit)
}

/// The co-signing authority has no say in a transfer: otherwise it could move tickets that are not its own. Returns the number of
/// the listing that the permit is in.
fn check_may_transfer(permit: &Permit, who: &AccountView) -> Result<[u8; 8], Error> {
    if permit.state == PERMIT_LISTED {
        require(address_eq(who.address(), &permit.marketplace), Error::WrongAuthority)?;
        return Ok(permit.listing);
    }
    require(address_eq(who.address(), &permit.owner), Error::WrongOwner)?;
    Ok(NO_LISTING)
}

/// The number of the listing stays: the next one counts on.
fn take_off_the_market(permit: &mut Permit) {
    permit.state = PERMIT_HELD;
    permit.marketplace = NO_KEY;
    permit.price = NO_PRICE;
}
