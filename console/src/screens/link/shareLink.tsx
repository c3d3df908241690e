import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SaveLinkDocument } from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { Panel } from '../../ui/panel';
import { saveFile } from '../../ui/saveFile';
import { useAction } from '../../ui/useAction';
import { type Campaign, campaignAddress, campaignParts } from './campaign';
import { imageAddress } from '../../ui/imageAddress';
import type { LinkDetails } from './link';

/** The side of a PNG image in pixels. */
const imageSize = 1024;

/** Draws an SVG image as PNG. */
async function drawPng(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = imageAddress(svg);
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), {
    width: imageSize,
    height: imageSize,
  });
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0, imageSize, imageSize);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** The QR code of the short address, to look at and to save. */
export function QrCode({ link }: { link: LinkDetails }) {
  const { t } = useTranslator();
  const name = new URL(link.shortUrl).pathname.split('/').at(-1) ?? '';
  const savePng = async () => {
    const content = await drawPng(link.qrCode);
    if (content) {
      saveFile(`${name}.png`, content);
    }
  };
  return (
    <Panel title={t('links.qrCode')}>
      <Group p="md" align="flex-start">
        <img
          src={imageAddress(link.qrCode)}
          alt={t('links.qrCodeOf', { address: link.shortUrl })}
          width={176}
          height={176}
        />
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('links.qrCodeHint')}
          </Text>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                saveFile(`${name}.svg`, new Blob([link.qrCode], { type: 'image/svg+xml' }))
              }
            >
              {t('links.saveSvg')}
            </Button>
            <Button size="xs" variant="default" onClick={() => void savePng()}>
              {t('links.savePng')}
            </Button>
          </Group>
        </Stack>
      </Group>
    </Panel>
  );
}

/** Builds the destination with the parameters of a campaign, to copy or to lead to. */
export function CampaignBuilder({
  link,
  destination,
  mayWrite,
}: {
  link: LinkDetails;
  destination: string;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const [campaign, setCampaign] = useState<Campaign>({});
  const save = useAction(SaveLinkDocument);
  const address = campaignAddress(destination, campaign);
  const lead = async () => {
    if (await save.run({ input: { linkId: link.id, destinationUrl: address } })) {
      setCampaign({});
    }
  };
  return (
    <Panel title={t('campaign.title')}>
      <Stack p="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t('campaign.hint')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          {campaignParts.map((part) => (
            <TextInput
              key={part}
              label={t(`campaign.${part}`)}
              description={`utm_${part}`}
              value={campaign[part] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setCampaign((before) => ({ ...before, [part]: value }));
              }}
            />
          ))}
        </SimpleGrid>
        <Code block aria-label={t('campaign.address')} style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Code>
        <Group gap="xs">
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {t(copied ? 'action.copied' : 'action.copy')}
              </Button>
            )}
          </CopyButton>
          {mayWrite && address !== destination && (
            <Button size="xs" loading={save.fetching} onClick={() => void lead()}>
              {t('campaign.use')}
            </Button>
          )}
        </Group>
      </Stack>
    </Panel>
  );
}
