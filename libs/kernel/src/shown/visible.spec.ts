import { escapeDirections, visibleText } from './visible';

const CONTROLS = ['061C', '200E', '200F', '202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069'];

it.each(CONTROLS)('shows U+%s, which changes the order of what is around it, by its number', (number) => {
  const character = String.fromCodePoint(parseInt(number, 16));
  expect(visibleText(`web${character}gpj.exe${character}`)).toBe(`web⟨U+${number}⟩gpj.exe⟨U+${number}⟩`);
  const line = JSON.stringify({ name: `web${character}gpj` });
  expect(escapeDirections(line)).toBe(`{"name":"web\\u${number.toLowerCase()}gpj"}`);
  expect(JSON.parse(escapeDirections(line))).toEqual(JSON.parse(line));
});

it.each(['shop/web:1.4', 'שלום', 'مرحبا', '環境', '👩‍🚀', 'a\u200bb', 'a\nb', ''])('leaves %j as it is', (text) => {
  expect(visibleText(text)).toBe(text);
  expect(escapeDirections(text)).toBe(text);
});
