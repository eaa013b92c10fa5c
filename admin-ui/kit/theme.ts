import { readTokens } from '@fan-api/look/read-tokens';
import tokens from '@fan-api/look/tokens.css?raw';
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** All pages are one family. */
const { light, dark } = readTokens(tokens);
const token = (name: `--${string}`, scheme = light): string => scheme[name] ?? '';

/** The green in ten shades, with those of text and buttons in both schemes. */
const TICKET: MantineColorsTuple = [
  '#ecf8f4',
  '#d6efe6',
  '#addfcd',
  token('--accent', dark),
  '#59bd9b',
  '#3dab88',
  '#1d8d6d',
  token('--fill', dark),
  token('--accent'),
  token('--fill-strong'),
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
  token('--surface', dark),
  '#141a18',
  '#0e1312',
];

export const theme = createTheme({
  primaryColor: 'ticket',
  primaryShade: { light: 8, dark: 7 },
  colors: { ticket: TICKET, dark: SLATE },
  autoContrast: true,
  luminanceThreshold: 0.3,
  defaultRadius: 'md',
  radius: { md: token('--radius') },
  fontFamily: token('--font'),
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: token('--text-small'), md: '1rem', lg: '1.125rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: token('--text-title') }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // a round box would be taken for a radio button
    Checkbox: { defaultProps: { radius: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        // its <header> would be a second banner landmark
        attributes: { header: { role: 'presentation' } },
      },
    },
    Select: { defaultProps: { comboboxProps: { shadow: 'md' } } },
    // a list that unfolds as the focus comes after a refusal would be outside of the dialog
    MultiSelect: { defaultProps: { comboboxProps: { shadow: 'md' }, openOnFocus: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close message' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: {
      defaultProps: {
        radius: 'sm',
        withArrow: true,
        openDelay: 250,
        events: { hover: true, focus: true, touch: true },
      },
    },
  },
});

/** Mantine's dimmed colours have too little contrast (WCAG 2.2 §1.4.3). */
export const contrastingColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...light,
    '--mantine-color-body': token('--surface'),
    '--mantine-color-dimmed': token('--muted'),
    '--mantine-color-placeholder': '#67736e',
    '--mantine-color-error': token('--danger'),
    '--mantine-color-anchor': token('--accent'),
  },
  dark: {
    ...light,
    ...dark,
    '--mantine-color-dimmed': token('--muted', dark),
    '--mantine-color-placeholder': '#93a19b',
    '--mantine-color-error': token('--danger', dark),
    '--mantine-color-anchor': token('--accent', dark),
  },
});
