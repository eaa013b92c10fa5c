//! Made from describe-program.ts by build-program.ts: do not edit.
use bytemuck::{Pod, Zeroable};
use pinocchio::{AccountView, Address, error::ProgramError};

use crate::require::{must_be_writable, must_sign, require};

#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Error {
    /// No such instruction, or its data does not have the exact length.
    BadInstruction = 6000,
    /// An account that must sign did not.
    MissingSignature = 6001,
    /// This account is not the owner of the permit.
    WrongOwner = 6002,
    /// This account is not the one that may do this.
    WrongAuthority = 6003,
    /// An account is not of the expected kind or belongs to another program.
    BadAccount = 6004,
    /// An account is not at the address that its seeds give.
    BadPda = 6005,
    /// The account to create exists already.
    AlreadyExists = 6006,
    /// An account that must be writable is not.
    NotWritable = 6007,
    /// The permit is not in the state that this needs.
    WrongState = 6008,
    /// The price must be more than zero.
    BadPrice = 6009,
    /// The new owner must be another wallet, and neither zero nor the permit itself.
    BadDestination = 6010,
    /// The marketplace must be neither zero nor the permit itself.
    BadMarketplace = 6011,
    /// The permit has another listing than the one that the transfer names.
    WrongListing = 6012,
    /// The listing has another price than the one that the transfer names.
    WrongPrice = 6013,
    /// An account of this program does not have the size of its kind.
    WrongSize = 6014,
    /// An account was made by another version of this program.
    WrongVersion = 6015,
    /// This key is there already.
    SameKey = 6016,
    /// The event can be closed later only: after its end and the grace period.
    TooEarly = 6017,
    /// The lamports of a closed account go to the payer that the configuration names.
    WrongReceiver = 6018,
}

/// The data of an account, or an event: a discriminator and fields.
pub trait Layout: Pod {
    const DISCRIMINATOR: [u8; 8];
}

pub const ACCOUNT_VERSION: u8 = 2;
pub const PERMIT_HELD: u8 = 0;
pub const PERMIT_LISTED: u8 = 1;
pub const CONFIG_SEED: &[u8] = b"config";
pub const EVENT_SEED: &[u8] = b"event";
pub const PERMIT_SEED: &[u8] = b"permit";
pub const UPGRADEABLE_LOADER: Address = Address::new_from_array([2, 168, 246, 145, 78, 136, 161, 176, 226, 16, 21, 62, 247, 99, 174, 43, 0, 194, 185, 61, 22, 193, 36, 210, 192, 83, 122, 16, 4, 128, 0, 0]);

/// One per program, at seeds "config". The former authority is zero where there is none.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Config {
    pub discriminator: [u8; 8],
    pub version: u8,
    pub authority: Address,
    pub former_authority: Address,
    pub admin: Address,
    pub payer: Address,
    pub bump: u8,
}
const _: () = assert!(size_of::<Config>() == 138);
impl Layout for Config {
    const DISCRIMINATOR: [u8; 8] = [155, 12, 170, 224, 30, 250, 204, 130];
}

/// One per event, at seeds "event", event_id.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Event {
    pub discriminator: [u8; 8],
    pub version: u8,
    pub event_id: [u8; 32],
    pub organiser: Address,
    pub closable_from: [u8; 8],
    pub bump: u8,
}
const _: () = assert!(size_of::<Event>() == 82);
impl Layout for Event {
    const DISCRIMINATOR: [u8; 8] = [125, 192, 125, 158, 9, 115, 152, 233];
}

/// What stays of a closed event, at its address.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct ClosedEvent {
    pub discriminator: [u8; 8],
    pub version: u8,
}
const _: () = assert!(size_of::<ClosedEvent>() == 9);
impl Layout for ClosedEvent {
    const DISCRIMINATOR: [u8; 8] = [205, 210, 75, 250, 120, 8, 21, 68];
}

/// One per ticket, at seeds "permit", address of the event, ticket_id. Marketplace and price are zero while held. The listing is the number of the newest one: the first is 1.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Permit {
    pub discriminator: [u8; 8],
    pub version: u8,
    pub event: Address,
    pub ticket_id: [u8; 32],
    pub owner: Address,
    pub state: u8,
    pub marketplace: Address,
    pub price: [u8; 8],
    pub listing: [u8; 8],
    pub bump: u8,
}
const _: () = assert!(size_of::<Permit>() == 155);
impl Layout for Permit {
    const DISCRIMINATOR: [u8; 8] = [219, 195, 186, 174, 197, 232, 83, 160];
}

/// A permit was created.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct PermitIssued {
    pub discriminator: [u8; 8],
    pub permit: Address,
    pub event: Address,
    pub owner: Address,
}
const _: () = assert!(size_of::<PermitIssued>() == 104);
impl Layout for PermitIssued {
    const DISCRIMINATOR: [u8; 8] = [119, 141, 112, 78, 112, 43, 94, 27];
}

/// A permit went on the market.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct ListingCreated {
    pub discriminator: [u8; 8],
    pub permit: Address,
    pub owner: Address,
    pub marketplace: Address,
    pub price: [u8; 8],
    pub listing: [u8; 8],
}
const _: () = assert!(size_of::<ListingCreated>() == 120);
impl Layout for ListingCreated {
    const DISCRIMINATOR: [u8; 8] = [94, 164, 167, 255, 246, 186, 12, 96];
}

/// A permit went off the market unsold.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct ListingCancelled {
    pub discriminator: [u8; 8],
    pub permit: Address,
    pub owner: Address,
    pub listing: [u8; 8],
}
const _: () = assert!(size_of::<ListingCancelled>() == 80);
impl Layout for ListingCancelled {
    const DISCRIMINATOR: [u8; 8] = [11, 46, 163, 10, 103, 80, 139, 194];
}

/// A permit changed hands. Price and number are those of the listing; zero when its owner transferred it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct PermitTransferred {
    pub discriminator: [u8; 8],
    pub permit: Address,
    pub from: Address,
    pub to: Address,
    pub price: [u8; 8],
    pub listing: [u8; 8],
}
const _: () = assert!(size_of::<PermitTransferred>() == 120);
impl Layout for PermitTransferred {
    const DISCRIMINATOR: [u8; 8] = [145, 64, 171, 103, 5, 9, 129, 179];
}

/// An event was closed. The lamports went to the payer.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct EventClosed {
    pub discriminator: [u8; 8],
    pub event: Address,
    pub lamports: [u8; 8],
}
const _: () = assert!(size_of::<EventClosed>() == 48);
impl Layout for EventClosed {
    const DISCRIMINATOR: [u8; 8] = [136, 138, 5, 113, 129, 202, 80, 85];
}

/// A permit was closed. The lamports went to the payer.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct PermitClosed {
    pub discriminator: [u8; 8],
    pub permit: Address,
    pub owner: Address,
    pub lamports: [u8; 8],
}
const _: () = assert!(size_of::<PermitClosed>() == 80);
impl Layout for PermitClosed {
    const DISCRIMINATOR: [u8; 8] = [227, 14, 245, 78, 122, 148, 240, 90];
}

/// The co-signing authority was replaced.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct AuthorityRotated {
    pub discriminator: [u8; 8],
    pub from: Address,
    pub to: Address,
}
const _: () = assert!(size_of::<AuthorityRotated>() == 72);
impl Layout for AuthorityRotated {
    const DISCRIMINATOR: [u8; 8] = [89, 124, 120, 223, 3, 19, 185, 230];
}

/// The authority before the present one has no rights any more.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct AuthorityRetired {
    pub discriminator: [u8; 8],
    pub authority: Address,
}
const _: () = assert!(size_of::<AuthorityRetired>() == 40);
impl Layout for AuthorityRetired {
    const DISCRIMINATOR: [u8; 8] = [106, 46, 74, 133, 251, 0, 211, 174];
}

/// The admin was replaced.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct AdminRotated {
    pub discriminator: [u8; 8],
    pub from: Address,
    pub to: Address,
}
const _: () = assert!(size_of::<AdminRotated>() == 72);
impl Layout for AdminRotated {
    const DISCRIMINATOR: [u8; 8] = [21, 142, 227, 252, 22, 194, 172, 220];
}

/// The payer was replaced.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct PayerRotated {
    pub discriminator: [u8; 8],
    pub from: Address,
    pub to: Address,
}
const _: () = assert!(size_of::<PayerRotated>() == 72);
impl Layout for PayerRotated {
    const DISCRIMINATOR: [u8; 8] = [10, 81, 8, 178, 177, 211, 191, 138];
}

/// Creates the configuration, once. Only the program's upgrade authority may do so; it becomes the admin.
pub struct InitializeV1<'a> {
    pub config: &'a mut AccountView,
    pub admin: &'a mut AccountView,
    pub authority: &'a AccountView,
    pub payer: &'a AccountView,
    pub program_data: &'a AccountView,
    pub system_program: &'a AccountView,
}
impl<'a> InitializeV1<'a> {
    pub const DISCRIMINATOR: u64 = 0xfda53b455f911d41;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, admin, authority, payer, program_data, system_program, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(config)?;
        must_sign(admin)?;
        must_be_writable(admin)?;
        must_sign(authority)?;
        must_sign(payer)?;
        Ok(Self { config, admin, authority, payer, program_data, system_program })
    }
}

/// Replaces the co-signing authority; the one before still co-signs listings. The new one signs too, so that a mistyped key cannot lock the program.
pub struct RotateAuthorityV1<'a> {
    pub config: &'a mut AccountView,
    pub admin: &'a AccountView,
    pub new_authority: &'a AccountView,
}
impl<'a> RotateAuthorityV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x71b736d27bc8f200;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, admin, new_authority, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(config)?;
        must_sign(admin)?;
        must_sign(new_authority)?;
        Ok(Self { config, admin, new_authority })
    }
}

/// Ends the rights of the authority before the present one.
pub struct RetireAuthorityV1<'a> {
    pub config: &'a mut AccountView,
    pub admin: &'a AccountView,
    pub former_authority: &'a AccountView,
}
impl<'a> RetireAuthorityV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x6ee360d47cf0365c;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, admin, former_authority, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(config)?;
        must_sign(admin)?;
        Ok(Self { config, admin, former_authority })
    }
}

/// Replaces the admin. The new one signs too, so that a mistyped key cannot lock the program.
pub struct RotateAdminV1<'a> {
    pub config: &'a mut AccountView,
    pub admin: &'a AccountView,
    pub new_admin: &'a AccountView,
}
impl<'a> RotateAdminV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x2ced1d7173d7bf75;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, admin, new_admin, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(config)?;
        must_sign(admin)?;
        must_sign(new_admin)?;
        Ok(Self { config, admin, new_admin })
    }
}

/// Replaces the payer, which gets the lamports of closed accounts. The new one signs too, so that a mistyped key gets none.
pub struct RotatePayerV1<'a> {
    pub config: &'a mut AccountView,
    pub admin: &'a AccountView,
    pub new_payer: &'a AccountView,
}
impl<'a> RotatePayerV1<'a> {
    pub const DISCRIMINATOR: u64 = 0xe1b98f1165620503;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, admin, new_payer, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(config)?;
        must_sign(admin)?;
        must_sign(new_payer)?;
        Ok(Self { config, admin, new_payer })
    }
}

/// Arguments of `register_event_v1`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct RegisterEventV1Arguments {
    pub event_id: [u8; 32],
    pub closable_from: [u8; 8],
}

/// Creates the account of an event. It can be closed from the given time on, in Unix seconds: the end of the event and a grace period.
pub struct RegisterEventV1<'a> {
    pub config: &'a AccountView,
    pub event: &'a mut AccountView,
    pub authority: &'a AccountView,
    pub organiser: &'a AccountView,
    pub payer: &'a mut AccountView,
    pub system_program: &'a AccountView,
    pub arguments: &'a RegisterEventV1Arguments,
}
impl<'a> RegisterEventV1<'a> {
    pub const DISCRIMINATOR: u64 = 0xf7a586c3657cd39c;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        let arguments = bytemuck::try_from_bytes(data).map_err(|_| Error::BadInstruction)?;
        let [config, event, authority, organiser, payer, system_program, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(event)?;
        must_sign(authority)?;
        must_sign(payer)?;
        must_be_writable(payer)?;
        Ok(Self { config, event, authority, organiser, payer, system_program, arguments })
    }
}

/// Arguments of `issue_permit_v1`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct IssuePermitV1Arguments {
    pub ticket_id: [u8; 32],
    pub owner: Address,
}

/// Creates the permit of one ticket of an event, held by the given owner.
pub struct IssuePermitV1<'a> {
    pub config: &'a AccountView,
    pub event: &'a AccountView,
    pub permit: &'a mut AccountView,
    pub authority: &'a AccountView,
    pub payer: &'a mut AccountView,
    pub system_program: &'a AccountView,
    pub arguments: &'a IssuePermitV1Arguments,
}
impl<'a> IssuePermitV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x11579934f8142bed;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        let arguments = bytemuck::try_from_bytes(data).map_err(|_| Error::BadInstruction)?;
        let [config, event, permit, authority, payer, system_program, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(permit)?;
        must_sign(authority)?;
        must_sign(payer)?;
        must_be_writable(payer)?;
        Ok(Self { config, event, permit, authority, payer, system_program, arguments })
    }
}

/// Arguments of `create_listing_v1`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct CreateListingV1Arguments {
    pub price: [u8; 8],
}

/// Lists a held permit for a price in lamports. While listed, only the marketplace may transfer it. Returns the number of the listing.
pub struct CreateListingV1<'a> {
    pub config: &'a AccountView,
    pub permit: &'a mut AccountView,
    pub owner: &'a AccountView,
    pub authority: &'a AccountView,
    pub marketplace: &'a AccountView,
    pub arguments: &'a CreateListingV1Arguments,
}
impl<'a> CreateListingV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x30bdbc4ecd7b139b;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        let arguments = bytemuck::try_from_bytes(data).map_err(|_| Error::BadInstruction)?;
        let [config, permit, owner, authority, marketplace, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(permit)?;
        must_sign(owner)?;
        must_sign(authority)?;
        Ok(Self { config, permit, owner, authority, marketplace, arguments })
    }
}

/// Takes a listed permit off the market: its owner holds it again.
pub struct CancelListingV1<'a> {
    pub config: &'a AccountView,
    pub permit: &'a mut AccountView,
    pub owner: &'a AccountView,
    pub authority: &'a AccountView,
}
impl<'a> CancelListingV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x1d71d912330341e1;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, permit, owner, authority, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(permit)?;
        must_sign(owner)?;
        must_sign(authority)?;
        Ok(Self { config, permit, owner, authority })
    }
}

/// Arguments of `transfer_permit_v1`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct TransferPermitV1Arguments {
    pub listing: [u8; 8],
    pub price: [u8; 8],
}

/// Moves a permit: signed by the owner while it is held, by the stored marketplace while it is listed. It names the number and price of the listing; both are zero while held.
pub struct TransferPermitV1<'a> {
    pub config: &'a AccountView,
    pub permit: &'a mut AccountView,
    pub transfer_authority: &'a AccountView,
    pub destination: &'a AccountView,
    pub arguments: &'a TransferPermitV1Arguments,
}
impl<'a> TransferPermitV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x43816ca8c74d53d2;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        let arguments = bytemuck::try_from_bytes(data).map_err(|_| Error::BadInstruction)?;
        let [config, permit, transfer_authority, destination, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(permit)?;
        must_sign(transfer_authority)?;
        Ok(Self { config, permit, transfer_authority, destination, arguments })
    }
}

/// Shrinks the account of an event, once it can be closed, to a mark that stays: no permit of it is issued any more, and its permits can be closed.
pub struct CloseEventV1<'a> {
    pub config: &'a AccountView,
    pub event: &'a mut AccountView,
    pub authority: &'a AccountView,
    pub receiver: &'a mut AccountView,
}
impl<'a> CloseEventV1<'a> {
    pub const DISCRIMINATOR: u64 = 0x6fa73c9ca403c392;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, event, authority, receiver, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(event)?;
        must_sign(authority)?;
        must_be_writable(receiver)?;
        Ok(Self { config, event, authority, receiver })
    }
}

/// Closes a held permit of a closed event.
pub struct ClosePermitV1<'a> {
    pub config: &'a AccountView,
    pub event: &'a AccountView,
    pub permit: &'a mut AccountView,
    pub authority: &'a AccountView,
    pub receiver: &'a mut AccountView,
}
impl<'a> ClosePermitV1<'a> {
    pub const DISCRIMINATOR: u64 = 0xbf50cff0dbb3cc62;

    pub fn read(accounts: &'a mut [AccountView], data: &'a [u8]) -> Result<Self, ProgramError> {
        require(data.is_empty(), Error::BadInstruction)?;
        let [config, event, permit, authority, receiver, ..] = accounts else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        must_be_writable(permit)?;
        must_sign(authority)?;
        must_be_writable(receiver)?;
        Ok(Self { config, event, permit, authority, receiver })
    }
}
