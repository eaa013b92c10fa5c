import { Stack, Text } from '@mantine/core';
import { ConfirmDialog } from '../../kit/parts/confirm-dialog.tsx';
import type { ClientData, ReviewData } from './document.ts';
import { ReviewSummary } from './review-summary.tsx';
import { type StepWords, titleOf } from './steps.ts';
import { useLogo } from './use-logo.ts';

interface ApproveDialogProps {
  client: ClientData;
  review: ReviewData;
  words: StepWords;
  approve: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** The whole registration and the approval of it in one place, so that nobody approves what they have not seen. */
export function ApproveDialog({ client, review, words, approve, onClose }: ApproveDialogProps) {
  const logo = useLogo(client.id);
  return (
    <ConfirmDialog
      title={titleOf(words, client)}
      confirmLabel={words.action}
      reason={words.reason}
      isWide
      isWaiting={logo.isLoading || logo.error !== null}
      run={approve}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{words.description}</Text>
        <section
          className="reading-area"
          aria-label="What you approve"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <ReviewSummary client={client} review={review} logo={logo} />
        </section>
      </Stack>
    </ConfirmDialog>
  );
}
