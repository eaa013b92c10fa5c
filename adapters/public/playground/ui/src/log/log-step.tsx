import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';
import type { RecentRequest } from '../../../recent-requests.ts';
import { HOME_URL } from '../config.ts';
import { Sheet } from '../parts/facts.tsx';
import { Table } from '../parts/table.tsx';
import type { State } from '../state.ts';

const EVERY_MS = 2_000;

/** The service's own log of this client's requests, as it grows. */
export function LogStep({ state }: { state: State }) {
  const [requests, setRequests] = useState<RecentRequest[]>();
  const [problem, setProblem] = useState<string>();
  const [isPaused, setPaused] = useState(false);
  const [search, setSearch] = useState('');

  useEffect(() => {
    if (isPaused) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function read(): Promise<void> {
      // a page in the background asks for nothing
      if (document.visibilityState === 'visible') {
        const found = await fetchRequests(abort.signal).catch((error: unknown) => String(error));
        if (abort.signal.aborted) return;
        if (typeof found === 'string') setProblem(`The request log can not be read at the moment. ${found}`);
        else {
          setRequests(found);
          setProblem(undefined);
        }
      }
      timer = setTimeout(() => void read(), EVERY_MS);
    }
    void read();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [isPaused]);

  const own = new Set(state.calls.map(({ answer }) => answer?.headers['x-request-id']));
  const wanted = search.trim().toLowerCase();
  const shown = (requests ?? []).filter((entry) => wanted === '' || textOf(entry).includes(wanted));
  return (
    <Sheet title="Request log">
      <p>
        What the service has recorded of this client: the last 50 requests, without bodies, newest first. A request
        whose token could not be verified belongs to no client and is not here.
      </p>
      <Alert message={problem} />
      <div class="controls">
        <button type="button" class="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
        <div class="small-field grow">
          <label for="log-search">Search</label>
          <input
            id="log-search"
            type="search"
            placeholder="request id, path, code"
            autocomplete="off"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </div>
      </div>
      {requests === undefined ? <p role="status">One moment</p> : <LogTable requests={shown} own={own} />}
    </Sheet>
  );
}

/** Reads the newest requests of the playground's client. @throws Error where they can not be read */
async function fetchRequests(signal: AbortSignal): Promise<RecentRequest[]> {
  const response = await fetch(`${HOME_URL}requests.json`, { signal });
  if (!response.ok) throw new Error(`requests.json: ${response.status}`);
  return ((await response.json()) as { requests: RecentRequest[] }).requests;
}

function textOf({ id, label, status, outcome, message }: RecentRequest): string {
  return `${id} ${label} ${status} ${outcome} ${message ?? ''}`.toLowerCase();
}

type TableProps = { requests: RecentRequest[]; own: Set<string | undefined> };

function LogTable({ requests, own }: TableProps) {
  if (requests.length === 0) return <p>No requests.</p>;
  return (
    <Table label="Requests of this client" class="log" columns={['Time, UTC', 'Request', 'Status', 'Time taken']}>
      {requests.map((entry) => (
        <tr key={entry.id}>
          <td class="nowrap">{entry.at.slice(11, 19)}</td>
          <td>
            <strong>{entry.label}</strong>
            {own.has(entry.id) ? <span class="tag">this tab</span> : null}
            <small class="log-title">{entry.title}</small>
            {entry.message === null ? null : <small>{entry.message}</small>}
            {entry.fix === null ? null : <small class="fix">{entry.fix}</small>}
            <small class="id">{entry.id}</small>
          </td>
          <td>
            <span class={entry.status < 400 && entry.outcome === 'ok' ? 'badge good' : 'badge bad'}>
              {entry.status}
            </span>
            {entry.outcome === 'ok' ? null : <code class="log-code">{entry.outcome}</code>}
          </td>
          <td class="nowrap">{entry.duration_ms} ms</td>
        </tr>
      ))}
    </Table>
  );
}
