import { change } from '../state.ts';
import type { Call } from './call.ts';
import { CallView } from './call-view.tsx';

/** Every call of this tab, newest first; the newest is open. */
export function CallList({ calls }: { calls: Call[] }) {
  return (
    <section class="calls" aria-labelledby="calls">
      <div class="heading">
        <h2 id="calls">Requests and answers</h2>
        {calls.length === 0 ? null : (
          <button type="button" class="small button" onClick={() => change({ calls: [] })}>
            Clear the list
          </button>
        )}
      </div>
      {calls.length === 0 ? (
        <p class="hint">Each call that a step makes is shown here with its answer, ready to be copied.</p>
      ) : (
        <ol>
          {calls.map((call, index) => (
            <li key={call.id}>
              <CallView call={call} open={index === 0} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
