// lies in libs/features/environments/write as typed.planted.ts
const send = async (kind: 'first' | 'second') => Promise.resolve(kind);
export function forgets() {
  send('first'); // refused: no-floating-promises Promises must be awaited
}
export function partial(kind: 'first' | 'second') {
  switch (
    kind // refused: switch-exhaustiveness-check "second"
  ) {
    case 'first':
      return 1;
  }
  return 0;
}
