import { type ASTVisitor, GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Words and signs of a document; the console's largest has a fifth of it. */
const MAX_TOKENS = 2_500;

/** Fields under another name; the console has a handful. */
const MAX_ALIASES = 30;

/**
 * Refuses what a document may not be before anything of it runs: too long, the same field many times over, and in
 * production whatever tells of the schema. What a query may cost is the schema's own rule (`schema/builder.ts`).
 */
export function documentLimits(production: boolean): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source: string, options?: object) => parseFn(source, { ...options, maxTokens: MAX_TOKENS }));
    },
    onValidate({ validateFn, setValidationFn, addValidationRule }) {
      addValidationRule(fewAliases);
      if (!production) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((...[of, document, rules]: Parameters<typeof validateFn>) =>
        validateFn(of, document, rules, { hideSuggestions: true }),
      );
    },
  };
}

function fewAliases(context: ValidationContext): ASTVisitor {
  let aliases = 0;
  return {
    Field(node) {
      if (node.alias === undefined) return;
      aliases += 1;
      if (aliases === MAX_ALIASES + 1) {
        context.reportError(new GraphQLError(`A document may have ${MAX_ALIASES} aliases.`, { nodes: [node] }));
      }
    },
  };
}
