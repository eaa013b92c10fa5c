import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { StarterKitButton } from '../../kit/sandbox/starter-kit.tsx';
import { graphql } from '../data/graphql.ts';

const CREATE_STARTER_KIT = graphql(`
  mutation CreateStarterKit($clientId: ID!, $requestKey: String!) {
    createStarterKit(clientId: $clientId, requestKey: $requestKey) { ${REFUSAL} ... on StarterKit { id } }
  }
`);

interface MakeStarterKitProps {
  clientId: string;
  variant?: 'filled' | 'default';
  children?: string;
}

/** Makes a starter kit and opens it. */
export function MakeStarterKit(props: MakeStarterKitProps) {
  return <StarterKitButton create={useChange(CREATE_STARTER_KIT)} {...props} />;
}
