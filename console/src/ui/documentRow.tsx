import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DocumentRowFragment } from '../graph/graphql';
import { useTranslator } from '../i18n';
import { ScreenLink } from './screenLink';

interface DocumentRowProps {
  readonly document: DocumentRowFragment;
  /** Selects the document. */
  readonly checkbox?: ReactNode;
  readonly children?: ReactNode;
}

/** A document in a list: its title, who it is of, its tags and what it has. */
export function DocumentRow({ document, checkbox, children }: DocumentRowProps) {
  const { t, ago, date } = useTranslator();
  const facts = [
    document.executiveName,
    document.companyName,
    document.wordCount ? t('document.words', { count: document.wordCount }) : null,
    document.reactions?.totalCount
      ? t('document.reactions', { count: document.reactions.totalCount })
      : null,
    document.signals?.totalCount
      ? t('document.signals', { count: document.signals.totalCount })
      : null,
    document.extractedDate && date(document.extractedDate),
    document.createdAt && t('document.added', { at: ago(document.createdAt) }),
  ];
  return (
    <li data-document={document.id}>
      <Group justify="space-between" gap={6} wrap="nowrap" align="flex-start">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {checkbox}
          <ScreenLink to={`/documents/${document.id}`} className="row-link">
            {document.title || t('document.untitled')}
          </ScreenLink>
        </Group>
        <DocumentState document={document} />
      </Group>
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {children}
      {document.processingError && (
        <Text size="sm" c="red">
          {document.processingError.message}
        </Text>
      )}
      {document.autoTags && document.autoTags.length > 0 && (
        <Group gap={6} mt={6}>
          {document.autoTags.slice(0, 4).map((tag) => (
            <Badge
              key={`${tag.name}:${tag.extractedValue}`}
              variant="light"
              color="gray"
              size="sm"
              tt="none"
              title={tag.name}
            >
              {tag.extractedValue}
            </Badge>
          ))}
        </Group>
      )}
    </li>
  );
}

function DocumentState({ document }: { document: DocumentRowFragment }) {
  const { name } = useTranslator();
  if (document.processingStatus) {
    return (
      <Badge
        variant="light"
        size="sm"
        style={{ flexShrink: 0 }}
        color={document.processingStatus === 'FAILED' ? 'red' : 'harbor'}
      >
        {name('processing', document.processingStatus)}
      </Badge>
    );
  }
  if (document.visibility !== 'PUBLIC') {
    return (
      <Badge variant="outline" size="sm" color="gray" style={{ flexShrink: 0 }}>
        {name('visibility', document.visibility)}
      </Badge>
    );
  }
  return null;
}
