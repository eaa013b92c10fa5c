import { WaitingPermit } from '../src/entities/issuing.ts';
import { builder } from './builder.ts';
import { rowBy } from './loaders.ts';
import { PermitType } from './permit.ts';

const WaitingPermitType = builder.objectRef<WaitingPermit>('WaitingPermit').implement({
  description: 'A permit that is to be issued onchain, or whose issue is not final.',
  fields: (t) => ({
    since: t.expose('since', { type: 'DateTime' }),
    isSetAside: t.boolean({
      description: 'Whether the cluster refused it. It is tried again apart from other permits.',
      resolve: ({ tries, signature }) => tries > 0 && signature === null,
    }),
    tries: t.exposeInt('tries', { description: 'Refusals so far.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was refused last.' }),
    retryAt: t.expose('retryAt', { type: 'DateTime', description: 'The next try.' }),
    transaction: t.string({
      nullable: true,
      description: 'Signature of the transaction that issues it, while that one is on its way or not final.',
      resolve: ({ signature }) => signature,
    }),
  }),
});

builder.objectField(PermitType, 'waiting', (t) =>
  t.loadable({
    type: WaitingPermitType,
    description: 'Its place in the queue of permits to issue; null outside of it.',
    ...rowBy(WaitingPermit, 'permit'),
  }),
);
