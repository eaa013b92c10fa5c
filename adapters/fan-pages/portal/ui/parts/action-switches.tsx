import { describeAction } from '../../../page-kit/texts/describe-action.ts';
import type { Access, Action, PortalApi } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change } from '../use-access.ts';
import { ButtonFor } from './button-for.tsx';

type Props = {
  clientName: string;
  /** Which of the app's accesses it is; undefined where there is one. */
  part: string | undefined;
  access: Access;
  api: PortalApi;
  change: Change;
};

/** What an app may do, each with its switch. What was never allowed is not offered: for that the app has to ask. */
export function ActionSwitches({ clientName: client, part, access, api, change }: Props) {
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
