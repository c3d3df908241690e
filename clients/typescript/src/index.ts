export * from './client.js';
export { type InvalidField, RostrumError } from './error.js';
export * from './operations.js';
export * from './webhook.js';
