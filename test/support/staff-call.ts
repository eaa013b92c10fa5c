import { execute, type GraphQLSchema, parse } from 'graphql';
import type { Call, Viewer } from '../../schema/context.ts';
import { schema } from '../../schema/schema.ts';
import { Staff } from '../../src/entities/staff.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { createContext } from '../../src/runtime.ts';
import type { TestApp } from './start-app.ts';

/** A member of staff who signed in just now. Each call makes another person. */
export async function newStaff(app: TestApp, role: StaffRole = 'admin'): Promise<SignedInStaff> {
  const { em, now } = app.context();
  const person = em.create(Staff, {
    issuer: 'https://staff.example',
    subject: crypto.randomUUID(),
    name: `Some ${role}`,
    role,
    createdAt: now(),
  });
  await em.flush();
  return { id: person.id, name: person.name, email: null, role, authenticatedAt: now(), scopes: null };
}

/** Runs a GraphQL document of the console as somebody, without HTTP. @throws the first error of the answer */
export function runAs<Data = Record<string, unknown>>(
  app: TestApp,
  viewer: Viewer | undefined,
  document: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  return runDocument(schema, app, viewer, document, variables) as Promise<Data>;
}

/** As `runAs`, of the console or of the workspace. */
export async function runDocument(
  schema: GraphQLSchema,
  app: TestApp,
  viewer: Viewer | undefined,
  document: string,
  variableValues: Record<string, unknown>,
): Promise<unknown> {
  const work = () =>
    createContext(app.runtime, crypto.randomUUID(), viewer && 'tokenId' in viewer ? viewer.tokenId : undefined);
  const contextValue: Call = { context: work(), work, viewer };
  const { data, errors } = await execute({ schema, document: parse(document), contextValue, variableValues });
  if (errors?.[0]) throw errors[0].originalError ?? errors[0];
  return data;
}

/** As `runAs`, for a document with one field: the answer is that field, of whatever shape the document asks for. */
export async function askAs(
  app: TestApp,
  viewer: Viewer | undefined,
  document: string,
  variables: Record<string, unknown> = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the members that its own document selects
): Promise<any> {
  return Object.values(await runAs(app, viewer, document, variables))[0];
}
