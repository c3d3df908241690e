import { Badge, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import {
  AddCompanyAliasDocument,
  CompanyScreenDocument,
  type CompanyScreenQuery,
  RemoveCompanyAliasDocument,
  RenameCompanyDocument,
} from '../../graph/company/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { useNameInPath } from '../../ui/address';
import { DocumentRow } from '../../ui/documentRow';
import { NamesPanel } from '../../ui/namesPanel';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';

type Company = NonNullable<CompanyScreenQuery['company']>;

/** A company: its names, its documents, and who speaks for it. */
export default function CompanyPage() {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const result = useScreen(CompanyScreenDocument, {
    name: useNameInPath(),
    after: usePageCursor(),
  });
  const mayWrite = useMay('EDIT');
  const [company, known] = useSubject(result, (data) => data.company);
  return (
    <Screen
      title={company?.name ?? t('nav.companies')}
      lead={
        company && (
          <>
            <ScreenLink isInText to="/companies">
              {t('nav.companies')}
            </ScreenLink>
            {company.isOwn && ` · ${t('companies.isOwn')}`} ·{' '}
            {t('document.signals', { count: company.signals?.totalCount ?? 0 })}
          </>
        )
      }
      result={known}
    >
      {() =>
        company && (
          <div className="with-aside aside-end">
            <Documents company={company} />
            <Stack gap="lg" component="aside" aria-label={t('persona.about')}>
              <NamesPanel
                of={company}
                mayWrite={mayWrite}
                rename={RenameCompanyDocument}
                addAlias={AddCompanyAliasDocument}
                removeAlias={RemoveCompanyAliasDocument}
                renamed={(name) =>
                  navigate(`/companies/${encodeURIComponent(name)}`, { replace: true })
                }
              />
              <Executives company={company} />
            </Stack>
          </div>
        )
      }
    </Screen>
  );
}

function Documents({ company }: { company: Company }) {
  const { t } = useTranslator();
  const rows = company.documents?.nodes ?? [];
  return (
    <Panel
      title={t('nav.documents')}
      actions={<Badge variant="light">{company.documents?.totalCount ?? 0}</Badge>}
    >
      {rows.length === 0 ? (
        <EmptyPage title={t('documents.none')} hint={t('companies.noDocumentsHint')} />
      ) : (
        <ul className="rows">
          {rows.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      )}
      <PageLinks page={company.documents?.pageInfo} />
    </Panel>
  );
}

function Executives({ company: { executives } }: { company: Company }) {
  const { t } = useTranslator();
  if (!executives || executives.nodes.length === 0) {
    return null;
  }
  return (
    <Panel
      title={t('nav.executives')}
      actions={<Badge variant="light">{executives.totalCount}</Badge>}
    >
      <ul className="rows">
        {executives.nodes.map(({ id, name }) => (
          <li key={id}>
            <ScreenLink to={`/executives/${encodeURIComponent(name)}`}>{name}</ScreenLink>
          </li>
        ))}
      </ul>
      {executives.totalCount > executives.nodes.length && (
        <Text size="sm" c="dimmed" p="md">
          {t('filters.andMore', { count: executives.totalCount - executives.nodes.length })}
        </Text>
      )}
    </Panel>
  );
}
