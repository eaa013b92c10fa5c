import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { PlaygroundConfig, TestUser } from '../config.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Sheet } from '../parts/facts.tsx';
import { CLAIM_SCOPE, USUAL_SCOPES } from '../sign-in/authorize-url.ts';
import { beginChangedSignIn } from '../sign-in/begin-sign-in.ts';
import { change, currentState, type State } from '../state.ts';
import { grants } from '../tokens/token-set.ts';
import { TradePanel } from './trade-panel.tsx';

type Props = { config: PlaygroundConfig; state: State };

/** Another fan buys the listed ticket: the marketplace signs the transfer, and the buyer claims it. */
export function SellStep({ config, state }: Props) {
  const { sale, fans } = state;
  const listed = sale.listed ?? (sale.claimed && { ticket: sale.claimed.ticket, seller: sale.claimed.seller });
  const buyers = config.test_users.filter(({ id }) => id !== listed?.seller);
  const buyer = buyers.find(({ id }) => id === sale.buyer) ?? buyers[0];
  const buyerFan = fans.find(({ sub }) => sub === buyer?.id);
  const canClaim = buyerFan !== undefined && !buyerFan.tokens.revoked && grants(buyerFan.tokens, CLAIM_SCOPE);

  if (listed === undefined) {
    return (
      <Sheet title="Sell the ticket">
        <p>
          No ticket is listed from this tab. <a href="#list">List one first</a>: only a listed ticket can be sold, and
          only by the marketplace that the listing names.
        </p>
      </Sheet>
    );
  }
  if (sale.claimed !== undefined && sale.listed === undefined) {
    return <Sold state={state} claimed={sale.claimed} config={config} />;
  }
  return (
    <>
      <Sheet title="The buyer">
        <p>
          {listed.ticket.event_name}, {listed.ticket.ticket_type_name}, is listed. Choose the test user who buys it,
          signs in and allows <code>{CLAIM_SCOPE}</code>.
        </p>
        <div class="fields">
          <div class="small-field grow">
            <label for="buyer">Buyer</label>
            <select
              id="buyer"
              value={buyer?.id}
              onChange={({ currentTarget }) =>
                change({
                  sale: {
                    ...currentState().sale,
                    buyer: currentTarget.value,
                    transactions: {},
                  },
                })
              }
            >
              {buyers.map(({ id, phone }) => (
                <option key={id} value={id}>
                  {phone}
                  {fans.some(({ sub }) => sub === id) ? ', signed in' : ''}
                </option>
              ))}
            </select>
          </div>
        </div>
        {buyer === undefined ? <p>This sandbox has no other test user.</p> : null}
        {buyer !== undefined && !canClaim ? (
          <SignBuyerIn config={config} buyer={buyer} isSignedIn={!!buyerFan} />
        ) : null}
      </Sheet>
      {canClaim && buyer !== undefined ? (
        <TradePanel
          title="Sell and claim"
          config={config}
          trade={{
            kind: 'claim',
            ticket: listed.ticket,
            destination: buyer.wallet_address,
            sub: buyer.id,
            seller: listed.seller,
          }}
          built={sale.transactions.claim}
          atOnce="Sell it and claim it"
        >
          <p>
            The marketplace signs <code>transfer_permit_v1</code> to the buyer’s wallet, for the number and price of
            this listing, and the claim is sent with the buyer’s token.
          </p>
        </TradePanel>
      ) : null}
    </>
  );
}

type SignBuyerInProps = { config: PlaygroundConfig; buyer: TestUser; isSignedIn: boolean };

function SignBuyerIn({ config, buyer, isSignedIn }: SignBuyerInProps) {
  const action = useAction();
  const scope = [...USUAL_SCOPES, CLAIM_SCOPE].join(' ');
  const begin = async () => {
    change({ sale: { ...currentState().sale, buyer: buyer.id } });
    await beginChangedSignIn(config, { scope, login_hint: buyer.phone }, { thenStep: 'sell' });
  };
  return (
    <>
      <p class="note">
        {isSignedIn ? `This fan is signed in, but has not allowed ${CLAIM_SCOPE}. ` : ''}
        The sign-in page asks for the code of {buyer.phone}: <strong class="code">{buyer.code}</strong>
      </p>
      <Alert message={action.problem} />
      <div class="controls">
        <ActionButton action={action} name="Sign in the buyer" primary work={begin} />
      </div>
    </>
  );
}

type SoldProps = { state: State; config: PlaygroundConfig; claimed: NonNullable<State['sale']['claimed']> };

/** Who holds the ticket now, as `GET /tickets` of both says. */
function Sold({ state, config, claimed }: SoldProps) {
  const holds = (sub: string) =>
    state.fans.find((fan) => fan.sub === sub)?.tickets?.tickets.some(({ id }) => id === claimed.ticket.id);
  const phoneOf = (sub: string) => config.test_users.find(({ id }) => id === sub)?.phone ?? sub;
  const word = (has: boolean | undefined) => (has === undefined ? 'not read' : has ? 'holds it' : 'does not hold it');
  return (
    <Sheet title="Sold">
      <p class="outcome good" role="status">
        {claimed.ticket.event_name}, {claimed.ticket.ticket_type_name}, has moved to the buyer. Signature of the
        transfer: <span class="id">{claimed.transferId}</span>
      </p>
      <dl class="facts">
        <dt>Seller {phoneOf(claimed.seller)}</dt>
        <dd>{word(holds(claimed.seller))}</dd>
        <dt>Buyer {phoneOf(claimed.buyer)}</dt>
        <dd>{word(holds(claimed.buyer))}</dd>
      </dl>
      <p>
        This is all that a partner application does. Next: <a href="#list">list another ticket</a>,{' '}
        <a href="#errors">force errors</a>, or look at the <a href="#log">request log</a>.
      </p>
    </Sheet>
  );
}
