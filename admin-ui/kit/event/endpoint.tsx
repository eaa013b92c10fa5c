import type { ReactNode } from 'react';
import { Moment } from '../parts/values.tsx';

type EndpointFormat = 'SET_PUSH' | 'SET_POLL' | 'STANDARD_WEBHOOKS';

export const FORMATS: Readonly<Record<EndpointFormat, { label: string; says: string }>> = {
  SET_PUSH: {
    label: 'Security Event Tokens, pushed',
    says: 'RFC 8935: JWTs, sent to your address, signed with the keys of the issuer.',
  },
  SET_POLL: {
    label: 'Security Event Tokens, polled',
    says: 'RFC 8936: JWTs that your server asks for with a token. It needs no address.',
  },
  STANDARD_WEBHOOKS: {
    label: 'Standard Webhooks',
    says: 'JSON, sent to your address, signed with a secret of this endpoint.',
  },
};

interface Delivering {
  format: EndpointFormat;
  lastPolledAt: string | null;
  lastDeliveredAt: string | null;
  waiting: number;
  dead: number;
}

/** What an endpoint got and what it is still to get, for `Facts`. */
export function deliveryFacts(endpoint: Delivering): Record<string, ReactNode> {
  const { format, lastPolledAt, lastDeliveredAt, waiting, dead } = endpoint;
  const polls = format === 'SET_POLL';
  return {
    'Last poll': polls ? <LastTime at={lastPolledAt} /> : undefined,
    [polls ? 'Last acknowledgement' : 'Last delivery']: <LastTime at={lastDeliveredAt} />,
    [polls ? 'Waiting for a poll' : 'Waiting to be sent']: waiting.toLocaleString('en'),
    'Dead: given up': dead.toLocaleString('en'),
  };
}

function LastTime({ at }: { at: string | null }) {
  return at === null ? 'None yet' : <Moment at={at} />;
}
