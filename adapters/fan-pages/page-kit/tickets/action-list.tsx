import { Choice } from '../parts/choice.tsx';
import { describeAction } from '../texts/describe-action.ts';
import { useTexts } from '../texts/words.ts';

type Props = {
  /** Scope names, such as `fan:tickets:read`. */
  offered: readonly string[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** A copy of the set with one member added or removed. */
export function toggled(set: ReadonlySet<string>, member: string): ReadonlySet<string> {
  const copy = new Set(set);
  if (!copy.delete(member)) copy.add(member);
  return copy;
}

/** The actions in the fan's language, those that only read before those that act in the fan's name. */
export function ActionList({ offered, chosen, onChange }: Props) {
  const texts = useTexts();
  const described = offered.map((action) => ({ action, ...describeAction(texts, action) }));
  return (
    <>
      {(['see', 'act'] as const).map((kind) => {
        const ofKind = described.filter((entry) => entry.kind === kind);
        return ofKind.length === 0 ? null : (
          <fieldset key={kind} class="choices" aria-describedby={kind === 'act' ? 'act-detail' : undefined}>
            <legend>{texts.consent[kind]}</legend>
            {kind === 'act' ? (
              <p id="act-detail" class="hint">
                {texts.consent.actDetail}
              </p>
            ) : null}
            {ofKind.map(({ action, mark, title, detail }) => (
              <Choice
                key={action}
                id={action}
                title={title}
                detail={detail}
                mark={mark}
                type="checkbox"
                checked={chosen.has(action)}
                onChange={() => onChange(toggled(chosen, action))}
              />
            ))}
          </fieldset>
        );
      })}
    </>
  );
}
