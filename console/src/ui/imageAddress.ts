/** Returns the address of an SVG image that a page shows without a request. */
export const imageAddress = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;
