import { forgetOldest } from '@assurance/kernel';

/** Keeps the most recent texts. The writer and the reader of an archive keep the same texts, because they add the same ones. */
export class RecentTexts {
  private readonly texts = new Set<string>();

  constructor(private readonly maxTexts: number) {}

  has(text: string): boolean {
    return this.texts.has(text);
  }

  add(text: string): void {
    if (this.texts.has(text)) return;
    this.texts.add(text);
    forgetOldest(this.texts, this.maxTexts);
  }
}
