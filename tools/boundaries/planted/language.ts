// lies in libs/features/environments/write
export const open = (value: unknown) => value;
export const loose = (value: any) => value; // refused: no-explicit-any Unexpected any
export enum Colour {} // refused: no-restricted-syntax union of string literals
export default open; // refused: no-restricted-syntax named export
export const plain = { ...{ open } }; // refused: no-restricted-syntax properties and items plainly
