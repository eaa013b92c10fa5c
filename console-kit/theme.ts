import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The green of the logo in ten shades. */
const TICKET: MantineColorsTuple = [
  '#ecf8f4',
  '#d6efe6',
  '#addfcd',
  '#80cdb2',
  '#59bd9b',
  '#3dab88',
  '#1d8d6d',
  '#0f755a',
  '#0f5c4d',
  '#0a4438',
];

/** A cool grey; the last four are the surfaces of the dark scheme. */
const SLATE: MantineColorsTuple = [
  '#dfe5e3',
  '#c3cdc9',
  '#a3b0ab',
  '#83918c',
  '#46524e',
  '#36413d',
  '#252e2b',
  '#1b2321',
  '#141a18',
  '#0e1312',
];

export const theme = createTheme({
  primaryColor: 'ticket',
  primaryShade: 7,
  colors: { ticket: TICKET, dark: SLATE },
  autoContrast: true,
  luminanceThreshold: 0.3,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.84375rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        // its <header> would be a second banner landmark
        attributes: { header: { role: 'presentation' } },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close message' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } } },
  },
});

/** Mantine's dimmed colours have too little contrast (WCAG 2.2 §1.4.3). */
export const contrastingColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#56635e',
    '--mantine-color-placeholder': '#67736e',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': TICKET[7],
  },
  dark: {
    '--mantine-color-dimmed': '#a3b0ab',
    '--mantine-color-placeholder': '#93a19b',
    '--mantine-color-error': '#ff9b8f',
    '--mantine-color-anchor': TICKET[3],
  },
});
