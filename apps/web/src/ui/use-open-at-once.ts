import { useEffect, useRef, useState } from 'react';

/** For what opens over the page as soon as it is there, with its own button: where it closes, the focus goes back to that. */
export function useOpenAtOnce() {
  const [isOpen, onOpenChange] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      button.current?.focus();
      onOpenChange(true);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return { isOpen, onOpenChange, button };
}
