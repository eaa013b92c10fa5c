import { REFUSAL } from '../../kit/data/view.ts';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { graphql } from '../data/graphql.ts';

/** The box of dialogs that take access away: what apps put on sale is taken off sale with it. */
export const ENDS_SALES = {
  label: 'Take off sale what it put on sale',
  description: 'The fan keeps the tickets. A sale that goes through first stands. Nothing is put on sale again later.',
  initial: true,
} as const;

const TAKE_OFF_SALE = graphql(`
  mutation TakeOffSale($ticketId: ID!, $reason: String!) {
    takeOffSale(ticketId: $ticketId, reason: $reason) {
      ${REFUSAL} ... on Ticket { id permit { id listings { id move { id } } } }
    }
  }
`);

interface TakeOffSaleProps {
  ticketId: string;
  /** The open listing; null where the ticket is not on sale. */
  sale: { move: { id: string } | null } | null;
  size?: 'compact-sm' | 'sm';
  /** For screen readers, where several stand below each other. */
  about?: string;
}

/** A button that takes a ticket off sale for its holder; nothing for one that is not on sale. */
export function TakeOffSale({ ticketId, sale, size = 'sm', about }: TakeOffSaleProps) {
  if (sale === null) return null;
  return (
    <ChangeButton
      size={size}
      about={about}
      right="grants:revoke"
      disabledReason={sale.move === null ? undefined : 'It is being taken off sale, or moved.'}
      title="Take the ticket off sale"
      label="Take off sale"
      confirmLabel="Take off sale"
      reason={{ label: 'Reason', placeholder: 'Case 4711: the fan asked us to' }}
      change={TAKE_OFF_SALE}
      variables={(reason) => ({ ticketId, reason })}
      done="The ticket is being taken off sale."
    >
      Its listing is closed onchain within seconds, unless it is sold first. The holder keeps the ticket, and the app
      its access: to stop the app from listing it again, end the access.
    </ChangeButton>
  );
}
