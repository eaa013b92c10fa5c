import { LINT_FIELDS } from '../../kit/client/use-edit.ts';
import { graphql } from '../data/graphql.ts';

/** Checks a registration with the service's rules, without registering it. */
export const LINT = graphql(`
  query LintRegistration($registration: ClientRegistration!) {
    lintRegistration(registration: $registration) { ${LINT_FIELDS} }
  }
`);
