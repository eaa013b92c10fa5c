import { type AuthorizationSession, SESSION_STEPS } from '../src/entities/authorization-session.ts';
import { builder, enumOf } from './builder.ts';
import { ClientType } from './client.ts';

const LoginStepType = enumOf('LoginStep', SESSION_STEPS);

export const LoginSessionType = builder.objectRef<AuthorizationSession>('LoginSession').implement({
  description: 'One run of the authorization endpoint. Kept for a while after its end.',
  fields: (t) => ({
    id: t.exposeID('id'),
    client: t.field({ type: ClientType, resolve: (session) => session.client.id }),
    step: t.expose('step', { type: LoginStepType, description: 'How far the fan has come.' }),
    scope: t.exposeString('scope'),
    redirectUri: t.exposeString('redirectUri'),
    wrongTries: t.exposeInt('wrongTries', { description: 'Wrong codes.' }),
    codesSent: t.exposeInt('codesSent'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    authenticatedAt: t.expose('authenticatedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});
