import { Stack, Text } from '@mantine/core';
import { Diff } from '../parts/diff.tsx';
import { Section } from '../parts/section.tsx';
import type { ClientData } from './document.ts';
import { asText, nameOfField } from './field-names.ts';
import { ReviewStory } from './review-story.tsx';

/** What changed since the last approval, and every review so far. */
export function ClientReviewTab({ client }: { client: ClientData }) {
  const { changesSinceApproval, reviews } = client;
  return (
    <Stack gap="md">
      <Section title="Changes since the last approval">
        {changesSinceApproval === null ? (
          <Text size="sm" c="dimmed">
            It has not been approved yet: everything under Configuration is new.
          </Text>
        ) : changesSinceApproval.length === 0 ? (
          <Text size="sm" c="dimmed">
            None: it is registered exactly as it was approved.
          </Text>
        ) : (
          <Diff
            caption="Changes since the last approval"
            beforeTitle="As approved"
            afterTitle="Now"
            differences={changesSinceApproval.map(({ field, before, after }) => ({
              label: nameOfField(field),
              before: asText(field, before),
              after: asText(field, after),
            }))}
          />
        )}
      </Section>
      <Section title="Reviews">
        {reviews.length === 0 ? (
          <Text size="sm" c="dimmed">
            None yet. Submitting the client begins one.
          </Text>
        ) : (
          <ol className="plain-list">
            {reviews.map((review) => (
              <li key={review.id}>
                <ReviewStory review={review} />
              </li>
            ))}
          </ol>
        )}
      </Section>
    </Stack>
  );
}
