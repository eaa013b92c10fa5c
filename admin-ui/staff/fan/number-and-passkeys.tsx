import { TextInput } from '@mantine/core';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/dialog.tsx';
import { LinkButton, Section } from '../../kit/parts/page.tsx';
import { Facts, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useProposed } from '../proposal/proposals.tsx';
import type { FanData } from './fan-document.ts';

const REMOVE_PASSKEY = graphql(`
  mutation RemovePasskey($passkeyId: ID!, $reason: String!) {
    removePasskey(passkeyId: $passkeyId, reason: $reason) { ${REFUSAL} ... on Fan { id } }
  }
`);

const CHANGE_NUMBER = graphql(`
  mutation ProposeNumberChange($fanId: ID!, $phone: String!, $reason: String!) {
    proposeNumberChange(fanId: $fanId, phone: $phone, reason: $reason) { ${REFUSAL} ... on Proposal { id } }
  }
`);

interface Props {
  fan: FanData;
  /** A proposal about the fan that has not ended. */
  openProposal: string | undefined;
}

const REASONS = {
  NEW_ACCOUNT: 'its holder began a new account',
  CHANGED_BY_FAN: 'changed by the fan',
  CHANGED_BY_SUPPORT: 'changed by support',
} as const;

/** How a fan signs in: proofs of the number, numbers before, and passkeys. */
export function NumberAndPasskeys({ fan, openProposal }: Props) {
  const { formerNumbers, passkeys } = fan;
  return (
    <Section
      title="Sign-in"
      actions={
        fan.mode === 'SANDBOX' ? undefined : openProposal === undefined ? (
          <ChangeNumber fanId={fan.id} />
        ) : (
          <LinkButton href={`/proposals/${openProposal}`}>Open proposal</LinkButton>
        )
      }
    >
      <Facts
        of={{
          'Number proved': <Proof {...fan} />,
          'Former numbers':
            formerNumbers.length === 0
              ? 'none'
              : formerNumbers.map(({ phone, givenUpAt, reason }) => (
                  <div key={givenUpAt}>
                    {phone}, until <Moment at={givenUpAt} />: {REASONS[reason]}
                  </div>
                )),
          Passkeys:
            passkeys.length === 0 ? 'none' : passkeys.map((passkey) => <PasskeyLine key={passkey.id} {...passkey} />),
        }}
      />
    </Section>
  );
}

function Proof({ numberProvedAt, numberVouchedAt, numberIsOld }: Props['fan']) {
  return (
    <span className="line-start">
      {numberProvedAt === null ? 'never' : <Moment at={numberProvedAt} />}
      {(numberProvedAt ?? '') < numberVouchedAt && (
        <>
          ; named by the company <Moment at={numberVouchedAt} />
        </>
      )}
      {numberIsOld && <StateMark tone="waiting">asks for more than a code</StateMark>}
    </span>
  );
}

function PasskeyLine({ id, name, createdAt, lastUsedAt }: Props['fan']['passkeys'][number]) {
  const remove = useChange(REMOVE_PASSKEY);
  return (
    <div className="line-start">
      <span>
        {name}, added <Moment at={createdAt} />,{' '}
        {lastUsedAt === null ? (
          'not used yet'
        ) : (
          <>
            used <Moment at={lastUsedAt} />
          </>
        )}
      </span>
      <ConfirmButton
        size="compact-sm"
        right="grants:revoke"
        title="Remove the passkey"
        confirmLabel="Remove"
        reason={{
          label: 'Reason',
          description: 'Your name and this reason are added to the audit log.',
          placeholder: 'Case 4711: the fan lost the phone',
        }}
        run={async (reason) => {
          await remove.mutateAsync({ passkeyId: id, reason });
        }}
      >
        It signs nobody in any more. The fan can add another after a sign-in by code.
      </ConfirmButton>
    </div>
  );
}

/** Proposes another number, which its holder has proved. */
function ChangeNumber({ fanId }: { fanId: string }) {
  const propose = useChange(CHANGE_NUMBER);
  const proposed = useProposed();
  return (
    <ConfirmButton
      right="proposals:write"
      label="Change the number"
      title="Change the fan’s number"
      confirmLabel="Propose"
      failureTitle="Nothing was proposed"
      field={{
        input: (props) => (
          <TextInput
            label="New number"
            description="With its country code. First the fan signs in to an app with it once, and allows nothing: that proves the number."
            type="tel"
            required
            autoComplete="off"
            data-autofocus
            {...props}
          />
        ),
        check: (phone) => (phone === '' ? 'Enter the new number.' : null),
      }}
      reason={{ label: 'Reason', description: 'How you know that it was the fan. It is added to the audit log.' }}
      run={async (reason, phone) => proposed(await propose.mutateAsync({ fanId, phone, reason }))}
    />
  );
}
