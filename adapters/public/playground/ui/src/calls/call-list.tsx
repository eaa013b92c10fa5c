import { useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button.tsx';
import { ScrollBox } from '../parts/table.tsx';
import { change } from '../state.ts';
import { type Call, type CallAnswer, errorCodeOf, helpLinkOf } from './call.ts';
import { readableBody, shortenHeader } from './shorten.ts';
import { asCurl, asTypeScript } from './write-code.ts';

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

/** One request with its answer, folded to a line until it is opened. */
function CallView({ call, open }: { call: Call; open: boolean }) {
  const { title, request, answer } = call;
  return (
    <details class="call" open={open} data-call={call.id}>
      <summary>
        <span class={badgeOf(call)}>{answer?.status ?? (call.failure === undefined ? '…' : 'lost')}</span>
        <span class="call-title">{title}</span>
        <span class="call-line">
          {request.method} {pathOf(request.url)}
        </span>
        <span class="call-time">{answer === undefined ? '' : `${answer.ms} ms`}</span>
      </summary>
      <div class="call-body">
        <div class="controls">
          <CopyButton label="Copy as curl" text={() => asCurl(request)} />
          <CopyButton label="Copy as TypeScript" text={() => asTypeScript(request)} />
        </div>
        <Part
          title="Request"
          first={`${request.method} ${request.url}`}
          headers={request.headers}
          body={request.body}
        />
        {call.failure === undefined ? null : <p class="failure">No answer: {call.failure}</p>}
        {answer === undefined ? null : <Answer call={call} answer={answer} />}
      </div>
    </details>
  );
}

function Answer({ call, answer }: { call: Call; answer: CallAnswer }) {
  const code = errorCodeOf(answer);
  const help = helpLinkOf(answer, call.request.url);
  const requestId = answer.headers['x-request-id'];
  return (
    <>
      <dl class="answer-facts">
        {code === undefined ? null : (
          <>
            <dt>Error code</dt>
            <dd>
              {help === undefined ? (
                <code>{code}</code>
              ) : (
                <a href={help} target="_blank" rel="noreferrer">
                  {code}: cause and fix
                </a>
              )}
            </dd>
          </>
        )}
        {requestId === undefined ? null : (
          <>
            <dt>X-Request-Id</dt>
            <dd>
              <code>{requestId}</code> <CopyButton label="Copy" name="Copy X-Request-Id" text={() => requestId} />
            </dd>
          </>
        )}
      </dl>
      <Part
        title="Answer"
        first={`${answer.status}, ${answer.ms} ms, at ${call.at.slice(11, 19)} UTC`}
        headers={answer.headers}
        body={answer.body}
      />
    </>
  );
}

type PartProps = {
  title: string;
  first: string;
  headers: Record<string, string>;
  body: string | undefined;
};

/** A request or an answer: its first line, header fields and body. */
function Part({ title, first, headers, body }: PartProps) {
  const [isWhole, setWhole] = useState(false);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const short = readableBody(body ?? '', type, false);
  const whole = readableBody(body ?? '', type, true);
  return (
    <section class="message" aria-label={title}>
      <h3>{title}</h3>
      <p class="first-line">{first}</p>
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {shortenHeader(value)}
              {shortenHeader(value) === value ? null : (
                <>
                  {' '}
                  <CopyButton label="Copy whole" name={`Copy whole ${name}`} text={() => value} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {body === undefined || body === '' ? (
        <p class="hint">No body.</p>
      ) : (
        <>
          <ScrollBox class="code-box" label={`Body of the ${title.toLowerCase()}`}>
            <pre>{isWhole ? whole : short}</pre>
          </ScrollBox>
          <div class="controls">
            <CopyButton label="Copy body" text={() => body} />
            {whole === short ? null : (
              <button type="button" class="small button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
                Show long values
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function badgeOf({ answer, failure }: Call): string {
  if (answer === undefined) return failure === undefined ? 'badge waiting' : 'badge bad';
  return answer.status < 400 ? 'badge good' : 'badge bad';
}

function pathOf(url: string): string {
  const { pathname, search, host } = new URL(url);
  return pathname === '/' ? host : `${pathname}${search}`;
}
