import { createTheme } from '@mantine/core';

/**
 * The console's look: system fonts, so none is loaded, and a teal with a contrast of 4.5 in both
 * schemes.
 */
export const theme = createTheme({
  primaryColor: 'harbor',
  primaryShade: 7,
  autoContrast: true,
  colors: {
    harbor: [
      '#e6f7f6',
      '#d0ebea',
      '#a3d6d4',
      '#72c1be',
      '#4bafab',
      '#32a39f',
      '#1f8f8b',
      '#0d736f',
      '#055a57',
      '#00413f',
    ],
  },
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
});
