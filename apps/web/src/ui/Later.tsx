import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Guarded } from './Guarded';
import { Loading } from './States';

interface Props {
  /** Lines of text that it is about as high as. */
  readonly lines: number;
  /** Parts that are loaded when they are drawn, such as charts. */
  readonly children: ReactNode;
}

/** What is loaded once the rest of the page has what it shows. */
export function Later({ lines, children }: Props) {
  const [begun, begin] = useState(false);
  const busy = useIsFetching() > 0;
  useEffect(() => {
    if (busy) return undefined;
    const frame = requestAnimationFrame(() => begin(true));
    return () => cancelAnimationFrame(frame);
  }, [busy]);
  return begun ? (
    <Guarded lines={lines}>{children}</Guarded>
  ) : (
    <div data-later>
      <Loading lines={lines} />
    </div>
  );
}
