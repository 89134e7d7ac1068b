import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, Suspense, type ReactNode } from 'react';
import { Failure, Loading } from './States';

interface Props {
  readonly children: ReactNode;
  /** How many lines stand for what is on its way. */
  readonly lines?: number;
  /** Whether the content is the whole page: a failure is its heading then. */
  readonly page?: boolean;
}

interface BoundaryProps extends Pick<Props, 'page'> {
  readonly onReset: () => void;
  readonly children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { readonly fault: unknown }> {
  override state = { fault: null };

  static getDerivedStateFromError(fault: unknown) {
    return { fault };
  }

  override render() {
    if (this.state.fault === null) return this.props.children;
    const retry = () => {
      this.props.onReset();
      this.setState({ fault: null });
    };
    return <Failure fault={this.state.fault} onRetry={retry} page={this.props.page ?? false} />;
  }
}

/** Shows that its content is on its way, or what went wrong with it, without taking the rest of the page along. */
export const Guarded = ({ children, lines = 4, page = false }: Props) => (
  <QueryErrorResetBoundary>
    {({ reset }) => (
      <Boundary onReset={reset} page={page}>
        <Suspense fallback={<Loading lines={lines} />}>{children}</Suspense>
      </Boundary>
    )}
  </QueryErrorResetBoundary>
);
