import { forgetOldest } from '@assurance/kernel';

/** Keeps the most recent texts. Writer and reader keep the same ones, because they see the same texts. */
export class RecentTexts {
  private readonly texts = new Set<string>();

  constructor(private readonly most: number) {}

  has(text: string): boolean {
    return this.texts.has(text);
  }

  add(text: string): void {
    if (this.texts.has(text)) return;
    this.texts.add(text);
    forgetOldest(this.texts, this.most);
  }
}
