import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode, createContext, useContext } from 'react';
import { useTranslator } from '../i18n';

interface BoundaryProps {
  /** The address of the screen: another one is shown again after an error. */
  readonly address: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly address: string;
  readonly isFailed: boolean;
  readonly isRetried: boolean;
}

const RetriedContext = createContext(false);

/** Reports whether the screen is shown again after an error. Cached data may have caused it. */
export function useIsRetried(): boolean {
  return useContext(RetriedContext);
}

/**
 * Shows a sentence instead of a screen that fails, until the address changes or the user tries
 * again.
 */
export class ScreenBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {
    address: this.props.address,
    isFailed: false,
    isRetried: false,
  };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { isFailed: true };
  }

  static getDerivedStateFromProps(
    { address }: BoundaryProps,
    state: BoundaryState,
  ): BoundaryState | null {
    return address === state.address ? null : { address, isFailed: false, isRetried: false };
  }

  override render(): ReactNode {
    const { isFailed, isRetried } = this.state;
    if (isFailed) {
      return <Failed retry={() => this.setState({ isFailed: false, isRetried: true })} />;
    }
    return <RetriedContext value={isRetried}>{this.props.children}</RetriedContext>;
  }
}

function Failed({ retry }: { retry: () => void }) {
  const { t } = useTranslator();
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('state.failed')}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('state.broken')}</Text>
        <Button size="xs" variant="light" onClick={retry}>
          {t('action.retry')}
        </Button>
      </Stack>
    </Alert>
  );
}
