/** The languages, each with the messages of the first screen and all others (see messages.ts). */
declare module 'messages:languages' {
  type Part = () => Promise<{ default: Record<string, string> }>;
  export const loaders: Readonly<Record<string, { readonly first: Part; readonly later: Part }>>;
}
