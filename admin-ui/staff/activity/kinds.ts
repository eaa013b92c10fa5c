import {
  type Icon,
  IconApi,
  IconBuildingStore,
  IconClipboardText,
  IconDeviceDesktop,
  IconHandStop,
  IconKey,
  IconLogin2,
  IconSignature,
  IconTicket,
  IconTransfer,
  IconUser,
  IconUserCheck,
} from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

export const ENTRY = graphql(`
  fragment Entry on TimelineEntry {
    at kind title outcome message fix details
    references { client fan grant session ticket permit claim requestId }
  }
`);

export type EntryData = ResultOf<typeof ENTRY>;

/** Kinds of entries. */
export const KINDS: Record<EntryData['kind'], { label: string; icon: Icon }> = {
  REQUEST: { label: 'Request', icon: IconApi },
  SESSION: { label: 'Sign-in', icon: IconLogin2 },
  GRANT: { label: 'Grant', icon: IconUserCheck },
  SIGNATURE: { label: 'Co-signature', icon: IconSignature },
  LISTING: { label: 'Listing', icon: IconBuildingStore },
  CLAIM: { label: 'Claim', icon: IconTicket },
  AUDIT: { label: 'Audit log', icon: IconClipboardText },
};

/** Icons of requests, by the beginning of the operation. */
const OPERATIONS: [string, Icon][] = [
  ['authorize.', IconLogin2],
  ['login.', IconLogin2],
  ['portal.', IconUser],
  ['token.', IconKey],
  ['userinfo.', IconUser],
  ['tickets.', IconTicket],
  ['listings.', IconSignature],
  ['claims.', IconTransfer],
  ['graphql.', IconDeviceDesktop],
];

/** The icon of an entry: of a refusal, of a request's operation, or of the entry's kind. */
export function iconOf({ kind, outcome, details }: EntryData): Icon {
  if (outcome !== 'ok') return IconHandStop;
  const { operation } = details as { operation?: unknown };
  const known = kind === 'REQUEST' && OPERATIONS.find(([begin]) => String(operation).startsWith(begin));
  return known ? known[1] : KINDS[kind].icon;
}
