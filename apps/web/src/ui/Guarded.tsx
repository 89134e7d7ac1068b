import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, Suspense, type ReactNode } from 'react';
import { whenConnected } from '../api/connection';
import { ApiError } from '../api/error';
import { Failure, isGone, Loading } from './States';

interface Props {
  readonly children: ReactNode;
  /** How many placeholder lines are shown while the content loads. */
  readonly lines?: number;
  /** Whether the content is the whole page. A failure then becomes the heading of the page. */
  readonly page?: boolean;
  /** Replaces the message where retention dropped the content. */
  readonly dropped?: ReactNode;
}

interface BoundaryProps extends Pick<Props, 'page' | 'dropped'> {
  readonly onReset: () => void;
  readonly children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { readonly fault: unknown }> {
  override state: { readonly fault: unknown } = { fault: null };
  private end = () => undefined as void;

  static getDerivedStateFromError(fault: unknown) {
    return { fault };
  }

  /** Failed requests are repeated when the service answers again. */
  override componentDidMount() {
    this.end = whenConnected(() => {
      const { fault } = this.state;
      if (fault instanceof ApiError && (fault.status === 0 || fault.status >= 500)) this.retry();
    });
  }

  override componentWillUnmount() {
    this.end();
  }

  private readonly retry = () => {
    this.props.onReset();
    this.setState({ fault: null });
  };

  override render() {
    const { fault } = this.state;
    const { children, dropped, page = false } = this.props;
    if (fault === null) return children;
    if (dropped !== undefined && isGone(fault)) return dropped;
    return <Failure fault={fault} onRetry={this.retry} page={page} />;
  }
}

/** Shows that its content loads, or why it failed. The rest of the page stays unaffected. */
export const Guarded = ({ children, lines = 4, page = false, dropped }: Props) => (
  <QueryErrorResetBoundary>
    {({ reset }) => (
      <Boundary onReset={reset} page={page} dropped={dropped}>
        <Suspense fallback={<Loading lines={lines} />}>{children}</Suspense>
      </Boundary>
    )}
  </QueryErrorResetBoundary>
);
