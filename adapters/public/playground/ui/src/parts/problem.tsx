import { Alert } from '../../../../../fan-pages/page-kit/parts/alert.tsx';

/** Why the last button of this part did not work. */
export function Problem({ message }: { message: string | undefined }) {
  return <Alert message={message} />;
}
