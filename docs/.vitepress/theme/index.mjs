// The theme of VitePress with the fonts of the reader's machine.
export { default } from 'vitepress/theme-without-fonts';
