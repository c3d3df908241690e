import { Alert, List, Text } from '@mantine/core';
import type { BulkAction, BulkField, BulkSkipRowFragment } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import type { Preview } from './bulkDialog';
import { fieldLabels } from './bulk';

/** What would be changed, with examples, and what would be left alone. */
export function BulkPreview({ preview, action }: { preview: Preview; action: BulkAction }) {
  const { t } = useTranslator();
  const { changedCount, unchangedCount, fields, sample, skips, skippedCount } = preview;
  return (
    <Alert color="harbor" role="status" title={t(`bulk.would.${action}`, { count: changedCount })}>
      {action === 'FIND_STATEMENTS' && <Text size="sm">{t('bulk.runs')}</Text>}
      {unchangedCount > 0 && (
        <Text size="sm">{t('bulk.unchanged', { count: unchangedCount })}</Text>
      )}
      {fields.length > 0 && (
        <List size="sm">
          {fields.map((row) => (
            <List.Item key={row.field + row.autoTagId}>
              <Label {...row} />: {t('documents.count', { count: row.count })}
            </List.Item>
          ))}
        </List>
      )}
      {sample.some(({ changes }) => changes.length > 0) && (
        <>
          <Text size="sm" fw={550} mt="xs">
            {t('bulk.examples')}
          </Text>
          <List size="sm">
            {sample.map(({ documentId, document, changes }) => (
              <List.Item key={documentId} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{document?.title || documentId}</bdi>
                {changes.map((change) => (
                  <Change key={change.field + change.autoTagId} {...change} />
                ))}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Skips skips={skips} count={skippedCount} />
    </Alert>
  );
}

interface LabelProps {
  readonly field: BulkField;
  readonly autoTag?: { readonly name: string } | null | undefined;
}

/** The name of a field, or of an auto-tag. */
function Label({ field, autoTag }: LabelProps) {
  const { t } = useTranslator();
  return autoTag ? <bdi>{autoTag.name}</bdi> : t(fieldLabels[field]);
}

interface ChangeProps extends LabelProps {
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

/** A field with its old and its new value. */
function Change({ field, autoTag, before, after }: ChangeProps) {
  const { t, name, date } = useTranslator();
  const shown = (value: string | null | undefined) => {
    if (!value) {
      return t('bulk.empty');
    }
    if (field === 'VISIBILITY') {
      return name('visibility', value);
    }
    return field === 'EMBARGOED_UNTIL' || field === 'EXTRACTED_DATE' ? date(value) : value;
  };
  return (
    <Text size="sm" c="dimmed">
      <Label field={field} autoTag={autoTag} />: <bdi>{shown(before)}</bdi> →{' '}
      <bdi>{shown(after)}</bdi>
    </Text>
  );
}

interface SkipsProps {
  readonly skips: readonly BulkSkipRowFragment[];
  readonly count: number;
}

/** The documents that are left alone, with the reasons. */
export function Skips({ skips, count }: SkipsProps) {
  const { t } = useTranslator();
  if (count === 0) {
    return null;
  }
  return (
    <details>
      <summary>{t('bulk.skipped', { count })}</summary>
      <List size="sm">
        {skips.map(({ documentId, document, reason, message }) => (
          <List.Item key={documentId} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{document?.title || documentId}</bdi>: {t(`bulk.reason.${reason}`)}
            {message && <> ({message})</>}
          </List.Item>
        ))}
        {count > skips.length && (
          <List.Item>{t('filters.andMore', { count: count - skips.length })}</List.Item>
        )}
      </List>
    </details>
  );
}
