export { gzipped } from './gzip';
export * from './manifest';
export * from './names';
export * from './shown';
export * from './verify/finding';
export * from './verify/verify';
export * from './write';
export * from './pdf';
