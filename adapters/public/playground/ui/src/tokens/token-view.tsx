import { useEffect, useState } from 'preact/hooks';
import type { PlaygroundConfig } from '../config.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { CheckList, Sheet } from '../parts/facts.tsx';
import { Member, Table } from '../parts/table.tsx';
import type { Check } from '../sign-in/check-callback.ts';
import { describeClaim } from './claim-texts.ts';
import { decodeToken } from './decode-token.ts';
import { publishedKeys } from './published-keys.ts';
import { type Expectation, verifyToken } from './verify-token.ts';

type Props = { title: string; token: string; config: PlaygroundConfig; expected: Expectation };

/** A signed token: how its checks went, its header, and its claims with what they mean. */
export function TokenView({ title, token, config, expected }: Props) {
  const [checks, setChecks] = useState<Check[]>();
  const [problem, setProblem] = useState<string>();
  const wanted = JSON.stringify(expected);
  useEffect(() => {
    let isCurrent = true;
    publishedKeys(config, token)
      .then((keys) => verifyToken(token, keys, JSON.parse(wanted) as Expectation))
      .then(
        (found) => isCurrent && setChecks(found),
        (error: unknown) => isCurrent && setProblem(String(error)),
      );
    return () => {
      isCurrent = false;
    };
  }, [config, token, wanted]);

  const decoded = decodeToken(token);
  return (
    <Sheet title={title}>
      {problem === undefined ? null : <p class="failure">It could not be verified. {problem}</p>}
      {checks === undefined ? null : <CheckList label={`Checks of ${title}`} checks={checks} />}
      {decoded === undefined ? null : (
        <>
          <Members title={title} label="Header" members={decoded.header as Record<string, unknown>} />
          <Members title={title} label="Claims" members={decoded.payload} />
        </>
      )}
      <div class="controls">
        <CopyButton label="Copy the token" name={`Copy the token: ${title}`} text={() => token} />
      </div>
    </Sheet>
  );
}

function Members({ title, label, members }: { title: string; label: string; members: Record<string, unknown> }) {
  return (
    <Table label={`${label}: ${title}`} caption={label} columns={['Name', 'Value', 'Meaning']} class="members">
      {Object.entries(members).map(([name, value]) => (
        <Member
          key={name}
          name={name}
          value={typeof value === 'string' ? value : JSON.stringify(value)}
          note={describeClaim(name, value)}
        />
      ))}
    </Table>
  );
}
