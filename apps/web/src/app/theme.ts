import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const NAME = 'assurance-theme';
const listeners = new Set<() => void>();

const stored = (): Theme => {
  const value = localStorage.getItem(NAME);
  return value === 'light' || value === 'dark' ? value : 'system';
};

/** Shows the pages as the reader chose; without a choice they are as the system is. */
export function applyTheme(): void {
  const theme = stored();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
  const choose = (next: Theme) => {
    localStorage.setItem(NAME, next);
    applyTheme();
    listeners.forEach((tell) => tell());
  };
  return [theme, choose];
}
