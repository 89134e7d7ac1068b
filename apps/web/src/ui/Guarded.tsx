import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, Suspense, type ReactNode } from 'react';
import { Failure, Loading } from './States';

interface BoundaryProps {
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
    return <Failure fault={this.state.fault} onRetry={retry} />;
  }
}

/** Shows that its content is on its way, or what went wrong with it, without taking the rest of the page along. */
export const Guarded = ({ children, lines }: { readonly children: ReactNode; readonly lines?: number }) => (
  <QueryErrorResetBoundary>
    {({ reset }) => (
      <Boundary onReset={reset}>
        <Suspense fallback={<Loading lines={lines ?? 4} />}>{children}</Suspense>
      </Boundary>
    )}
  </QueryErrorResetBoundary>
);
