import { useEffect, useRef, useState } from 'react';

/** For an overlay that opens as soon as it is loaded. When it closes, the focus returns to its button. */
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
