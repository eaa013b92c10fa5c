import { describeAction } from '../../../page-kit/texts/describe-action.ts';
import { eventTime } from '../../../page-kit/tickets/event-time.ts';
import { countedTypes, type EventGroup, groupTickets } from '../../../page-kit/tickets/group-tickets.ts';
import type { Access, Action, PortalApi, TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change } from '../use-access.ts';
import { actionsInLine } from './actions-in-line.ts';
import { ButtonFor } from './button-for.tsx';
import { FoldedList } from './folded-list.tsx';
import { TicketEditor } from './ticket-editor.tsx';

type Props = {
  clientName: string;
  access: Access;
  api: PortalApi;
  change: Change;
  /** Whether the app has further accesses, which permit something different. */
  isPart: boolean;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
};

/** Sign-ins of an app that permit the same: what, for which tickets, since when. */
export function AccessPart({ clientName, access, api, change, isPart, isEditing, onEdit }: Props) {
  const words = usePortalWords();
  const { portal, locale, format } = words;
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
    // the title of a part shows the rest
    ...(isPart ? [] : signIns === 1 ? [last] : [count, last]),
    ...(signIns === 1 ? [] : [first]),
    { term: portal.lastUsed, text: lastUse },
  ];

  const content = (
    <>
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
    </>
  );
  if (!isPart) return <section class="access">{content}</section>;
  const chosen =
    access.grantMode === 'selected' ? format(portal.someTickets, { tickets: access.tickets.length }) : portal.all;
  return (
    <details class="access part">
      <summary class="row-head">
        <h3>{title}</h3>
        <small>
          {actionsInLine([access], words)} · {chosen}
        </small>
      </summary>
      <div class="opened">{content}</div>
    </details>
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

/** Every seat may have a type of its own: more types than this are folded. */
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

/** The receipt of an access to keep: one to read, and the signed statement alone for programs. */
function Receipts({ access, subject }: { access: Access; subject: string }) {
  const { portal, locale } = usePortalWords();
  const [newest] = access.grantIds;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const links = [
    { text: portal.receipt, href: `receipts/${newest}.html?${new URLSearchParams({ locale, timeZone })}` },
    { text: portal.statement, href: `receipts/${newest}.jwt` },
  ];
  return (
    <div class="receipts">
      {links.map(({ text, href }) => (
        <a key={href} class="link" href={href} aria-label={`${text}: ${subject}`}>
          {text}
        </a>
      ))}
      {access.grantIds.length > 1 ? <small>{portal.latestReceipt}</small> : null}
    </div>
  );
}

type SwitchProps = {
  clientName: string;
  /** Which of the app's accesses it is; undefined where there is one. */
  part: string | undefined;
  access: Access;
  api: PortalApi;
  change: Change;
};

/** The actions of an app, each with its switch. Actions that were never allowed are not offered: the app has to ask for them. */
function ActionSwitches({ clientName: client, part, access, api, change }: SwitchProps) {
  const { portal, texts, format } = usePortalWords();
  const { grantIds, actions } = access;

  function turn(name: string, title: string, isOn: boolean): void {
    const action = name as Action;
    const off = {
      work: () => api.turnOff(grantIds, action),
      done: format(portal.turnedOff, { client, action: title }),
    };
    const on = { work: () => api.turnOn(grantIds, action), done: format(portal.turnedOn, { client, action: title }) };
    const [next, back] = isOn ? [off, on] : [on, off];
    void change(next.work, { text: next.done, undo: back });
  }

  return (
    <>
      {actions.some(({ isOn }) => isOn) ? null : <p>{portal.mayNothing}</p>}
      <ul class="actions">
        {actions.map(({ name, isOn }) => {
          const { title, detail } = describeAction(texts, name);
          return (
            <li key={name} class={isOn ? undefined : 'off'}>
              <span>
                <strong>
                  {title}
                  {isOn ? null : <em>{portal.off}</em>}
                </strong>
                <small>{detail}</small>
              </span>
              <ButtonFor
                subject={part === undefined ? title : `${title}, ${part}`}
                text={isOn ? portal.turnOff : portal.turnOn}
                onClick={() => turn(name, title, isOn)}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}
