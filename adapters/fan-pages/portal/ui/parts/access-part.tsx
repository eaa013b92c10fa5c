import { eventTime } from '../../../page-kit/tickets/event-time.ts';
import { countedTypes, type EventGroup, groupTickets } from '../../../page-kit/tickets/group-tickets.ts';
import type { Access, PortalApi, TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change } from '../use-access.ts';
import { ActionSwitches } from './action-switches.tsx';
import { ButtonFor } from './button-for.tsx';
import { FoldedList } from './folded-list.tsx';
import { Receipts } from './receipts.tsx';
import { TicketEditor } from './ticket-editor.tsx';

type Props = {
  clientName: string;
  access: Access;
  api: PortalApi;
  change: Change;
  /** Whether the app has others, which permit something else. */
  isPart: boolean;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
};

/** Sign-ins of an app that permit the same: what, for which tickets, since when. */
export function AccessPart({ clientName, access, api, change, isPart, isEditing, onEdit }: Props) {
  const { portal, locale, format } = usePortalWords();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const lastSignIn = date.format(new Date(access.lastSignIn));
  const signIns = access.grantIds.length;
  const title = format(portal.accessOf, { signIns, date: lastSignIn });
  const Heading = isPart ? 'h4' : 'h3';
  const subject = isPart ? `${clientName}, ${title}` : clientName;
  const unused = access.isUnused ? portal.unused : portal.notLately;
  const lastUse = access.lastUsedAt === null ? unused : date.format(new Date(access.lastUsedAt));
  const first = { term: portal.firstSignIn, text: date.format(new Date(access.firstSignIn)) };
  const last = { term: signIns === 1 ? portal.signedIn : portal.lastSignIn, text: lastSignIn };
  const count = { term: portal.signIns, text: signIns.toLocaleString(locale) };
  const facts = [
    // the title of a part tells the rest
    ...(isPart ? [] : signIns === 1 ? [last] : [count, last]),
    ...(signIns === 1 ? [] : [first]),
    { term: portal.lastUsed, text: lastUse },
  ];

  return (
    <section class={isPart ? 'access part' : 'access'}>
      {isPart ? <h3>{title}</h3> : null}
      <dl class="facts">
        {facts.map(({ term, text }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Heading class="label">{portal.may}</Heading>
        <ActionSwitches
          clientName={clientName}
          part={isPart ? title : undefined}
          access={access}
          api={api}
          change={change}
        />
      </div>
      <div>
        <Heading class="label">{portal.tickets}</Heading>
        {isEditing ? (
          <TicketEditor
            clientName={clientName}
            access={access}
            api={api}
            change={change}
            onClose={() => onEdit(false)}
          />
        ) : (
          <>
            {access.grantMode === 'selected' ? <GrantedTickets tickets={access.tickets} /> : <p>{portal.all}</p>}
            <ButtonFor subject={subject} text={portal.change} onClick={() => onEdit(true)} />
          </>
        )}
      </div>
      <Receipts access={access} subject={subject} />
    </section>
  );
}

/** The tickets that an app may act on, by event. */
function GrantedTickets({ tickets }: { tickets: readonly TicketOption[] }) {
  const { portal, format } = usePortalWords();
  if (tickets.length === 0) return <p>{portal.noTickets}</p>;
  return (
    <FoldedList
      look="granted"
      items={groupTickets(tickets)}
      keyOf={(group) => group.key}
      render={(group) => <GrantedEvent group={group} />}
      more={(events) => format(portal.moreEvents, { events })}
    />
  );
}

/** Seats have a type each: more than these are folded. */
const MOST_TYPES = 3;

function GrantedEvent({ group }: { group: EventGroup }) {
  const { portal, locale, format } = usePortalWords();
  const types = countedTypes(group.rows);
  const when = eventTime(group, locale);
  return (
    <>
      <strong>
        <bdi>{group.eventName}</bdi>
      </strong>
      {types.length > MOST_TYPES ? (
        <>
          <small>{when}</small>
          <details class="folded">
            <summary>{format(portal.manyTickets, { tickets: group.rows.length, first: types[0] ?? '' })}</summary>
            <small>
              <bdi>{types.join(', ')}</bdi>
            </small>
          </details>
        </>
      ) : (
        <small>
          {when} · <bdi>{types.join(', ')}</bdi>
        </small>
      )}
    </>
  );
}
