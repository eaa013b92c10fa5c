import type { ReactNode } from 'react';
import type { View } from '../data/view.ts';
import { FailureAlert } from './failure-alert.tsx';
import { NotFoundPage } from './not-found.tsx';
import { Page } from './page.tsx';
import { ViewLoading } from './view-loading.tsx';

/**
 * What the page of one thing shows. `instead` takes its place while it is read, and where it can't be read or found.
 * @param name in "The client could not be read"
 */
export function findIn<Data, Found>(
  view: View & { data: Data | undefined },
  name: string,
  pick: (data: Data) => Found | null,
): { found: Found | null; instead: ReactNode } {
  const { data, error, refetch } = view;
  if (error && data === undefined) {
    const instead = (
      <Page title={`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}>
        <FailureAlert failure={error} title={`The ${name} could not be read`} retry={refetch} />
      </Page>
    );
    return { found: null, instead };
  }
  if (data === undefined || view.isPlaceholderData) return { found: null, instead: <ViewLoading /> };
  return { found: pick(data), instead: <NotFoundPage /> };
}
