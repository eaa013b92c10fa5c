import { NoSymbolIcon } from '@heroicons/react/24/outline';
import { Alert, Stack, Text } from '@mantine/core';
import { useDisabledReason } from '../../kit/data/person.ts';
import { useChange, useView } from '../../kit/data/view.ts';
import { ConfirmDialog, DialogButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Small } from '../../kit/parts/text.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { SET } from '../kill-switch/kill-switches.tsx';
import type { ClientData } from './document.ts';

const SALES = graphql(`
  query ClientSales($id: ID!) { client(id: $id) { id saleCount salesEndSince grantCount } }
`);

const REFRESH_MS = 3_000;

/** What is left to do, in words: `12 tickets on sale and 3 active grants`. */
function inWords({ saleCount, grantCount }: { saleCount: number; grantCount: number }): string {
  const counted = (count: number, one: string, more: string) =>
    `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
  return `${counted(saleCount, 'ticket on sale', 'tickets on sale')} and ${counted(grantCount, 'active grant', 'active grants')}`;
}

/** While what a client put on sale is taken off sale: how much is left. */
export function SalesProgress({ client }: { client: ClientData }) {
  const isUnderWay = client.salesEndSince !== null;
  const view = useView('client-sales', SALES, { id: client.id }, { enabled: isUnderWay, refetchInterval: REFRESH_MS });
  const sales = view.data?.client;
  if (!isUnderWay || !sales || sales.salesEndSince === null) return null;
  return (
    <Alert variant="default" icon={<NoSymbolIcon />} title="Being taken off sale" role="status">
      Since <Moment at={sales.salesEndSince} />. Left: {inWords(sales)}.
    </Alert>
  );
}

/** For a client whose keys or tokens leaked: stops it, ends its grants and takes off sale what it put on sale, in one step. */
export function StopAndTakeOffSale({ client }: { client: ClientData }) {
  const obstacle = useDisabledReason('switches:write');
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <strong>Stop and take off sale</strong> where its keys or tokens leaked: the kill switch is set, every grant
        ends, and each ticket that it put on sale is taken off sale. Fans have to sign in again afterwards.
      </Text>
      <DialogButton
        size="xs"
        variant="filled"
        color="red.9"
        disabledReason={obstacle}
        fresh
        dialog={(close) => <StopDialog client={client} onClose={close} />}
      >
        Stop and take off sale
      </DialogButton>
      {obstacle !== undefined && <Small>{obstacle}</Small>}
    </Stack>
  );
}

function StopDialog({ client, onClose }: { client: ClientData; onClose: () => void }) {
  const stop = useChange(SET);
  const view = useView('client-sales', SALES, { id: client.id });
  const sales = view.data?.client;
  return (
    <ConfirmDialog
      title={`Stop ${client.name} and take off sale`}
      confirmLabel="Stop and take off sale"
      dangerous
      isWaiting={!sales}
      reason={{
        label: 'Reason',
        description: 'All staff see it while this is stopped, and it is added to the audit log.',
      }}
      run={async (reason) => {
        await stop.mutateAsync({ kind: 'CLIENT', subject: client.id, reason, endsSales: true, endsGrants: true });
        notify(`${client.name} is stopped. Its tickets are being taken off sale.`);
      }}
      onClose={onClose}
    >
      <FailureAlert failure={view.error} title="Its sales could not be counted" retry={view.refetch} />
      {sales && <>It has {inWords(sales)}. All of them end. </>}
      This can’t be undone: once the kill switch is lifted, fans have to sign in again, and nothing is put back on sale.
      A sale that goes through first stands.
    </ConfirmDialog>
  );
}
