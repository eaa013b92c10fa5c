import {
  type Icon,
  IconBuildingStore,
  IconClipboardText,
  IconHandStop,
  IconLogin2,
  IconSignature,
  IconTicket,
  IconTransfer,
  IconUserCheck,
} from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';

/** What one thing that happened is told by. */
export const ENTRY = graphql(`
  fragment Entry on TimelineEntry {
    at kind title outcome details
    references { client grant fan session ticket permit claim requestId }
  }
`);

export type EntryData = ResultOf<typeof ENTRY>;

/** What happened, by where it was written down. */
export const KINDS: Record<EntryData['kind'], { label: string; icon: Icon }> = {
  REQUEST: { label: 'Request', icon: IconTransfer },
  SESSION: { label: 'Sign-in', icon: IconLogin2 },
  GRANT: { label: 'Grant', icon: IconUserCheck },
  SIGNATURE: { label: 'Co-signature', icon: IconSignature },
  LISTING: { label: 'Listing', icon: IconBuildingStore },
  CLAIM: { label: 'Claim', icon: IconTicket },
  AUDIT: { label: 'Audit log', icon: IconClipboardText },
};

export const REFUSED_ICON: Icon = IconHandStop;

/** The story of anything that the service can name. */
export function storyOf(text: string): string {
  return `/timeline?search=${encodeURIComponent(text)}`;
}

/** The view of its own that something of a story has; undefined where its story is all there is. */
export function viewOf(kind: string, id: string): string | undefined {
  const folder = FOLDERS[kind.toLowerCase()];
  return folder === undefined ? undefined : `${folder}/${id}`;
}

const FOLDERS: Record<string, string> = {
  client: '/clients',
  partner: '/partners',
  fan: '/fans',
  request: '/requests',
  requestid: '/requests',
};
