/** Returns the name of the browser's time zone, for example Europe/Zurich. */
export const localTimeZone = (): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
