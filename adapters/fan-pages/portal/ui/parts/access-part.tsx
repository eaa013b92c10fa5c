import { describeAction } from '../../../page-kit/texts/describe-action.ts';
import type { Access, Action } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Controls } from '../use-sales.ts';
import { actionsInLine } from './actions-in-line.ts';
import { ButtonFor } from './button-for.tsx';
import { EventList } from './event-list.tsx';
import { TicketEditor } from './ticket-editor.tsx';

type Props = Controls & {
  clientName: string;
  access: Access;
  /** Whether the app has further accesses, which permit something different. */
  isPart: boolean;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
};

/** Sign-ins of an app that permit the same: what, for which tickets, since when. */
export function AccessPart({ isPart, isEditing, onEdit, ...controls }: Props) {
  const { clientName, access } = controls;
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
        <ActionSwitches {...controls} part={isPart ? title : undefined} />
      </div>
      <div>
        <Heading class="label">{portal.tickets}</Heading>
        {isEditing ? (
          <TicketEditor {...controls} onClose={() => onEdit(false)} />
        ) : (
          <>
            {access.grantMode === 'all_current_future' ? (
              <p>{portal.all}</p>
            ) : access.tickets.length === 0 ? (
              <p>{portal.noTickets}</p>
            ) : (
              <EventList tickets={access.tickets} />
            )}
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

/** The action without which an app sells nothing more. */
const SELLING: Action = 'fan:listings:write';

type SwitchProps = Omit<Props, 'isPart' | 'isEditing' | 'onEdit'> & {
  /** Which of the app's accesses it is; undefined where there is one. */
  part: string | undefined;
};

/** The actions of an app, each with its switch. Actions that were never allowed are not offered: the app has to ask for them. */
function ActionSwitches({ clientName: client, part, access, api, change, takeAway }: SwitchProps) {
  const { portal, texts, format } = usePortalWords();
  const { grantIds, actions } = access;

  function turn(name: string, title: string, isOn: boolean): void {
    const action = name as Action;
    const say = (text: typeof portal.turnedOn) => format(text, { client, action: title });
    const on = { work: () => api.turnOn(grantIds, action), done: say(portal.turnedOn) };
    if (!isOn) {
      // what was left on sale stays so
      const off = { work: () => api.turnOff(grantIds, action, true), done: say(portal.turnedOff) };
      void change(on.work, { text: on.done, undo: off });
      return;
    }
    void takeAway({
      grantIds: action === SELLING ? grantIds : [],
      title: say(portal.sales.turnOffTitle),
      confirm: portal.turnOff,
      work: (keepsSales) => api.turnOff(grantIds, action, keepsSales),
      done(tickets) {
        const off = say(portal.turnedOff);
        return { text: tickets === 0 ? off : `${off} ${format(portal.sales.notUndone, { tickets })}`, undo: on };
      },
    });
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
