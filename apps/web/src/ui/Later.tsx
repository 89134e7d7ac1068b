import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Guarded } from './Guarded';
import { Loading } from './States';

interface Props {
  /** Its approximate height in lines of text. */
  readonly lines: number;
  /** Content that is loaded when it is shown, such as charts. */
  readonly children: ReactNode;
}

/** Content that is loaded after the rest of the page has its data. */
export function Later({ lines, children }: Props) {
  const [isBegun, begin] = useState(false);
  const busy = useIsFetching() > 0;
  useEffect(() => {
    if (busy) return undefined;
    const frame = requestAnimationFrame(() => begin(true));
    return () => cancelAnimationFrame(frame);
  }, [busy]);
  return isBegun ? (
    <Guarded lines={lines}>{children}</Guarded>
  ) : (
    <div data-later>
      <Loading lines={lines} />
    </div>
  );
}
