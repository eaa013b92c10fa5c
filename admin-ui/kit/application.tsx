/**
 * What the staff console and the partner workspace share: the frame, data by GraphQL, lists, forms, charts, styles, and the pages that
 * both have. It uses the schema of partners, and nothing that only staff may see.
 *
 * @module
 */
import './style/every-style.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { BASE_PATH } from './base-path.ts';
import { callWithHeader } from './data/call.ts';
import { queryClient } from './data/view.ts';
import { contrastingColors, theme } from './theme.ts';

/**
 * Shows an application in the place that the built page has for it.
 * @param header that its GraphQL endpoint asks for
 */
export function mountApplication(application: ReactNode, header: string): void {
  callWithHeader(header);
  // the content security policy allows style elements only with this nonce
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  // where react-remove-scroll reads it
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  const place = document.getElementById('app');
  if (!place) throw new Error('the page has no place for the application');
  createRoot(place).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={contrastingColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Router base={BASE_PATH}>
          <Notifications position="bottom-right" />
          {application}
        </Router>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
