/** The keys of a rotation of the onchain authority: the one to come, and the one before. */
export const AUTHORITY_ROTATION = [
  'alter table "chain_key" drop constraint "chain_key_role_check"',
  `alter table "chain_key" add constraint "chain_key_role_check" check ("role" in ('authority', 'payer', 'next_authority', 'former_authority'))`,
];
