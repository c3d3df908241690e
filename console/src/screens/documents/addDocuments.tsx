import { Button, Divider, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { IngestDocumentDocument } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem, problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { VisibilityFields, type VisibilityValue, visibilityInput } from '../../ui/visibilityFields';
import { FileForm } from './fileForm';
import { PasteForm } from './pasteForm';

/** Who may know the new documents, and what runs when there are some. */
export interface AddProps {
  readonly access: VisibilityValue;
  readonly reload: () => void;
}

/** Adds documents by address, several at once, as a pasted text, or from files. */
export function AddDocuments({ reload }: { reload: () => void }) {
  const { t } = useTranslator();
  const [access, setAccess] = useState<VisibilityValue>({ visibility: '', until: '' });
  return (
    <div className="panel" style={{ padding: '1rem' }}>
      <Stack>
        <VisibilityFields value={access} change={setAccess} open={t('documents.visibilityOpen')} />
        <AddressForm access={access} reload={reload} />
        <Divider />
        <PasteForm access={access} reload={reload} />
        <Divider />
        <FileForm access={access} reload={reload} />
      </Stack>
    </div>
  );
}

function AddressForm({ access, reload }: AddProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [text, setText] = useState('');
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [{ fetching }, ingest] = useMutation(IngestDocumentDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused: Failure[] = [];
    const addresses = text.split(/\s+/).filter(Boolean);
    for (const sourceUrl of addresses) {
      const { data, error } = await ingest({ input: { sourceUrl, ...visibilityInput(access) } });
      const reason = error
        ? (fieldProblem(error, 'sourceUrl') ?? problemText(error, t))
        : (data?.ingestDocument?.error ?? data?.ingestDocument?.warning);
      if (reason) {
        refused.push({ name: sourceUrl, reason });
      }
    }
    setText(refused.map(({ name }) => name).join('\n'));
    setFailures(refused);
    const count = addresses.length - refused.length;
    if (count > 0) {
      notify(t('documents.added', { count }));
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Textarea
          label={t('documents.addresses')}
          description={t('documents.addressesHint')}
          placeholder={'https://example.com/news\nhttps://example.com/report.pdf'}
          autosize
          minRows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={failures.length > 1 ? <Reasons failures={failures} /> : failures[0]?.reason}
        />
        <Group>
          <Button type="submit" loading={fetching} disabled={!text.trim()}>
            {t('documents.ingest')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A source that was refused, with the reason. */
export interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** Names each source that was refused with its reason. */
export function Reasons({ failures }: { failures: readonly Failure[] }) {
  return failures.map(({ name, reason }, i) => (
    <Text key={i} span inherit display="block" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{name}</bdi>: {reason}
    </Text>
  ));
}
