/** The pages of the guide in their order, by the files that they are made of. */
export const groups: Record<string, string[]> = {
  'Begin here': ['README.md', 'docs/quick-start.md', 'docs/concepts.md', 'docs/features.md'],
  'Build on it': [
    'docs/react.md',
    'docs/live.md',
    'docs/rest.md',
    'docs/api.md',
    'docs/webhooks.md',
    'docs/clients.md',
    'docs/agents.md',
    'docs/command-line.md',
    'docs/bulk.md',
    'docs/operations.md',
  ],
  'Work with texts': ['docs/search.md', 'docs/filters.md', 'docs/house-rules.md', 'docs/files.md', 'docs/sources.md'],
  'Run it': [
    'docs/operating.md',
    'docs/backups.md',
    'docs/monitoring.md',
    'docs/packages.md',
    'docs/settings.md',
    'docs/models.md',
    'docs/members.md',
    'SECURITY.md',
    'docs/upgrade.md',
  ],
  'Change it': ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'llm/offline/README.md', 'CHANGELOG.md'],
};

const renamed: Record<string, string> = {
  'README.md': 'index.md',
  'llm/offline/README.md': 'offline-engine.md',
};

/** Returns the path of a file's page in the guide. */
export const pageOf = (source: string) =>
  renamed[source] ?? source.replace('docs/', '').toLowerCase();

/** Returns the address of a file's page, below the guide's own. */
export const addressOf = (source: string) => `/${pageOf(source)}`.replace(/(index)?\.md$/, '');
