import { describe, expect, it } from 'vitest';
import { createLog } from '../../../adapters/process/log.ts';

function logged(fields: object): Record<string, unknown> {
  const lines: string[] = [];
  createLog('trace', { write: (line) => void lines.push(line) }).error(fields, 'a message');
  const { level, time, pid, hostname, msg, ...rest } = JSON.parse(lines[0] ?? '');
  return rest;
}

describe('no object is logged whole', () => {
  it('of an error the log has type, message, code and places, of its causes too', () => {
    const cause = Object.assign(new TypeError('the cause'), { config: { auth: 's3cret' } });
    const error = Object.assign(new Error('the message', { cause }), {
      code: 'HPE_X',
      rawPacket: Buffer.from('s3cret'),
      response: { body: 's3cret' },
    });
    const { err, ...others } = logged({ err: error });
    expect(others).toEqual({});
    expect(err).toEqual({
      type: 'Error',
      message: 'the message',
      code: 'HPE_X',
      stack: expect.stringMatching(/^\s+at .*log\.test\.ts/),
      cause: { type: 'TypeError', message: 'the cause', stack: expect.stringMatching(/^\s+at /) },
    });
  });

  it('whatever the name of the field, and where the error is all that is logged', () => {
    const error = Object.assign(new Error('m'), { request: 's3cret' });
    expect(JSON.stringify(logged({ reason: error, other: [error] }))).not.toContain('s3cret');
    expect(JSON.stringify(logged(error))).not.toContain('s3cret');
  });

  it('of any other object, only the kind', () => {
    const fields = {
      headers: { authorization: 's3cret' },
      form: new URLSearchParams('code=s3cret'),
      bytes: Buffer.from('s3cret'),
      list: ['a', { token: 's3cret' }, ['s3cret']],
      call: () => 's3cret',
    };
    expect(logged(fields)).toEqual({
      headers: '[Object]',
      form: '[URLSearchParams]',
      bytes: '[Buffer]',
      list: ['a', '[Object]', '[Array]'],
      call: '[function]',
    });
  });

  it('plain values, times and lists of them stay', () => {
    const at = new Date(0);
    const fields = { text: 't', number: 1, yes: true, none: null, big: 2n, at, path: ['a', 0] };
    expect(logged(fields)).toEqual({ ...fields, big: '2', at: at.toJSON() });
  });

  it('PostgreSQL: a message without values, details and hints', () => {
    const unique = Object.assign(
      new Error(
        'duplicate key value violates unique constraint "fan_phone"\n - detail: Key (phone)=(+15550100) exists.',
      ),
      { code: '23505', detail: 'Key (phone)=(+15550100) already exists.', parameters: ['+15550100'] },
    );
    expect(logged({ err: unique }).err).toMatchObject({
      message: 'duplicate key value violates unique constraint "fan_phone"',
      code: '23505',
    });
    const malformed = Object.assign(new Error('invalid input syntax for type uuid: "s3c"ret"'), { code: '22P02' });
    expect(logged({ err: malformed }).err).toMatchObject({ message: 'invalid input syntax for type uuid: "…"' });
  });

  it('a SyntaxError of JSON.parse does not quote what it read', () => {
    const error = (() => {
      try {
        return JSON.parse('s3cret') as Error;
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(String(error)).toContain('s3cret');
    expect(JSON.stringify(logged({ err: error }))).not.toContain('s3cret');
  });

  it('an error that is its own cause, and one of many errors, end', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    const many = new AggregateError([new Error('one'), 'two'], 'many');
    expect(JSON.stringify(logged({ err: circle })).length).toBeLessThan(20_000);
    expect(logged({ err: many }).err).toMatchObject({ type: 'AggregateError', errors: [{ message: 'one' }] });
  });
});
