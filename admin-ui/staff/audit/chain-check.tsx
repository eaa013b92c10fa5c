import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconLink, IconLinkOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { call, type Failure } from '../../kit/data/call.ts';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { graphql } from '../data/graphql.ts';

const VERIFY = graphql(`
  query VerifyAudit($anchor: AuditHeadInput) {
    verifyAudit(anchor: $anchor) {
      checked waiting
      head { position hash }
      broken { position reason }
    }
  }
`);

const STATE = graphql(`
  query AuditCheck {
    auditCheck { running checked }
  }
`);

const REFRESH_MS = 1_000;

type Report = ResultOf<typeof VERIFY>['verifyAudit'];

/** Recomputes the hash chain of the log, which shows whether an entry was changed or removed. */
export function ChainCheck() {
  const [kept, setKept] = useState('');
  const anchor = anchorIn(kept);
  const isWrong = kept.trim() !== '' && anchor === null;
  const check = useMutation<Report, Failure>({ mutationFn: async () => (await call(VERIFY, { anchor })).verifyAudit });
  const [isWatched, setWatched] = useState(false);
  const { data } = useView('audit-check', STATE, {}, isWatched ? { refetchInterval: REFRESH_MS } : {});
  const state = data?.auditCheck;
  const isRunning = check.isPending || state?.running === true;
  // what others have started is followed too
  if (isWatched !== isRunning) setWatched(isRunning);

  return (
    <Section
      title="Verify the audit log"
      description="Each entry contains a hash of itself and the entry before it. Verifying recomputes every hash."
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Saved head (optional)"
          description="From an earlier check, or from the service’s log (“audit log sealed”). It proves that no entries were removed from the end since then."
          placeholder="position:hash"
          value={kept}
          error={isWrong ? 'Enter it as it was shown: a number, a colon and the hash.' : undefined}
          onChange={(event) => setKept(event.currentTarget.value)}
          className="grows"
          maw={520}
        />
        <Button
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          loading={isRunning}
          onClick={() => isWrong || check.mutate()}
        >
          Verify log
        </Button>
      </Group>
      <FailureAlert failure={check.error} title="The audit log could not be verified" />
      <div role="status">
        {isRunning && <Text size="sm">{progressIn(state?.checked ?? null)}</Text>}
        {!isRunning && check.data && <Result report={check.data} />}
      </div>
    </Section>
  );
}

function progressIn(checked: number | null): string {
  return `The log is being verified${checked === null ? '' : `: ${checked.toLocaleString('en')} entries so far`}.`;
}

function Result({ report: { checked, waiting, head, broken } }: { report: Report }) {
  if (broken) {
    return (
      <Alert color="red" variant="light" icon={<IconLinkOff aria-hidden />} title="The audit log was altered">
        <Text size="sm">
          At entry {broken.position}: {broken.reason}. {checked.toLocaleString('en')} entries before it are intact.
          Preserve a copy of the database and tell your security team.
        </Text>
      </Alert>
    );
  }
  return (
    <Alert color="ticket" variant="light" icon={<IconCircleCheck aria-hidden />} title="The audit log is intact">
      <Stack gap="xs">
        <Text size="sm">
          {checked.toLocaleString('en')} entries verified, {waiting.toLocaleString('en')} from the last minute not yet
          sealed. Save the head outside this system: with it, a later check proves that no entries were removed from the
          end.
        </Text>
        {head && <CopyText labelled label="Head" text={`${head.position}:${head.hash}`} />}
      </Stack>
    </Alert>
  );
}

function anchorIn(text: string): { position: string; hash: string } | null {
  const [, position, hash] = /^(\d{1,18}):(\S{1,100})$/.exec(text.trim()) ?? [];
  return position === undefined || hash === undefined ? null : { position, hash };
}
