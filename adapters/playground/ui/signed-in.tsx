import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useCountdown } from '../../page-kit/use-countdown.ts';
import { type Partner, type TicketList, TOKEN_FIELDS, type Tokens } from './partner.ts';

type Props = {
  partner: Partner;
  tokens: Tokens;
  run: (step: () => Promise<void>) => Promise<void>;
  onTokens: (tokens: Tokens | undefined) => void;
};

/** After the sign-in: the fan's tickets, the token response, userinfo, and the calls of a partner. */
export function SignedIn({ partner, tokens, run, onTokens }: Props) {
  const [list, setList] = useState<TicketList>();
  const [userinfo, setUserinfo] = useState<Record<string, unknown>>();
  const [isRevoked, setRevoked] = useState(false);

  const loadTickets = () => run(async () => setList(await partner.tickets(tokens)));
  const refresh = () => run(async () => onTokens(await partner.refresh(tokens)));
  const revoke = () =>
    run(async () => {
      await partner.revoke(tokens);
      setRevoked(true);
    });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per token response, by which this component is keyed
  useEffect(() => {
    void run(async () => {
      setUserinfo(await partner.userinfo(tokens));
      setList(await partner.tickets(tokens));
    });
  }, []);

  return (
    <>
      <section class="sheet" aria-labelledby="tickets">
        <div class="heading">
          <h2 id="tickets">Tickets</h2>
          <TokenState expiresAt={tokens.accessTokenExpiresAt} isRevoked={isRevoked} />
        </div>
        {list === undefined ? null : <TicketTable list={list} />}
        <div class="controls">
          <button type="button" class="button primary" onClick={loadTickets}>
            Load tickets
          </button>
          <button type="button" class="button" onClick={refresh}>
            Refresh tokens
          </button>
          <button type="button" class="button" onClick={revoke}>
            Revoke
          </button>
          <button type="button" class="button" onClick={() => onTokens(undefined)}>
            Clear and start over
          </button>
        </div>
      </section>
      <Facts title="Token response">
        {TOKEN_FIELDS.filter((name) => name in tokens.response).map((name) => (
          <Fact key={name} name={name} value={tokens.response[name]} />
        ))}
      </Facts>
      {userinfo === undefined ? null : (
        <Facts title="Userinfo">
          {Object.entries(userinfo).map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
        </Facts>
      )}
    </>
  );
}

function TokenState({ expiresAt, isRevoked }: { expiresAt: string; isRevoked: boolean }) {
  const seconds = useCountdown(expiresAt, Date.now);
  if (isRevoked) return <p role="status">Revoked. Loading tickets or refreshing is refused from now on.</p>;
  if (seconds === 0) return <p>The access token has expired. Refresh it.</p>;
  return <p>The access token is valid for {seconds} s.</p>;
}

function Facts({ title, children }: { title: string; children: ComponentChildren }) {
  const id = title.replace(' ', '-').toLowerCase();
  return (
    <section class="sheet" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl class="facts">{children}</dl>
    </section>
  );
}

/** Values longer than this, the signed tokens, are folded. */
const FOLD_ABOVE = 120;

function Fact({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {text.length <= FOLD_ABOVE ? (
          text
        ) : (
          <details>
            <summary>
              {text.slice(0, 24)}… ({text.length} characters)
            </summary>
            {text}
          </details>
        )}
      </dd>
    </>
  );
}

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** The fan's tickets as `GET /tickets` gives them. */
function TicketTable({ list }: { list: TicketList }) {
  if (list.tickets.length === 0) return <p>The fan {list.user_id} has not granted any upcoming tickets.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label="Tickets of the fan">
      <table>
        <caption>
          {list.tickets.length} of {list.user_id}
        </caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Ticket type</th>
            <th scope="col">Purchased</th>
            <th scope="col">Ticket</th>
            <th scope="col">Onchain ticket</th>
          </tr>
        </thead>
        <tbody>
          {list.tickets.map((ticket) => (
            <tr key={ticket.id}>
              <th scope="row">{ticket.event_name}</th>
              <td>{ticket.ticket_type_name}</td>
              <td>{dateFormat.format(new Date(ticket.purchase_date))}</td>
              <td class="id">{ticket.id}</td>
              <td class="id">{ticket.tix_ticket_id}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
