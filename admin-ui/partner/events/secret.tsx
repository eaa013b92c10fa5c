import { ShownOnce } from '../../kit/parts/shown-once.tsx';
import type { EndpointData } from './document.ts';

/** The secret of an endpoint, right after it was made. */
export function EndpointSecret({
  format,
  secret,
  onClose,
}: {
  format: EndpointData['format'];
  secret: string;
  onClose: () => void;
}) {
  const polls = format === 'SET_POLL';
  return (
    <ShownOnce
      title={polls ? 'The token of your endpoint' : 'The secret of your endpoint'}
      secret={secret}
      label={polls ? 'Token' : 'Secret'}
      advice={
        polls
          ? 'Copy it to your server. Polls send it as a bearer token.'
          : 'Copy it to your server. With it your server verifies the signature of each webhook.'
      }
      onClose={onClose}
    />
  );
}
