import { stored } from '../ui/stored';

export type Theme = 'system' | 'light' | 'dark';

const theme = stored<Theme>('assurance-theme', ['system', 'light', 'dark']);

/** Applies the theme that the reader chose; otherwise the theme of the system. */
export function applyTheme(): void {
  const chosen = theme.now();
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}

export const useTheme = (): Theme => theme.use();

export function chooseTheme(chosen: Theme): void {
  theme.choose(chosen);
  applyTheme();
}
