// Lints the OpenAPI document on the standard input with Redocly (recommended) and Spectral (spectral:oas, its recommended rules). Prints
// each finding that accepted.mjs does not list.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openapi, report } from './accepted.mjs';

const require = createRequire(import.meta.url);
const { Document, Spectral } = require('@stoplight/spectral-core');
const Parsers = require('@stoplight/spectral-parsers');
const { oas } = require('@stoplight/spectral-rulesets');

const text = readFileSync(0, 'utf8');

const config = await createConfig({ extends: ['recommended'] });
const redocly = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
const findings = redocly.map((f) => ({ rule: `redocly ${f.ruleId}`, at: f.location[0]?.pointer ?? '', message: f.message }));

const spectral = new Spectral();
spectral.setRuleset({ extends: [[oas, 'recommended']] });
for (const f of await spectral.run(new Document(text, Parsers.Json, '/openapi.json'))) {
  findings.push({ rule: `spectral ${f.code}`, at: `#/${f.path.join('/')}`, message: f.message });
}

report(findings, openapi);
