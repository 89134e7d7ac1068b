import { storedChoice } from '../ui/stored-choice';

export type Theme = 'system' | 'light' | 'dark';

const theme = storedChoice<Theme>('assurance-theme', ['system', 'light', 'dark']);

/** Applies the theme that the reader chose; otherwise the theme of the system. */
export function applyTheme(): void {
  const selectedTheme = theme.now();
  if (selectedTheme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = selectedTheme;
}

export const useTheme = (): Theme => theme.use();

export function chooseTheme(value: Theme): void {
  theme.choose(value);
  applyTheme();
}
