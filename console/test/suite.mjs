// Runs files of tests one after the other in one browser, whose windows they share: node test/suite.mjs screens states.
import { after } from 'node:test';
import { closeBrowser } from './browser.mjs';

after(closeBrowser);
for (const name of process.argv.slice(2)) {
  await import(`./${name}.test.mjs`);
}
