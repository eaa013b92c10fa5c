import { LinkButton } from '../parts/view-link.tsx';

/** From a list that is filtered by a partner to the reset of its sandbox. */
export function SandboxLinks({ partnerId }: { partnerId: string }) {
  if (partnerId === '') return null;
  return <LinkButton href={`/partners/${partnerId}/reset-sandbox`}>Reset sandbox</LinkButton>;
}
