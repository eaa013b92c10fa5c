import { useEffect } from 'preact/hooks';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { PlaygroundConfig } from '../config.ts';
import { fetchTickets } from '../partner.ts';
import { useAction } from '../parts/action.tsx';
import { Sheet } from '../parts/facts.tsx';
import { change, currentState, type SignedInFan, type State } from '../state.ts';
import { grants } from '../tokens/token-set.ts';
import type { Sale } from './sale.ts';
import { TradePanel } from './trade-panel.tsx';

type Props = { config: PlaygroundConfig; state: State; fan: SignedInFan };

/** Puts a ticket of the fan up for sale, and takes it off the market again. */
export function ListStep({ config, state, fan }: Props) {
  const action = useAction();
  const { sale } = state;
  const tickets = fan.tickets?.tickets;
  const listed = sale.listed?.seller === fan.sub ? sale.listed : undefined;
  const ticket = tickets?.find(({ id }) => id === sale.ticketId) ?? tickets?.[0];
  const changeSale = (changes: Partial<Sale>) => change({ sale: { ...currentState().sale, ...changes } });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each fan
  useEffect(() => {
    if (tickets !== undefined || fan.tokens.revoked) return;
    void action.run('Tickets', async () => void (await fetchTickets(config, fan.sub)));
  }, [fan.sub]);

  return (
    <>
      <Sheet title="The ticket and its price">
        <p>
          The service holds the fan’s wallet, so only the service can sign a listing: build the transaction, have it
          signed, and submit it to the network. One button does all of it; below it is one button for each step.
        </p>
        {grants(fan.tokens, 'fan:listings:write') ? null : (
          <p class="note">This fan has not allowed fan:listings:write. Signing will be refused.</p>
        )}
        <Alert message={action.problem} />
        {tickets?.length === 0 ? <p>This fan has no tickets to list.</p> : null}
        <div class="fields">
          <div class="small-field grow">
            <label for="ticket">Ticket</label>
            <select
              id="ticket"
              value={ticket?.id}
              onChange={({ currentTarget }) =>
                changeSale({ ticketId: currentTarget.value, transactions: {}, claimed: undefined })
              }
            >
              {(tickets ?? []).map(({ id, event_name, ticket_type_name }) => (
                <option key={id} value={id}>
                  {event_name} · {ticket_type_name} · {id.slice(-6)}
                </option>
              ))}
            </select>
          </div>
          <div class="small-field">
            <label for="price">Price in SOL</label>
            <input
              id="price"
              type="text"
              inputMode="decimal"
              autocomplete="off"
              value={sale.price}
              onInput={({ currentTarget }) => changeSale({ price: currentTarget.value })}
            />
          </div>
        </div>
        <WalletLine sale={sale} />
      </Sheet>
      {ticket === undefined ? null : (
        <TradePanel
          title="List the ticket"
          config={config}
          trade={{ kind: 'list', ticket, price: sale.price, sub: fan.sub, seller: fan.sub }}
          built={sale.transactions.list}
          atOnce="List it"
        >
          {listed?.ticket.id === ticket.id ? (
            <p class="note">
              It is listed. <a href="#sell">Sell it to another fan</a>, or cancel the listing below.
            </p>
          ) : null}
        </TradePanel>
      )}
      {ticket === undefined ? null : (
        <TradePanel
          title="Cancel the listing"
          config={config}
          trade={{ kind: 'cancel', ticket, sub: fan.sub, seller: fan.sub }}
          built={sale.transactions.cancel}
          atOnce="Cancel it"
        />
      )}
    </>
  );
}

/** The partner's wallet on the test network. */
function WalletLine({ sale }: { sale: Sale }) {
  return (
    <p class="hint">
      {sale.wallet === undefined
        ? 'Your wallet pays the fees and is the marketplace. It is made and funded from the test network’s faucet when you build the first transaction.'
        : `Your wallet pays the fees and is the marketplace: ${sale.wallet.address}, ${sale.wallet.lamports / 1e9} SOL of the test network.`}
    </p>
  );
}
